"""Renders timeline.md: every dated fact of the bundle, the newest last."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain, groupby, product
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

import apsw

from pipeline.escape import Safe, inline, link
from pipeline.views import digest, render, write

# Both directions of a fact are asserted, so a predicate and its inverse answer each other most of the time. From
# half of the time on, two that do so on one date are taken for one fact; below it, for a coincidence.
ANSWERED = 0.5

_PREPOSITIONS = ("_of", "_in", "_at", "_to", "_for", "_from", "_on", "_with")

# As text, a year sorts before its months and a month before its days.
_DATED = """
select date, subject_path, predicate, object_path, object_literal from edges
where date is not null order by date, subject_path, predicate, object_path, object_literal
"""

_USES = "select predicate, count(*) from edges where date is not null and object_path is not null group by predicate"

_CONCEPTS = """
select c._path, c.title, c.status, c.superseded_at, c.superseded_by, s.title
from concepts c left join concepts s on s._path = c.superseded_by
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


class Answered(NamedTuple):
    """Two concepts joined both ways on one date."""

    subject: str
    object: str
    there: list[str]
    """Predicates of the one about the other."""
    back: list[str]


def timeline(db: apsw.Connection, bundle: Path, templates: Path) -> str:
    """Writes timeline.md when its bytes change; returns the digest of what stands in it."""
    text = render(templates, "timeline.md", days=_days(db)).encode()
    write(bundle / "timeline.md", text)
    return digest(text)


def _days(db: apsw.Connection) -> Iterator[tuple[str, list[Fact]]]:
    """Dates in order, each with its facts; one that is asserted twice, from two sources, is one line."""
    ends = {row[0]: _end(*row) for row in db.execute(_CONCEPTS)}
    days = [(date, [edge for edge, _ in groupby(group)]) for date, group in groupby(db.execute(_DATED), key=itemgetter(0))]
    answered = [[*_answered(edges)] for _, edges in days]
    inverses = _inverses(db, chain.from_iterable(answered))
    for (date, edges), pairs in zip(days, answered):
        repeated = _repeated(pairs, inverses)
        yield date, [_fact(ends[subject], predicate, object, literal, ends)
                     for _, subject, predicate, object, literal in edges
                     if (subject, predicate, object) not in repeated]


def _end(path: str, title: str, status: str, at: str | None, by: str | None, successor: str | None) -> End:
    if status != "superseded":
        return End(link(title, path), Safe(""))
    by = (link(successor, by) if successor else inline(by)) if by else ""
    return End(link(title, path), Safe("superseded" + (f" by {by}" if by else "") + (f" as of {inline(at)}" if at else "")))


def _fact(subject: End, predicate: str, object: str | None, literal: str | None, ends: dict[str, End]) -> Fact:
    if object is None:
        value = Safe(inline(literal or ""))
    elif object in ends:
        value = ends[object].link
    else:
        value = Safe(f"{inline(object)} (not yet written)")
    return Fact(subject.link, predicate, value, subject.superseded)


def _answered(edges: list[tuple]) -> Iterator[Answered]:
    """Of the edges of one date, the pairs of concepts that are joined both ways."""
    if len(edges) == 1:
        return
    found: dict[tuple[str, str], list[str]] = {}
    for _, subject, predicate, object, _ in edges:
        if object is not None:
            found.setdefault((subject, object), []).append(predicate)
    for (subject, object), there in found.items():
        if subject < object and (back := found.get((object, subject))):
            yield Answered(subject, object, there, back)


def _inverses(db: apsw.Connection, pairs: Iterable[Answered]) -> dict[tuple[str, str], int]:
    """Pairs of predicates that answer each other often enough on one date, and how often they do."""
    uses = dict(db.execute(_USES))
    answers: dict[tuple[str, str], int] = defaultdict(int)
    for pair in pairs:
        for p, q in product(pair.there, pair.back):
            answers[p, q] += 1
            answers[q, p] += 1
    return {(p, q): count for (p, q), count in answers.items() if count >= ANSWERED * min(uses[p], uses[q])}


def _repeated(pairs: Iterable[Answered], inverses: dict[tuple[str, str], int]) -> set[tuple[str, str, str]]:
    """The edges of one date that another one tells from its object's side, as (subject, predicate, object)."""
    repeated: set[tuple[str, str, str]] = set()
    for subject, object, there, back in pairs:
        for p, q in _matches(there, back, inverses):
            first = _preference(p) <= _preference(q)
            repeated.add((object, q, subject) if first else (subject, p, object))
    return repeated


def _matches(there: list[str], back: list[str], inverses: dict[tuple[str, str], int]) -> Iterator[tuple[str, str]]:
    """Predicates there and back that tell one fact: matched one to one, the surest match first."""
    pairs = sorted((-inverses[pair], *pair) for pair in product(there, back) if pair in inverses)
    taken_there, taken_back = set(), set()
    for _, p, q in pairs:
        if p not in taken_there and q not in taken_back:
            taken_there.add(p)
            taken_back.add(q)
            yield p, q


@cache
def _preference(predicate: str) -> tuple[bool, bool, str]:
    """Which direction is told, least first: not `founded_by` but `founded`, not `member` but `member_of`."""
    return predicate.endswith("_by"), not predicate.endswith(_PREPOSITIONS), predicate
