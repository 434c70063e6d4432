"""Shares the budget between facts and prose, and makes the block of both."""

from typing import NamedTuple

import apsw

from retrieval.background import background
from retrieval.context import Passage
from retrieval.fit import Fit
from retrieval.model import Expansion, Fact
from retrieval.query import Query
from retrieval.select import select, told
from retrieval.serialize import no_room, serialize
from retrieval.settings import RetrievalSettings
from retrieval.sources import cite
from retrieval.tokens import count


class Block(NamedTuple):
    """What goes into the prompt, and its parts."""

    facts: tuple[Fact, ...]
    background: tuple[Passage, ...]
    tokens: int
    text: str


def compose(db: apsw.Connection, query: Query, fit: Fit, vector: bytes | None, expansion: Expansion,
            budget: int, settings: RetrievalSettings, notice: str = "") -> Block:
    """Facts up to their share, or the best one, then prose, then more facts into what the prose left; never over `budget`."""
    room = budget - (count(notice) + 2 if notice else 0)
    if room < 0:
        notice, room = "", budget
    cited = cite(db, expansion.facts)
    facts = told(expansion.facts)
    reserved = select(facts, int(room * settings.fact_share), cited)
    if not reserved.facts:
        reserved = select(told(expansion.facts[:1]), room, cited)
    passages = background(db, query, fit, vector, expansion.concepts, room - reserved.tokens)
    prose = serialize((), passages, ())
    chosen = select(facts, room - (count(prose) + 2 if prose else 0), cited)
    if notice and not chosen.facts and not passages:  # an answer without it is worth more than it without an answer
        return compose(db, query, fit, vector, expansion, budget, settings)
    text = serialize(chosen.facts, passages, chosen.sources, notice) or (no_room(budget) if expansion.facts else "")
    return Block(chosen.facts, passages, count(text), text)


def check_budget(budget: object) -> int:
    """A budget a caller gave, when it can be one. Raises ValueError."""
    if isinstance(budget, bool) or not isinstance(budget, int) or budget < 1:
        raise ValueError(f"The budget must be a whole number of tokens, at least 1, not {budget!r}.")
    return budget
