"""Keeps the full-text index over the concepts, and the pieces of their bodies."""

from __future__ import annotations

import json
from collections.abc import Iterator

import apsw

from pipeline.digest import digest_of
from pipeline.pieces import Piece, pieces
from retrieval.segment import segment

_INSERT = "insert into concepts_fts(rowid, title, description, tags, body) values (?,?,?,?,?)"
_DELETE = "insert into concepts_fts(concepts_fts, rowid, title, description, tags, body) values ('delete',?,?,?,?,?)"


def fts(db: apsw.Connection) -> str:
    """Bring `concepts_fts` and `pieces` in line with `concepts`; returns a digest of their content.

    `concepts_fts` keeps no text of its own, so it takes a row out only when shown the text it was given:
    that is what `retired` holds.
    """
    with db:
        for docid, *texts in db.execute("select * from retired").fetchall():
            db.execute(_DELETE, (docid, *_indexed_form(*texts)))
        db.execute("delete from retired")
        db.execute("delete from pieces where path in (select path from pieces where number = 0 except select path from indexed)")
        new = db.execute("select _path from concepts except select path from indexed order by _path").fetchall()
        db.executemany(_INSERT, _texts(db, new))
        db.executemany("insert into pieces(path, number, heading, start, stop) values (?,?,?,?,?)", _cuts(db, new))
        db.executemany("insert into indexed(path, docid, content_hash) "
                       "select _path, rowid, content_hash from concepts where _path = ?", new)
    return digest_of(db, "indexed", "path", "content_hash")


def _indexed_form(title: str, description: str | None, tags: str, body: str) -> tuple[str, ...]:
    return tuple(segment(text) for text in (title, description or "", " ".join(json.loads(tags)), body))


def _texts(db: apsw.Connection, new: list[tuple[str]]) -> Iterator[tuple]:
    """Rows of `concepts_fts`."""
    for docid, *texts in db.executemany("select rowid, title, description, tags, body from concepts where _path = ?", new):
        yield docid, *_indexed_form(*texts)


def _cuts(db: apsw.Connection, new: list[tuple[str]]) -> Iterator[tuple]:
    """Rows of `pieces`; a blank body is one too, since its title is embedded."""
    for path, body in db.executemany("select _path, body from concepts where _path = ?", new):
        for number, cut in enumerate(pieces(body) or [Piece("", 0, 0)]):
            yield path, number, *cut
