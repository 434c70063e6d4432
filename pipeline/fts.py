"""Keeps the full-text index over the concepts, and the pieces of their bodies."""

from __future__ import annotations

from itertools import starmap

import apsw
import orjson

from pipeline.digest import digest_of
from pipeline.pages import rows_of_pages
from retrieval.segment import segment

# Concepts that do not stand in the index. They are joined by a `cross join`, which goes through these few and not through all.
_MISSING = """
create temp table if not exists missing (path text primary key) without rowid;
delete from missing;
insert into missing select path from understood except select path from indexed
"""
_INSERT = "insert into concepts_fts(rowid, title, description, tags, body) values (?,?,?,?,?)"
_DELETE = "insert into concepts_fts(concepts_fts, rowid, title, description, tags, body) values ('delete',?,?,?,?,?)"
_TEXTS = "select rowid, title, description, tags, body from missing cross join concepts on _path = path order by path"


def fts(db: apsw.Connection) -> str:
    """Bring `concepts_fts` and `pieces` in line with `concepts`; returns a digest of their content.

    `concepts_fts` keeps no text of its own, so it takes a row out only when shown the text it was given:
    that is what `retired` holds.
    """
    with db:
        for row in db.execute("select * from retired").fetchall():
            db.execute(_DELETE, _indexed_form(*row))
        db.execute("delete from retired")
        db.execute("delete from pieces where path in (select path from pieces where number = 0 except select path from indexed)")
        db.execute(_MISSING)
        db.executemany(_INSERT, starmap(_indexed_form, db.execute(_TEXTS)))
        db.executemany("insert into pieces(path, number, heading, start, stop) values (?,?,?,?,?)", rows_of_pages(db, "pieces", "missing"))
        db.execute("insert into indexed(path, docid, content_hash) "
                   "select path, rowid, content_hash from missing cross join concepts on _path = path")
    return digest_of(db, "indexed", "path", "content_hash")


def _indexed_form(docid: int, title: str, description: str | None, tags: str, body: str) -> tuple[int, str, str, str, str]:
    """A row of `concepts_fts`."""
    return docid, segment(title), segment(description or ""), segment(" ".join(orjson.loads(tags))), segment(body)
