"""Tells which dated facts are told twice, from either end: `founded` and `founded_by` of one pair on one date."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from typing import NamedTuple

# Both directions of a fact are asserted, so a predicate and its inverse answer each other most of the time. From
# half of the time on, two that do so on one date are taken for one fact; below it, for a coincidence.
ANSWERED = 0.5

_PREPOSITIONS = ("_of", "_in", "_at", "_to", "_for", "_from", "_on", "_with")


class Answered(NamedTuple):
    """Two concepts that are joined both ways on one date."""

    date: str
    subject: str
    object: str
    there: tuple[str, ...]
    """Predicates of the one about the other."""
    back: tuple[str, ...]


def answered(edges: Iterable[tuple]) -> Iterator[Answered]:
    """The pairs of concepts that edges (date, subject, predicate, object, literal) of one date join both ways."""
    found: dict[tuple[str, str, str], tuple[str, ...]] = {}
    for date, subject, predicate, object, _ in edges:
        if object is not None:
            ends = date, subject, object
            found[ends] = found.get(ends, ()) + (predicate,)
    for (date, subject, object), there in found.items():
        if subject < object and (back := found.get((date, object, subject))):
            yield Answered(date, subject, object, there, back)


def tally(edges: Iterable[tuple], pairs: Iterable[Answered]) -> list[tuple[str, ...]]:
    """What counts for the inverses: each use of a predicate, as (predicate,), and each time that two answer each other,
    as (there, back)."""
    uses = [(predicate,) for _, _, predicate, object, _ in edges if object is not None]
    return uses + [answer for _, _, _, there, back in pairs for answer in product(there, back)]


def inverses(tallied: Counter[tuple[str, ...]]) -> list[tuple[str, str]]:
    """The pairs of predicates that answer each other often enough, the surest first; each in both directions."""
    answers = Counter()
    for pair, count in tallied.items():
        if len(pair) == 2:
            answers[pair] += count
            answers[pair[::-1]] += count
    sure = [(p, q) for (p, q), count in answers.items() if count >= ANSWERED * min(tallied[p,], tallied[q,])]
    return sorted(sure, key=lambda pair: (-answers[pair], pair))


def repeated(pairs: Iterable[Answered], sure: list[tuple[str, str]]) -> set[tuple[str, str, str, str]]:
    """The edges that another one tells from its object's side, as (date, subject, predicate, object).

    `sure` are the inverses, the surest first.
    """
    ranks = {pair: rank for rank, pair in enumerate(sure)}
    matches = cache(lambda there, back: list(_matches(there, back, ranks)))  # many pairs, but few predicates to tell apart
    found: set[tuple[str, str, str, str]] = set()
    for date, subject, object, there, back in pairs:
        for p, q in matches(there, back):
            first = _preference(p) <= _preference(q)
            found.add((date, object, q, subject) if first else (date, subject, p, object))
    return found


def _matches(there: Iterable[str], back: Iterable[str], ranks: dict[tuple[str, str], int]) -> Iterator[tuple[str, str]]:
    """Predicates there and back that tell one fact: matched one to one, the surest match first."""
    taken_there, taken_back = set(), set()
    for p, q in sorted(filter(ranks.__contains__, product(there, back)), key=ranks.__getitem__):
        if p not in taken_there and q not in taken_back:
            taken_there.add(p)
            taken_back.add(q)
            yield p, q


@cache
def _preference(predicate: str) -> tuple[bool, bool, str]:
    """Which direction is told, least first: not `founded_by` but `founded`, not `member` but `member_of`."""
    return predicate.endswith("_by"), not predicate.endswith(_PREPOSITIONS), predicate
