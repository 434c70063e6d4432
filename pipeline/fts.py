"""Keeps the full-text indexes over concepts and over the pieces of long bodies, and the pieces themselves."""

from __future__ import annotations

import hashlib
import json

import apsw

from pipeline.pieces import Piece, pieces
from retrieval.segment import segment

_INSERT = "insert into concepts_fts(rowid, title, description, tags, body) values (?,?,?,?,?)"
_DELETE = "insert into concepts_fts(concepts_fts, rowid, title, description, tags, body) values ('delete',?,?,?,?,?)"


def fts(db: apsw.Connection) -> str:
    """Bring `concepts_fts`, `pieces` and `pieces_fts` in line with `concepts`; returns a digest of their content.

    `concepts_fts` keeps no text of its own, so it takes a row out only when shown the text it was given:
    that is what `retired` holds.
    """
    with db:
        for docid, *texts in db.execute("select * from retired").fetchall():
            db.execute(_DELETE, (docid, *_indexed_form(*texts)))
        db.execute("delete from retired")
        _drop_pieces(db)
        rows = db.execute(
            "select rowid, _path, title, description, tags, body, content_hash from concepts "
            "where _path not in (select path from indexed) order by _path")
        for docid, path, title, description, tags, body, content_hash in rows:
            db.execute(_INSERT, (docid, *_indexed_form(title, description, tags, body)))
            _add_pieces(db, path, title, body)
            db.execute("insert into indexed(path, docid, content_hash) values (?,?,?)", (path, docid, content_hash))
    return _digest(db)


def _indexed_form(title: str, description: str | None, tags: str, body: str) -> tuple[str, ...]:
    return tuple(segment(text) for text in (title, description or "", " ".join(json.loads(tags)), body))


def _drop_pieces(db: apsw.Connection) -> None:
    """Forget the pieces of concepts that changed or went; their full-text rows first, since they are found by id."""
    stale = "path not in (select path from indexed)"
    db.execute(f"delete from pieces_fts where rowid in (select id from pieces where {stale})")
    db.execute(f"delete from pieces where {stale}")


def _add_pieces(db: apsw.Connection, path: str, title: str, body: str) -> None:
    cuts = pieces(body) or [Piece("", 0, 0)]  # a blank body still has a title to embed
    db.executemany("insert into pieces(path, number, heading, start, stop) values (?,?,?,?,?)",
                   [(path, number, *cut) for number, cut in enumerate(cuts)])
    if len(cuts) > 1:
        first = db.last_insert_rowid() - len(cuts) + 1
        db.executemany("insert into pieces_fts(rowid, heading, text) values (?,?,?)",
                       [(first + number, segment(f"{title} {heading}"), segment(body[start:stop]))
                        for number, (heading, start, stop) in enumerate(cuts)])


def _digest(db: apsw.Connection) -> str:
    digest = hashlib.sha256()
    for row in db.execute("select path, content_hash from indexed order by path"):
        digest.update("\0".join(row).encode())
    return digest.hexdigest()
