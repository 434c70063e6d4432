"""Brings the concepts in line with the pages: rows for what is understood; tells the findings of what is not."""

from __future__ import annotations

import json
from collections.abc import Iterator

import apsw

from pipeline.digest import digest_of
from pipeline.model import Finding
from pipeline.shown import watch


def validate(db: apsw.Connection) -> str:
    """Bring `concepts` and `files` in line with the page cache; returns a digest of the rows.

    A `cross join` keeps its order: SQLite, which does not know that little has changed, would read all pages.
    """
    with db:
        watch(db)
        _mark_changed(db)
        _retire(db)
        for table, column in (("concepts", "_path"), ("understood", "path")):
            db.execute(f"delete from {table} where {column} in (select path from outdated where path not in (select _path from pages))")
        _write(db)
        db.execute("replace into understood(path, content_hash, parse_error) "
                   "select path, content_hash, ifnull(parse_error, '') from changed cross join pages on _path = path")
        db.execute("delete from files where path in gone")
        db.execute("replace into files select s.path, s.size, s.mtime_ns, s.content_hash from seen s left join files f on f.path = s.path "
                   "where (f.size, f.mtime_ns, f.content_hash) is not (s.size, s.mtime_ns, s.content_hash)")
    return digest_of(db, "understood", "path", "content_hash", "parse_error")


def _write(db: apsw.Connection) -> None:
    """Bring the rows of the changed files in line; a concept keeps its rowid, by which the full-text index knows it."""
    columns = [name for _, name, *_ in db.execute("pragma main.table_info(concepts)")]
    renewed = ", ".join(f"{name} = excluded.{name}" for name in columns)
    db.execute(f"insert into concepts({', '.join(columns)}) select {', '.join(columns)} from changed cross join pages on _path = path "
               f"where true order by path on conflict (_path) do update set {renewed}")


def findings(db: apsw.Connection) -> list[Finding]:
    """All that is to be told of the files, in order of path and line."""
    return sorted([*(Finding(**json.loads(row[0])) for row in db.execute("select finding from findings")), *_case_twins(db)])


def broken(db: apsw.Connection) -> list[str]:
    """The files that have errors, as findings name them."""
    return [path for path, in db.execute(
        "select distinct finding ->> 'path' from findings where finding ->> 'level' = 'error' order by 1")]


def _case_twins(db: apsw.Connection) -> Iterator[Finding]:
    """Names that differ in case alone: two files here, one where the file system does not tell them apart."""
    paths = [path for path, in db.execute("select path from seen order by path")]
    if len(set(map(str.casefold, paths))) == len(paths):
        return
    first: dict[str, str] = {}
    for path in paths:
        twin = first.setdefault(path.casefold(), path)
        if twin != path:
            yield Finding(path.lstrip("/"), 0, "case-twin", "warning", "", f"differs from {twin} in case alone, and many systems keep only one of the two")


def _mark_changed(db: apsw.Connection) -> None:
    """List the files that are new, or read otherwise than when they were last validated; those that are gone; and of both
    the ones whose concept says something else than before, or is none any more."""
    for table in ("changed", "gone", "outdated"):
        db.execute(f"create temp table if not exists {table} (path text primary key) without rowid; delete from {table}")
    db.execute("insert into gone select path from files except select path from seen")
    db.execute("insert into changed select s.path from seen s left join files f on f.path = s.path "
               "where f.path is null or f.content_hash <> s.content_hash or s.problem <> ''")
    db.execute("insert into outdated select path from gone union select path from changed left join understood u using (path) "
               "where u.content_hash is not (select p.content_hash from pages p where p._path = path)")


def _retire(db: apsw.Connection) -> None:
    """Keep the text of rows about to change until the full-text stage has taken it out of its index."""
    db.execute("insert into retired select i.docid, c.title, c.description, c.tags, c.body "
               "from outdated cross join indexed i using (path) cross join concepts c on c._path = path")
    db.execute("delete from indexed where path in outdated")
