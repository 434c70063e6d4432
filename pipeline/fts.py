"""Keeps the full-text indexes over concepts and over the pieces of long bodies, and the pieces themselves."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

import apsw

from pipeline.digest import digest_of
from pipeline.pieces import Piece, pieces
from retrieval.segment import segment

_INSERT = "insert into concepts_fts(rowid, title, description, tags, body) values (?,?,?,?,?)"
_DELETE = "insert into concepts_fts(concepts_fts, rowid, title, description, tags, body) values ('delete',?,?,?,?,?)"


def fts(db: apsw.Connection) -> str:
    """Bring `concepts_fts`, `pieces` and `pieces_fts` in line with `concepts`; returns a digest of their content.

    `concepts_fts` keeps no text of its own, so it takes a row out only when shown the text it was given:
    that is what `retired` holds.

    One table is filled after the other: an index that grows is touched all over, and two that grow by turns push each
    other out of the processor's cache, which was measured to cost a third more.
    """
    with db:
        for docid, *texts in db.execute("select * from retired").fetchall():
            db.execute(_DELETE, (docid, *_indexed_form(*texts)))
        db.execute("delete from retired")
        _drop_pieces(db)
        new = db.execute("select _path from concepts except select path from indexed order by _path").fetchall()
        db.executemany(_INSERT, _texts(db, new))
        db.executemany("insert into pieces(path, number, heading, start, stop) values (?,?,?,?,?)", _cuts(db, new))
        db.executemany("insert into pieces_fts(rowid, heading, text) values (?,?,?)", _passages(db, new))
        db.executemany("insert into indexed(path, docid, content_hash) "
                       "select _path, rowid, content_hash from concepts where _path = ?", new)
    return digest_of(db, "indexed", "path", "content_hash")


def _indexed_form(title: str, description: str | None, tags: str, body: str) -> tuple[str, ...]:
    return tuple(segment(text) for text in (title, description or "", " ".join(json.loads(tags)), body))


def _drop_pieces(db: apsw.Connection) -> None:
    """Forget the pieces of concepts that changed or went; their full-text rows first, since they are found by id."""
    stale = db.execute("select path from pieces where number = 0 except select path from indexed").fetchall()
    db.executemany("delete from pieces_fts where rowid in (select id from pieces where path = ?)", stale)
    db.executemany("delete from pieces where path = ?", stale)


def _texts(db: apsw.Connection, new: list[tuple[str]]) -> Iterator[tuple]:
    """Rows of `concepts_fts`."""
    for docid, *texts in db.executemany("select rowid, title, description, tags, body from concepts where _path = ?", new):
        yield docid, *_indexed_form(*texts)


def _cuts(db: apsw.Connection, new: list[tuple[str]]) -> Iterator[tuple]:
    """Rows of `pieces`; a blank body is one too, since its title is embedded."""
    for path, body in db.executemany("select _path, body from concepts where _path = ?", new):
        for number, cut in enumerate(pieces(body) or [Piece("", 0, 0)]):
            yield path, number, *cut


def _passages(db: apsw.Connection, new: list[tuple[str]]) -> Iterator[tuple]:
    """Rows of `pieces_fts`, once `pieces` is filled: for bodies of more than one."""
    concepts = db.executemany("select title, body from concepts where _path = ?", new)
    cuts = db.executemany("select path, id, heading, start, stop from pieces where path = ? order by number", new)
    for (title, body), (_, rows) in zip(concepts, groupby(cuts, itemgetter(0))):
        rows = list(rows)
        if len(rows) > 1:
            for _, piece, heading, start, stop in rows:
                yield piece, segment(f"{title} {heading}"), segment(body[start:stop])
