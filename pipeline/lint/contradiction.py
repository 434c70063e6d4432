"""One subject and one predicate with different objects, by different sources, and no dates that explain it.

Two dated facts of different dates are a history, not a contradiction. Predicates that hold several objects at one
time belong into `multi_valued` of wiki.yaml. Otherwise weigh the sources: correct one, date both, or supersede.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, groupby
from typing import NamedTuple

from pipeline.lint.bundle import LintBundle, Remark

ID = "contradiction"
LEVEL = "warning"

MULTI_VALUED = frozenset({"has_part", "has_member", "member_of", "related_to", "see_also"})
"""Predicates that hold several objects in any bundle."""
_COMPARED = 60
"""Objects of one subject and predicate that are compared, so that a hub does not cost its square."""


class Claim(NamedTuple):
    """What one relation says of its subject and predicate."""

    object: str
    source: str | None
    date: str | None
    line: int

    def contradicts(self, other: Claim) -> bool:
        return self.object != other.object and self.source != other.source and not self._is_apart(other)

    def _is_apart(self, other: Claim) -> bool:
        """Whether both are dated, and differently: 2021 and 2021-01-20 may be the same day."""
        return bool(self.date and other.date) and not (self.date.startswith(other.date) or other.date.startswith(self.date))


def check(bundle: LintBundle) -> Iterator[Remark]:
    exempt = MULTI_VALUED.union(bundle.multi_valued)
    rows = bundle.db.execute("""
        select subject_path, predicate, coalesce(object_path, object_literal), source_id, date, line
        from edges order by subject_path, predicate, line, 3, 4, 5""")
    for (path, predicate), group in groupby(rows, key=lambda row: row[:2]):
        claims = [Claim(*row[2:]) for row in group]
        if len(claims) < 2 or predicate in exempt:
            continue
        for one, other in combinations(claims[:_COMPARED], 2):
            if one.contradicts(other):
                yield Remark(path, f"{predicate} is {_cited(one)} and {_cited(other)}", "relations", other.line)
                break


def _cited(claim: Claim) -> str:
    since = f" as of {claim.date}" if claim.date else ""
    return f"{claim.object}{since} by {claim.source}" if claim.source else f"{claim.object}{since} without a source"
