"""Reads what scoring and telling need of a concept, without its body."""

import json
from collections.abc import Iterable
from typing import NamedTuple

import apsw


class Card(NamedTuple):
    """A concept in short."""

    title: str
    trust: str
    """Trust tier."""
    superseded: bool
    superseded_by: str | None
    superseded_at: str | None
    """As written, else the day the successor was generated (§7.7)."""
    stale_after: str | None

    def stale(self, today: str) -> bool:
        """Whether its stale_after has come, given an ISO date."""
        return self.stale_after is not None and self.stale_after[:10] <= today


_CARDS = """
select concept._path, concept.title, concept.trust_tier, concept.status = 'superseded', concept.superseded_by,
       coalesce(concept.superseded_at, substr(json_extract(successor.generated, '$.at'), 1, 10)), concept.stale_after
from json_each(?) as wanted join concepts as concept on concept._path = wanted.value
left join concepts as successor on successor._path = concept.superseded_by"""


def read_cards(paths: Iterable[str], con: apsw.Connection) -> dict[str, Card]:
    """Cards by concept path; a path that is no concept has none."""
    rows = con.execute(_CARDS, (json.dumps(sorted(paths)),))
    return {path: Card(title, trust, bool(superseded), by, at, stale_after)
            for path, title, trust, superseded, by, at, stale_after in rows}
