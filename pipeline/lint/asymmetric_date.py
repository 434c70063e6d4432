"""The two directions of a relation do not bear the same date.

A fact has one date, and the answer would give either. Only relations that AGENTS.md documents as each other's
inverse are compared. Two concepts may be related several times, at several dates: what is told are the dates that
stand on one side alone. Write the right date on both files, or add the line that is missing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from pipeline.lint.bundle import LintBundle, Remark
from pipeline.lint.vocabulary import Vocabulary
from pipeline.scalars import flow

ID = "asymmetric-date"
LEVEL = "error"


class Direction(NamedTuple):
    """One relation between two concepts, as one of them states it."""

    path: str
    object: str
    predicate: str
    date: str
    """ISO 8601; empty when there is none."""
    line: int


def check(bundle: LintBundle) -> Iterator[Remark]:
    rows = bundle.db.execute("""
        select min(subject_path, object_path), max(subject_path, object_path),
               subject_path, object_path, predicate, coalesce(date, ''), line
        from edges where object_path <> subject_path order by 1, 2, date, subject_path, predicate, line""")
    for (first, _), group in groupby(rows, key=lambda row: row[:2]):
        directions = [Direction(*row[2:]) for row in group]
        if len({one.date for one in directions}) > 1:
            there = [one for one in directions if one.path == first]
            back = [one for one in directions if one.path != first]
            yield from _unlike(_alone(there, back, bundle.vocabulary), _alone(back, there, bundle.vocabulary), bundle.vocabulary)


def _alone(these: list[Direction], others: list[Direction], vocabulary: Vocabulary) -> list[Direction]:
    """Those that are answered, but at none of the answers' dates."""
    alone = []
    for one in these:
        answers = [other for other in others if vocabulary.is_pair(one.predicate, other.predicate)]
        if answers and one.date not in {other.date for other in answers}:
            alone.append(one)
    return alone


def _unlike(there: list[Direction], back: list[Direction], vocabulary: Vocabulary) -> Iterator[Remark]:
    """What to tell of the relations that stand alone: of two that answer each other, once; of the others, what is missing."""
    for one in there:
        other = next((other for other in back if vocabulary.is_pair(one.predicate, other.predicate)), None)
        if other:
            back.remove(other)
            yield _differing(one, other) if one.date else _differing(other, one)
        else:
            yield from _missing(one, vocabulary)
    for one in back:
        yield from _missing(one, vocabulary)


def _differing(one: Direction, other: Direction) -> Remark:
    if not other.date:
        return Remark(other.path, f"{other.predicate} has no date, but {one.predicate} in {one.path} has; "
                                  f"add here: {flow({'date': one.date})[2:-2]}", "relations", other.line)
    return Remark(one.path, f"{one.predicate} is dated {one.date}, but {other.predicate} in {other.path} is dated {other.date}; "
                            "write the same date on both", "relations", one.line)


def _missing(one: Direction, vocabulary: Vocabulary) -> Iterator[Remark]:
    """An undated relation beside dated ones says nothing that they do not."""
    if one.date:
        inverse = min(vocabulary.inverses.get(one.predicate) or [f"<the inverse of {one.predicate}>"])
        entry = flow({"predicate": inverse, "object": one.path, "date": one.date})
        yield Remark(one.path, f"{one.predicate} is not answered at {one.date}; add to {one.object}: - {entry}", "relations", one.line)
