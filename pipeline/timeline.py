"""Renders timeline.md: every dated fact of the bundle, the newest last.

What was rendered of each date is kept, so that an edit renders only the dates that it touches.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import groupby, product
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

import apsw

from pipeline.escape import Safe, inline, link
from pipeline.inverses import Answered, answered, inverses, repeated
from pipeline.shown import prepare
from pipeline.views import digest, template, write

_TOLD = """
-- How often two predicates answered each other on each date.
create table if not exists cache.answers (date text, there text, back text, count integer, primary key (date, there, back)) without rowid;
-- What all sections were rendered with: the template's digest, and the inverses as JSON.
create table if not exists cache.told_with (template text not null, inverses text not null);
create temp table if not exists stale (date text primary key) without rowid;
create temp table if not exists looks (path text primary key) without rowid;
delete from stale;
delete from looks;
"""
_ALL = "insert or ignore into stale select date from edges where date is not null union select date from told"
# A date is touched by a relation that bears it, and by concepts that look different there: as an end, or as a successor.
_TOUCHED = """
insert into looks select path from relooked
union select _path from concepts where exists (select 1 from relooked) and superseded_by in (select path from relooked);
insert into stale select date from retell
union select date from edges where date is not null and subject_path in looks
union select date from edges where date is not null and object_path in looks;
"""
# As text, a year sorts before its months and a month before its days.
_DATED = """
select date, subject_path, predicate, object_path, object_literal from edges
where date in stale order by date, subject_path, predicate, object_path, object_literal
"""
_USES = "select predicate, count(*) from edges where date is not null and object_path is not null group by predicate"
_ANSWERS = "select there, back, sum(count) from answers group by there, back"
_END = """
select c._path, c.title, c.status, c.superseded_at, c.superseded_by, s.title
from concepts c left join concepts s on s._path = c.superseded_by where c._path = ?
"""


class Day(NamedTuple):
    """What the edges of one date say."""

    date: str
    edges: list[tuple]
    """Each once: (date, subject, predicate, object, literal)."""
    pairs: list[Answered]


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
    sections = (Safe(text) for text, in db.execute("select text from told order by date"))
    text = form.render(sections=sections).encode()
    write(bundle / "timeline.md", text)
    return digest(text)


def _tell(db: apsw.Connection, section, stamp: str) -> None:
    """Bring the sections in line with the edges; `section` renders one."""
    prepare(db)
    db.execute(_TOLD)
    before = db.execute("select template, inverses from told_with").fetchone() or ("", "")
    known = before[0] == stamp and db.execute("select exists (select 1 from told)").get
    db.execute(_TOUCHED if known else _ALL)
    days = _days(db)
    _answer(db, days)
    sure = inverses(dict(db.execute(_USES)), {(p, q): count for p, q, count in db.execute(_ANSWERS)})
    now = stamp, json.dumps(sure)
    if known and before != now:
        db.execute(_ALL)
        days = _days(db)
    db.execute("delete from told where date in stale; delete from told_with; delete from retell; delete from relooked")
    db.executemany("insert into told values (?, ?)", ((day.date, section(day.date, facts)) for day, facts in _facts(db, days, sure)))
    db.execute("insert into told_with values (?, ?)", now)


def _days(db: apsw.Connection) -> list[Day]:
    """The stale dates in order; an edge that is asserted twice, from two sources, counts once."""
    days = []
    for date, group in groupby(db.execute(_DATED), key=itemgetter(0)):
        edges = [edge for edge, _ in groupby(group)]
        days.append(Day(date, edges, list(answered(edges)) if len(edges) > 1 else []))
    return days


def _answer(db: apsw.Connection, days: list[Day]) -> None:
    """Count anew how often predicates answer each other on the stale dates."""
    db.execute("delete from answers where date in stale")
    for day in days:
        counts: Counter[tuple[str, str]] = Counter()
        for pair in day.pairs:
            counts.update(product(pair.there, pair.back))
            counts.update(product(pair.back, pair.there))
        db.executemany("insert into answers values (?, ?, ?, ?)", [(day.date, *pair, count) for pair, count in counts.items()])


def _facts(db: apsw.Connection, days: list[Day], sure: list[tuple[str, str]]) -> Iterator[tuple[Day, list[Fact]]]:
    """Each day with its facts; one that is told from both ends is one fact."""
    ranks = {pair: rank for rank, pair in enumerate(sure)}
    ends = _Ends(db)
    for day in days:
        twice = repeated(day.pairs, ranks)
        yield day, [_fact(ends, *edge[1:]) for edge in day.edges if edge[1:4] not in twice]


class _Ends(dict):
    """Concepts as the timeline shows them, by path, each looked up once; None for one that is not yet written."""

    def __init__(self, db: apsw.Connection) -> None:
        self._db = db

    def __missing__(self, path: str) -> End | None:
        row = self._db.execute(_END, (path,)).fetchone()
        self[path] = end = _end(*row) if row else None
        return end


def _end(path: str, title: str, status: str, at: str | None, by: str | None, successor: str | None) -> End:
    if status != "superseded":
        return End(link(title, path), Safe(""))
    by = (link(successor, by) if successor else inline(by)) if by else ""
    return End(link(title, path), Safe("superseded" + (f" by {by}" if by else "") + (f" as of {inline(at)}" if at else "")))


def _fact(ends: _Ends, subject: str, predicate: str, object: str | None, literal: str | None) -> Fact:
    if object is None:
        value = Safe(inline(literal or ""))
    elif end := ends[object]:
        value = end.link
    else:
        value = Safe(f"{inline(object)} (not yet written)")
    return Fact(ends[subject].link, predicate, value, ends[subject].superseded)
