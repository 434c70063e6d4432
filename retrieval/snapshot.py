"""One published wiki.db, open for reading: found, checked, and told apart from the next one."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import apsw

from retrieval.damage import damage_told
from retrieval.errors import WikiMismatch, WikiNotBuilt
from retrieval.nearest import Vectors
from retrieval.schema import SCHEMA_VERSION
from retrieval.settings import RetrievalSettings

if TYPE_CHECKING:
    from retrieval.embedders import EmbeddingSettings

CACHE = 16
"""MiB of pages that stay in memory between questions. With them a reader takes 41 MB, of 10,000 concepts and of 50,000 alike;
with 64 it took 90. With the 2 that SQLite has by itself, a seventh of a question's CPU time went into reading pages again."""

_TERMS = "create virtual table temp.terms using fts5vocab(main, concepts_fts, row)"
_TOKENIZER = ("porter", ["unicode61", "remove_diacritics", "2"])
"""What `concepts_fts` is declared with, so that a question's words are reduced as the index reduced its own."""


class Snapshot(NamedTuple):
    """A wiki.db as it was published once."""

    identity: tuple[int, int]
    """Inode and modification time in ns; a republished wiki has another pair."""
    con: apsw.Connection
    """Read-only, with `temp.terms`: in how many concepts each word stands."""
    tokenizer: apsw.FTS5Tokenizer
    vectors: Vectors
    meta: dict[str, str]
    settings: RetrievalSettings
    """Compiled from wiki.yaml by the build."""

    @property
    def embedding(self) -> "EmbeddingSettings":
        from retrieval.embedders import EmbeddingSettings  # a wiki without vectors needs none of it
        return _read(EmbeddingSettings, self.meta.get("embedding"))

    @property
    def has_vectors(self) -> bool:
        return self.meta.get("embedder", "none") != "none" and not self.meta.get("degraded")

    @property
    def notice(self) -> str:
        """What a reader of an answer must know of this build; empty when nothing is amiss."""
        degraded = self.meta.get("degraded")
        return f"Note: this answer was found by words alone, without vectors ({degraded})." if degraded else ""


def identity_of(wiki: Path) -> tuple[int, int]:
    """What tells one published wiki.db from the next. Raises WikiNotBuilt."""
    try:
        found = os.stat(wiki)
    except PermissionError as fault:
        raise WikiNotBuilt(f"{wiki} cannot be looked at ({fault.strerror}): make its folder readable.") from None
    except OSError:
        where = wiki.parent if wiki.parent.is_dir() else f"{wiki.parent}, which is no folder"
        raise WikiNotBuilt(f"There is no wiki.db in {where}: run `doit` for that bundle, or name another one.") from None
    return found.st_ino, found.st_mtime_ns


def open_snapshot(wiki: Path) -> Snapshot:
    """Open and check a wiki.db. Raises WikiNotBuilt, WikiDamaged, WikiMismatch."""
    identity = identity_of(wiki)
    try:
        con = apsw.Connection(str(wiki), flags=apsw.SQLITE_OPEN_READONLY)
    except apsw.Error as fault:
        raise WikiNotBuilt(f"{wiki} cannot be opened ({fault}): make it readable, or run `doit reindex` to build it anew.") from None
    with damage_told(wiki):
        return _checked(wiki, identity, con)


def _checked(wiki: Path, identity: tuple[int, int], con: apsw.Connection) -> Snapshot:
    meta = dict(con.execute("select key, value from meta"))
    if meta.get("schema_version") != str(SCHEMA_VERSION):
        raise WikiMismatch(f"{wiki} has schema version {meta.get('schema_version')}, this program reads version "
                           f"{SCHEMA_VERSION}: run `doit` to build it again.")
    if meta.get("embedder", "none") != "none":
        from retrieval.vec0 import load_vec0  # a wiki without vectors needs none of it
        load_vec0(con)
    _tune(con)
    con.execute(_TERMS)
    vectors = Vectors(con, int(meta["pieces"]), int(meta["concepts"]))
    return Snapshot(identity, con, con.fts5_tokenizer(*_TOKENIZER), vectors, meta, _read(RetrievalSettings, meta.get("settings")))


def _tune(con: apsw.Connection) -> None:
    """Let pages stay in memory, and statements as they were prepared: else FTS5's own is prepared anew for each term it seeks."""
    con.execute(f"pragma cache_size = {-1024 * CACHE}")
    con.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)


def _read(kind: type, text: str | None):
    """Settings the build compiled; what only another version of the build knows is left out."""
    return kind(**{key: value for key, value in json.loads(text or "{}").items() if key in kind._fields})
