"""Renders timeline.md: every dated fact of the bundle, the newest last.

What was rendered of each date is kept, so that an edit renders only the dates that it touches.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

import apsw

from pipeline.escape import Safe, inline, link
from pipeline.inverses import Answered, answered, inverses, repeated, tally
from pipeline.json_text import json_text
from pipeline.shown import prepare
from pipeline.views import digest, template, write

_NOTES = """
-- What all sections were rendered with: the template's digest, and the tally of all dates as JSON.
create table if not exists cache.rendered (template text not null, tally text not null);
create temp table if not exists stale (date text primary key) without rowid;
create temp table if not exists looks (path text primary key) without rowid;
delete from stale;
delete from looks;
"""
# A date is touched by a relation that bears it, and by concepts that look different there: as an end, or as a successor.
_TOUCHED = """
insert into looks select path from relooked
union select _path from concepts where exists (select 1 from relooked) and superseded_by in (select path from relooked);
insert into stale select date from retell
union select date from edges where date is not null and subject_path in looks
union select date from edges where date is not null and object_path in looks;
"""
_ALL, _STALE = "date is not null", "date in stale"
# As text, a year sorts before its months and a month before its days.
_DATED = """
select date, subject_path, predicate, object_path, object_literal from edges
where {} order by date, subject_path, predicate, object_path, object_literal
"""
_ENDS = """
select c._path, c.title, c.status, c.superseded_at, c.superseded_by, s.title
from concepts c left join concepts s on s._path = c.superseded_by where c._path in (select value from json_each(?))
"""


class End(NamedTuple):
    """A concept as the timeline shows it."""

    link: Safe
    superseded: Safe
    """By what it was superseded, and when; empty when it stands."""


class Fact(NamedTuple):
    """One line of the timeline, as markdown."""

    subject: Safe
    predicate: str
    object: Safe
    superseded: Safe


def timeline(db: apsw.Connection, bundle: Path, templates: Path) -> str:
    """Writes timeline.md when its bytes change; returns the digest of what stands in it."""
    form = template(templates, "timeline.md")
    with db:
        _tell(db, form.make_module({"sections": ()}).day, digest((templates / "timeline.md.j2").read_bytes()))
    sections = (Safe(text) for text, in db.execute("select text from sections order by date"))
    text = form.render(sections=sections).encode()
    write(bundle / "timeline.md", text)
    return digest(text)


def _tell(db: apsw.Connection, section, stamp: str) -> None:
    """Bring the sections in line with the edges; `section` renders one."""
    prepare(db)
    db.execute(_NOTES)
    stamped, counted = db.execute("select template, tally from rendered").fetchone() or ("", "[]")
    if stamped == stamp and db.execute("select exists (select 1 from sections)").get:
        db.execute(_TOUCHED)
        dates, before = _STALE, Counter({tuple(key): count for key, count in json.loads(counted)})
    else:
        dates, before = _ALL, Counter()
    edges, pairs, tallies = _read(db, dates)
    gone = chain.from_iterable(json.loads(text) for text, in db.execute("select tally from sections where date in stale"))
    now = before - Counter(map(tuple, gone)) + Counter(chain.from_iterable(tallies.values()))
    sure = inverses(now)
    if dates == _STALE and sure != inverses(before):
        dates = _ALL
        edges, pairs, tallies = _read(db, dates)
    db.execute(f"delete from sections where {dates}; delete from rendered; delete from retell; delete from relooked")
    db.executemany("insert into sections values (?, ?, ?)", (
        (date, section(date, facts), json_text(tallies[date])) for date, facts in _facts(db, edges, repeated(pairs, sure))))
    db.execute("insert into rendered values (?, ?)", (stamp, json_text(list(now.items()))))


def _read(db: apsw.Connection, dates: str) -> tuple[list[tuple], list[Answered], dict[str, list[tuple[str, ...]]]]:
    """The edges in order of date, the pairs of concepts that they join both ways, and the tally of each date.

    An edge that is asserted twice, from two sources, is one, but counts twice.
    """
    asserted = db.execute(_DATED.format(dates)).fetchall()
    edges = list(dict.fromkeys(asserted))
    pairs = list(answered(edges))
    return edges, pairs, tally(asserted, pairs)


def _facts(db: apsw.Connection, edges: list[tuple], twice: set[tuple]) -> Iterator[tuple[str, list[Fact]]]:
    """Each date with its facts; those told from the other end are left out."""
    ends = _ends(db, edges)
    for date, group in groupby((edge for edge in edges if edge[:4] not in twice), key=itemgetter(0)):
        yield date, [_fact(ends, *edge[1:]) for edge in group]


def _ends(db: apsw.Connection, edges: list[tuple]) -> dict[str, End]:
    """Concepts as the timeline shows them, by path; one that is not yet written is missing."""
    paths = {edge[1] for edge in edges} | {edge[3] for edge in edges}
    return {row[0]: _end(*row) for row in db.execute(_ENDS, (json_text(list(paths)),))}


def _end(path: str, title: str, status: str, at: str | None, by: str | None, successor: str | None) -> End:
    if status != "superseded":
        return End(link(title, path), Safe(""))
    by = (link(successor, by) if successor else inline(by)) if by else ""
    return End(link(title, path), Safe("superseded" + (f" by {by}" if by else "") + (f" as of {inline(at)}" if at else "")))


def _fact(ends: dict[str, End], subject: str, predicate: str, object: str | None, literal: str | None) -> Fact:
    if object is None:
        value = Safe(inline(literal or ""))
    elif end := ends.get(object):
        value = end.link
    else:
        value = Safe(f"{inline(object)} (not yet written)")
    return Fact(ends[subject].link, predicate, value, ends[subject].superseded)
