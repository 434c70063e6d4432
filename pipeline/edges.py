"""Turns relations and prose links as written into edges and links as understood, and names into a lookup.

Seed §11.2. A target that does not exist stays an edge: it may be knowledge not yet written (OKF §6.1).
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

import apsw

from pipeline.digest import digest_of
from pipeline.json_text import json_text
from pipeline.pages import rows_of_pages
from pipeline.paths import OutsideBundle, normalize
from retrieval.names import fold

# Concepts that are new, gone, or whose rows were written from other content.
_RENEWED = """
create temp table if not exists renewed (path text primary key) without rowid;
delete from renewed;
insert into renewed
select path from understood left join edged using (path) where edged.content_hash is not understood.content_hash
union select path from edged where path not in (select path from understood)
"""
_INDEXES = "select name, sql from main.sqlite_schema where type = 'index' and sql is not null and tbl_name in ('edges', 'links')"
_NAMES = """
select path, name from names where path in renewed
union all select path, '' from edged where path in renewed order by 1, 2
"""
_WIKILINKS = "select rowid, subject_path, target, object_path from links where target glob '[[][[]*' order by subject_path, line, target"


def edges(db: apsw.Connection) -> str:
    """Bring `edges`, `links` and `names` in line with `concepts`; returns a digest of their rows."""
    with db, _indexed_afterwards(db):
        db.execute(_RENEWED)
        names = db.execute(_NAMES).fetchall()
        for table, column in (("edges", "subject_path"), ("links", "subject_path"), ("names", "path"), ("edged", "path")):
            db.execute(f"delete from {table} where {column} in renewed")
        db.executemany("insert into names(path, name, kind) values (?,?,?)", rows_of_pages(db, "names", "renewed"))
        db.executemany("insert into edges(subject_path, predicate, object_path, object_literal, date, source_id, line) "
                       "values (?,?,?,?,?,?,?)", rows_of_pages(db, "edges", "renewed"))
        db.executemany("insert into links(subject_path, object_path, text, target, sentence, line) values (?,?,?,?,?,?)",
                       rows_of_pages(db, "links", "renewed"))
        db.execute("insert into edged(path, content_hash) select path, content_hash from understood where path in renewed")
        wikilinks = _resolve_wikilinks(db, everywhere=db.execute(_NAMES).fetchall() != names)
    return digest_of(db, "edged", "path", "content_hash", head=json_text(wikilinks))


@contextmanager
def _indexed_afterwards(db: apsw.Connection) -> Iterator[None]:
    """The first rows of all are indexed when they stand: sorting once costs less than keeping thousands sorted."""
    first = not db.execute("select exists (select 1 from edged)").get
    indexes = db.execute(_INDEXES).fetchall() if first else []
    for name, _ in indexes:
        db.execute(f"drop index {name}")
    yield
    for _, statement in indexes:
        db.execute(statement)


def _resolve_wikilinks(db: apsw.Connection, everywhere: bool) -> list[tuple[str, str, str | None]]:
    """Resolve `[[…]]` by path, then file name, then a title or alias that only one concept has.

    When the set of names has changed, links of unchanged pages may lead elsewhere, so all are resolved again. Returns
    every one with its page and where it leads.
    """
    links = db.execute(_WIKILINKS).fetchall()
    pending = [(rowid, page, target) for rowid, page, target, known in links if everywhere or known is None]
    resolved = _resolved(db, pending) if pending else {}
    db.executemany("update links set object_path = ?2 where rowid = ?1 and object_path is not ?2", resolved.items())
    return [(page, target, resolved.get(rowid, known)) for rowid, page, target, known in links]


def _resolved(db: apsw.Connection, pending: list[tuple[int, str, str]]) -> dict[int, str | None]:
    """Where wikilinks lead, by rowid."""
    paths = {row[0] for row in db.execute("select _path from concepts")}
    stems = defaultdict(list)
    for path in sorted(paths):
        stems[posixpath.basename(path).removesuffix(".md").casefold()].append(path)
    return {rowid: _wikilink(db, target[2:-2].partition("#")[0].strip(), page, paths, stems) for rowid, page, target in pending}


def _wikilink(db: apsw.Connection, target: str, page: str, paths: set[str], stems: dict[str, list[str]]) -> str | None:
    name = target if target.endswith(".md") else target + ".md"
    for folder in ("/", posixpath.dirname(page)):
        try:
            if (path := normalize(name, folder)) in paths:
                return path
        except OutsideBundle:
            pass
    by_stem = stems.get(target.removesuffix(".md").casefold(), []) if "/" not in target else []
    if len(by_stem) == 1:
        return by_stem[0]
    by_name = db.execute("select distinct path from names where name = ? limit 2", (fold(target),)).fetchall()
    return by_name[0][0] if len(by_name) == 1 else None
