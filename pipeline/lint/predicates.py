"""Where and how often each predicate is used."""

from __future__ import annotations

from typing import NamedTuple

import apsw


class Use(NamedTuple):
    """A predicate's use in a bundle."""

    path: str
    """Concept path of the first file that uses it."""
    line: int
    """Line of its first use there."""
    count: int
    """How many relations bear it."""


def first_uses(db: apsw.Connection) -> dict[str, Use]:
    """Every predicate in use, in alphabetical order."""
    rows = db.execute("""
        select predicate, path, min(line), total from (
          select predicate, subject_path as path, line,
                 min(subject_path) over (partition by predicate) as first, count(*) over (partition by predicate) as total
          from edges)
        where path = first group by predicate order by predicate""")
    return {predicate: Use(*use) for predicate, *use in rows}
