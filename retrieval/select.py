"""Chooses the facts that go into the block: best first, inside the room, nothing said twice."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from retrieval.model import Fact
from retrieval.serialize import FACTS, SOURCES, fact_line, fact_text
from retrieval.tokens import count

TRUST_ORDER = ("human-reviewed", "machine-confirmed", "unverified")
SHORTEST = 8
"""Tokens of the shortest fact line there is; less room than that, and the search ends."""


class Selection(NamedTuple):
    """Facts with their lines, and the sources they cite."""

    facts: tuple[Fact, ...] = ()
    """Best first, `text` filled in."""
    sources: tuple[str, ...] = ()
    """Source lines in the order of their first citation."""
    tokens: int = 0
    """What both cost in the block, their headings included."""


def told(facts: Sequence[Fact]) -> list[Fact]:
    """Facts with `text` filled in, in the order in which they are chosen; a stale one is left out when a fresh one says the same.

    Ties go to the better trust tier.
    """
    return [fact._replace(text=fact_text(fact)) for fact in sorted(_fresh(facts), key=_order)]


def select(facts: Sequence[Fact], room: int, cited: Mapping[tuple[str, str], str]) -> Selection:
    """The first of the told facts that fit into `room` tokens together with the source lines they cite.

    Where the best one does not fit none does: what fits instead would pass for the answer.
    """
    chosen: list[Fact] = []
    sources: list[str] = []
    spent = _line(FACTS) + 1
    for fact in facts:
        source = cited.get((fact.subject_path, fact.source or ""), "")
        cost = _line(fact_line(fact))
        if source and source not in sources:
            cost += _line(source) + (0 if sources else _line(SOURCES) + 1)
        if spent + cost > room:
            if not chosen or room - spent < SHORTEST:
                break
            continue
        spent += cost
        chosen.append(fact)
        if source and source not in sources:
            sources.append(source)
    return Selection(tuple(chosen), tuple(sources), spent) if chosen else Selection()


def _fresh(facts: Sequence[Fact]) -> list[Fact]:
    """Without the stale facts that a fresh one repeats."""
    fresh = {_saying(fact) for fact in facts if not fact.stale and not fact.superseded_by}
    return [fact for fact in facts if not fact.stale or _saying(fact) not in fresh]


def _saying(fact: Fact) -> tuple[str, str, str]:
    """What a fact says, whoever says it and since when."""
    return fact.subject_title.casefold(), fact.predicate, (fact.object_path or fact.object_literal or "").casefold()


def _order(fact: Fact) -> tuple[float, int, bool]:
    """Sorting is stable, so what ties here too stays in the order expansion gave it: by concept path."""
    trust = TRUST_ORDER.index(fact.trust) if fact.trust in TRUST_ORDER else len(TRUST_ORDER)
    return -fact.score, trust, fact.stale


def _line(text: str) -> int:
    return count(text) + 1
