"""Renders timeline.md: every dated fact of the bundle, the newest last.

What was rendered of each month is kept, so that an edit renders only the months that it touches. A part for each date
would have a first build call the template, and every build join what is kept, some ten times as often.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import chain, groupby
from pathlib import Path
from typing import NamedTuple

import apsw

from pipeline.escape import Safe, inline, link
from pipeline.inverses import Answered, answered, inverses, repeated, tally
from pipeline.json_text import json_text
from pipeline.shown import prepare
from pipeline.views import digest, template, write

_NOTES = """
-- What all sections were rendered with: the template's digest, and the tally of all edges as JSON.
create table if not exists cache.rendered (template text not null, tally text not null);
create temp table if not exists stale (month text primary key) without rowid;
create temp table if not exists looks (path text primary key) without rowid;
delete from stale;
delete from looks;
"""
# The month of a date, or its year when it names no month: a place for each date, in the order of the dates.
_MONTH = "substr(date, 1, 7)"
# A month is touched by a relation of its dates, and by concepts that look different there: as an end, or as a successor.
_TOUCHED = f"""
insert into looks select path from relooked
union select _path from concepts where exists (select 1 from relooked) and superseded_by in (select path from relooked);
insert into stale select {_MONTH} from retell
union select {_MONTH} from edges where date is not null and subject_path in looks
union select {_MONTH} from edges where date is not null and object_path in looks;
"""
_ALL, _STALE = "date is not null", f"{_MONTH} in stale"
# As text, a year sorts before its months and a month before its days.
_DATED = """
select date, subject_path, predicate, object_path, object_literal from edges
where {} order by date, subject_path, predicate, object_path, object_literal
"""
_ENDS = """
select c._path, c.title, c.status, c.superseded_at, c.superseded_by, s.title
from concepts c left join concepts s on s._path = c.superseded_by where c._path in (select value from json_each(?))
"""


class Ends(NamedTuple):
    """Concepts as the timeline shows them, by path; one that is not yet written is missing."""

    links: dict[str, Safe]
    superseded: dict[str, Safe]
    """By what, and when; a concept that stands is missing."""


class Fact(NamedTuple):
    """One line of the timeline: markdown, or text that the template escapes."""

    subject: Safe
    predicate: str
    object: Safe | str
    superseded: Safe | str
    """By what the subject was, and when; empty when it stands."""


class Month(NamedTuple):
    """The dated edges of a month, as rows (date, subject, predicate, object, literal)."""

    edges: list[tuple]
    """In order of date; an edge that is asserted twice, from two sources, is one."""
    pairs: list[Answered]
    """The concepts that they join both ways."""
    tally: list[tuple[str, ...]]
    """What they count for the inverses; an edge that is asserted twice counts twice."""


def timeline(db: apsw.Connection, bundle: Path, templates: Path) -> str:
    """Writes timeline.md when its bytes change; returns the digest of what stands in it."""
    form = template(templates, "timeline.md")
    with db:
        _tell(db, form.make_module({"sections": ()}).month, digest((templates / "timeline.md.j2").read_bytes()))
    sections = (Safe(text) for text, in db.execute("select text from sections order by month"))
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
        which, before = _STALE, Counter({tuple(key): count for key, count in json.loads(counted)})
    else:
        which, before = _ALL, Counter()
    months = _read(db, which)
    gone = chain.from_iterable(json.loads(text) for text, in db.execute("select tally from sections where month in stale"))
    now = before - Counter(map(tuple, gone)) + Counter(chain.from_iterable(month.tally for month in months.values()))
    sure = inverses(now)
    if which == _STALE and sure != inverses(before):
        which = _ALL
        months = _read(db, which)
    db.execute("delete from sections where month in stale" if which == _STALE else "delete from sections")
    db.execute("delete from rendered; delete from retell; delete from relooked")
    db.executemany("insert into sections values (?, ?, ?)", (
        (name, section(days.items()), json_text(months[name].tally)) for name, days in _days(db, months, sure)))
    db.execute("insert into rendered values (?, ?)", (stamp, json_text(list(now.items()))))


def _read(db: apsw.Connection, which: str) -> dict[str, Month]:
    """The months of the edges chosen, by name, in their order."""
    months = {}
    for name, group in groupby(db.execute(_DATED.format(which)), key=lambda edge: edge[0][:7]):
        asserted = list(group)
        edges = list(dict.fromkeys(asserted))
        pairs = list(answered(edges))
        months[name] = Month(edges, pairs, tally(asserted, pairs))
    return months


def _days(db: apsw.Connection, months: dict[str, Month], sure: list[tuple[str, str]]) -> Iterator[tuple[str, dict[str, list[Fact]]]]:
    """Each month with its facts by date; those told from the other end are left out."""
    ends = _ends(db, [edge for month in months.values() for edge in month.edges])
    twice = repeated([pair for month in months.values() for pair in month.pairs], sure)
    for name, month in months.items():
        days: dict[str, list[Fact]] = {}
        for edge in month.edges:
            if edge[:4] not in twice:
                days.setdefault(edge[0], []).append(_fact(ends, *edge[1:]))
        yield name, days


def _ends(db: apsw.Connection, edges: list[tuple]) -> Ends:
    paths = {edge[1] for edge in edges} | {edge[3] for edge in edges}
    ends = Ends({}, {})
    for path, title, status, at, by, successor in db.execute(_ENDS, (json_text(list(paths)),)):
        ends.links[path] = link(title, path)
        if status == "superseded":
            ends.superseded[path] = _superseded(at, by, successor)
    return ends


def _superseded(at: str | None, by: str | None, successor: str | None) -> Safe:
    by = (link(successor, by) if successor else inline(by)) if by else ""
    return Safe("superseded" + (f" by {by}" if by else "") + (f" as of {inline(at)}" if at else ""))


def _fact(ends: Ends, subject: str, predicate: str, object: str | None, literal: str | None) -> Fact:
    if object is None:
        value = literal or ""
    else:
        value = ends.links.get(object) or Safe(f"{inline(object)} (not yet written)")
    return Fact(ends.links[subject], predicate, value, ends.superseded.get(subject, ""))
