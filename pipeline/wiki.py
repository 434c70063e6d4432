"""Publishes the build database as wiki.db: written aside, checked, synced, renamed. Readers see old or new."""

from __future__ import annotations

import json
import os
import shutil
from datetime import datetime, timezone

import apsw

from pipeline.digest import digest_of
from pipeline.settings import Settings
from pipeline.store import PIPELINE_VERSION, Store
from retrieval.damage import sign
from retrieval.errors import WikiError
from retrieval.schema import SCHEMA_VERSION

_COUNTED = ("concepts", "edges", "links", "pieces")


class PublishError(WikiError):
    """The finished database could not be put in place; the old wiki.db still stands."""


def wiki(db: apsw.Connection, store: Store, settings: Settings) -> str:
    """Write `meta` and put a copy of the build database in place of wiki.db; returns its generation.

    The generation is a digest of all that an answer depends on, so the same bundle always compiles to the same
    one. Raises PublishError.
    """
    compiled, backend = (json.dumps(part._asdict(), ensure_ascii=False, sort_keys=True)
                         for part in (settings.retrieval, settings.embedding))
    generation = _generation(db, compiled)
    counts = {table: db.execute(f"select count(*) from {table}").get for table in _COUNTED}
    with db:
        db.executemany("replace into meta(key, value) values (?, ?)", [
            ("schema_version", str(SCHEMA_VERSION)), ("pipeline_version", str(PIPELINE_VERSION)), ("generation", generation),
            ("built_at", datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")), ("settings", compiled), ("embedding", backend),
            *((table, str(count)) for table, count in counts.items())])
    aside = store.folder / "wiki.new"
    try:
        shutil.copyfile(store.folder / "build.db", aside)
        _check(aside, generation, counts["concepts"])
        sign(aside)
        with open(aside, "rb+") as file:
            os.fsync(file.fileno())
        os.replace(aside, store.wiki)
        _sync_folder(store.bundle)
    except (OSError, apsw.Error) as fault:
        aside.unlink(missing_ok=True)
        raise PublishError(f"wiki.db could not be published ({fault}); the one that stands was left as it is.") from None
    return generation


def _generation(db: apsw.Connection, compiled: str) -> str:
    model = [value for value, in db.execute(
        "select value from meta where key in ('embedder', 'model', 'fingerprint', 'degraded') order by key")]
    head = "\n".join([f"{SCHEMA_VERSION} {PIPELINE_VERSION} {compiled}", *model])
    return digest_of(db, "understood", "path", "content_hash", "parse_error", head=head)[:16]


def _check(path, generation: str, concepts: int) -> None:
    """Read the copy back as a reader would; anything amiss raises."""
    copy = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        found = copy.execute("select value from meta where key = 'generation'").get
        counted = copy.execute("select count(*) from concepts").get
    finally:
        copy.close()
    if (found, counted) != (generation, concepts):
        raise OSError("the copy does not read back as it was written")


def _sync_folder(folder) -> None:
    """Make the rename itself durable, where the platform lets a folder be synced."""
    if hasattr(os, "O_DIRECTORY"):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
