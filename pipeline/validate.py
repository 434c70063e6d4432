"""Brings the concepts in line with the pages: rows for what is understood, findings for what is not."""

from __future__ import annotations

import json
from collections.abc import Iterator

import apsw

from pipeline.digest import digest_of
from pipeline.json_text import json_text
from pipeline.model import Concept, Finding
from pipeline.parse import load_page
from pipeline.shown import watch
from pipeline.understand import understand
from retrieval.files import LINKED_FOLDER


def validate(db: apsw.Connection) -> str:
    """Bring `concepts` and `files` in line with the cached pages; findings replace those of the same files.

    A file that no longer parses keeps its last good row, marked in `parse_error`. Returns a digest of the rows.
    """
    with db:
        watch(db)
        _mark_changed(db)
        _retire(db)
        for table, column in (("findings", "path"), ("understood", "path"), ("files", "path"), ("concepts", "_path")):
            db.execute(f"delete from {table} where {column} in gone")
        db.execute("delete from findings where path in (select path from changed)")
        for path, problem in db.execute("select path, problem from changed where problem <> '' order by path"):
            _renew(db, path, None, (_unreadable(path, problem),))
        for columns in db.execute("select path, p.content_hash, p.frontmatter, p.lines, p.body, p.faults "
                                  "from changed join pages p using (path) where problem = '' order by path"):
            _renew(db, columns[0], *understand(load_page(*columns)))
        db.execute("replace into files select s.path, s.size, s.mtime_ns, s.content_hash from seen s left join files f on f.path = s.path "
                   "where (f.size, f.mtime_ns, f.content_hash) is not (s.size, s.mtime_ns, s.content_hash)")
    return digest_of(db, "understood", "path", "content_hash", "parse_error")


def findings(db: apsw.Connection) -> list[Finding]:
    """All findings of the last validation, in order of path and line."""
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
    """List the files that are new, or read otherwise than when they were last validated, and those that are gone."""
    db.execute("create temp table if not exists changed (path text primary key, problem text); delete from changed;"
               "create temp table if not exists gone (path text primary key) without rowid; delete from gone")
    db.execute("insert into gone select path from files except select path from seen")
    db.execute("insert into changed select s.path, s.problem from seen s left join files f on f.path = s.path "
               "where f.path is null or f.content_hash <> s.content_hash or s.problem <> ''")


def _retire(db: apsw.Connection) -> None:
    """Keep the text of rows about to change until the full-text stage has taken it out of its index."""
    leaving = "(select path from changed union all select path from gone)"
    db.execute("insert into retired select i.docid, c.title, c.description, c.tags, c.body "
               f"from indexed i join concepts c on c._path = i.path where i.path in {leaving}")
    db.execute(f"delete from indexed where path in {leaving}")


def _unreadable(path: str, problem: str) -> Finding:
    return Finding(path.lstrip("/"), 0, "unreadable", "warning" if problem == LINKED_FOLDER else "error", "", problem)


def _renew(db: apsw.Connection, path: str, concept: Concept | None, found: tuple[Finding, ...]) -> None:
    """Replace what is known of one file."""
    if found:
        db.executemany("insert into findings(path, finding) values (?, ?)",
                       [(path, json_text(finding.to_dict())) for finding in found])
    if concept is not None:
        _write(db, concept)
        db.execute("replace into understood(path, content_hash, parse_error, lines) values (?, ?, '', ?)",
                   (path, concept.content_hash, json_text([r.line for r in concept.relations])))
    elif reasons := [finding for finding in found if finding.level == "error"]:
        db.execute("update concepts set parse_error = :why where _path = :path; update understood set parse_error = :why where path = :path",
                   {"why": reasons[0].message, "path": path})
    else:
        db.execute("delete from concepts where _path = :path; delete from understood where path = :path", {"path": path})


def _write(db: apsw.Connection, concept: Concept) -> None:
    db.execute(
        "insert into concepts(_path, type, title, description, tags, aliases, sources, relations, generated, verified, "
        "trust_tier, status, stale_after, superseded_by, superseded_at, supersedes, extra, body, content_hash, parse_error) "
        "values (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,null) on conflict (_path) do update set "
        "type=excluded.type, title=excluded.title, description=excluded.description, tags=excluded.tags, "
        "aliases=excluded.aliases, sources=excluded.sources, relations=excluded.relations, generated=excluded.generated, "
        "verified=excluded.verified, trust_tier=excluded.trust_tier, status=excluded.status, stale_after=excluded.stale_after, "
        "superseded_by=excluded.superseded_by, superseded_at=excluded.superseded_at, supersedes=excluded.supersedes, "
        "extra=excluded.extra, body=excluded.body, content_hash=excluded.content_hash, parse_error=null",
        (concept.path, concept.type, concept.title, concept.description, json_text(concept.tags), json_text(concept.aliases),
         json_text(concept.sources), json_text([relation.to_dict() for relation in concept.relations]),
         json_text(concept.generated) if concept.generated else None, json_text(concept.verified), concept.trust_tier, concept.status,
         concept.stale_after, concept.superseded_by, concept.superseded_at, json_text(concept.supersedes), json_text(concept.extra),
         concept.body, concept.content_hash))
