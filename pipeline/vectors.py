"""The cache of vectors that were paid for, by model and text: a build killed, or an edit taken back, costs none twice."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import apsw

SPARE = 10_000
"""Vectors of texts no longer in the wiki that are kept in any case, 15 MB of them; else as many as the wiki has."""

_SCHEMA = """
create table if not exists models (id integer primary key, fingerprint text not null unique);
create table if not exists vectors (
  model     integer not null,               -- models.id
  text_hash blob not null,                  -- SHA-256 of the text
  vector    blob not null,                  -- float32, little-endian
  used      integer not null,               -- the turn in which it was made, or in which its text left the wiki
  unique (model, text_hash)
);
"""


def open_vectors(path: Path, say: Callable[[str], object] = lambda words: print(words, file=sys.stderr)) -> apsw.Connection:
    """The database of the cache. A damaged one is told of, thrown away and begun anew."""
    try:
        return _opened(path)
    except (apsw.NotADBError, apsw.CorruptError, apsw.SQLError):
        say(f"{path} is damaged: its vectors are lost and will be made again.")
        for suffix in ("", "-journal"):
            Path(f"{path}{suffix}").unlink(missing_ok=True)
        return _opened(path)


def _opened(path: Path) -> apsw.Connection:
    db = apsw.Connection(str(path))
    try:
        if db.execute("pragma quick_check(1)").get != "ok":
            raise apsw.CorruptError("quick_check")
        db.execute(_SCHEMA)
        db.execute("select model, text_hash, vector, used from vectors limit 0")
    except apsw.Error:
        db.close()
        raise
    return db


class VectorCache:
    """The vectors of one model."""

    def __init__(self, db: apsw.Connection, fingerprint: str) -> None:
        self._db = db
        self._turn = db.execute("pragma user_version").get + 1
        db.execute(f"pragma user_version = {self._turn}")
        db.execute("insert or ignore into models(fingerprint) values (?)", (fingerprint,))
        self._model = self._model_of(fingerprint)

    def __contains__(self, text_hash: bytes) -> bool:
        return self._db.execute("select 1 from vectors where model = ? and text_hash = ?", (self._model, text_hash)).get is not None

    def get(self, text_hash: bytes) -> bytes | None:
        """The vector of a text; None when it was never made, or is forgotten."""
        return self._db.execute(
            "select vector from vectors where model = ? and text_hash = ?", (self._model, text_hash)).get

    def put(self, vectors: Iterable[tuple[bytes, bytes]]) -> None:
        """Keep (hash, vector) pairs, in one transaction that outlives the process."""
        with self._db:
            self._db.executemany("replace into vectors(model, text_hash, vector, used) values (?, ?, ?, ?)",
                                 ((self._model, text_hash, vector, self._turn) for text_hash, vector in vectors))

    def retire(self, text_hashes: Iterable[bytes]) -> None:
        """Note that texts leave the wiki now; the longest gone are the first to be forgotten."""
        with self._db:
            self._db.executemany("update vectors set used = ? where model = ? and text_hash = ?",
                                 ((self._turn, self._model, text_hash) for text_hash in text_hashes))

    def retire_model(self, fingerprint: str) -> None:
        """The same for all texts, when the wiki leaves a model."""
        self._db.execute("update vectors set used = ? where model = ?", (self._turn, self._model_of(fingerprint)))

    def forget(self, in_use: Iterable[bytes]) -> None:
        """Drop the longest gone, but keep as many vectors beyond those in use as are in use, and at least SPARE."""
        with self._db:
            self._db.execute("create temp table if not exists in_use (text_hash blob primary key) without rowid")
            self._db.execute("delete from temp.in_use")
            self._db.executemany("insert or ignore into temp.in_use values (?)", ((text_hash,) for text_hash in in_use))
            keep = max(SPARE, self._db.execute("select count(*) from temp.in_use").get)
            self._db.execute(
                "delete from vectors where rowid in (select rowid from vectors "
                "where model <> ? or text_hash not in temp.in_use order by used desc, rowid desc limit -1 offset ?)",
                (self._model, keep))

    def __len__(self) -> int:
        """Vectors kept, of all models."""
        return self._db.execute("select count(*) from vectors").get

    def _model_of(self, fingerprint: str) -> int | None:
        return self._db.execute("select id from models where fingerprint = ?", (fingerprint,)).get
