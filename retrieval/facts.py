"""Makes a list of facts from the edges a walk scored: each fact once, no kind crowding out the others, best first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from math import prod

from retrieval.cards import Card
from retrieval.directions import pair_directions
from retrieval.edges import Edge, words_of
from retrieval.model import Fact

CROWD = 10
"""Facts of one kind at one concept that count in full; the n-th beyond counts CROWD/n, so that a hub leaves room."""
FAR = float("-inf")
"""Nearness of a concept the walk did not start from."""
MOST = 200
"""Facts an answer chooses from; the rest of a dense neighbourhood would find no room anyway."""


class Scored:
    """An edge with what its score is made of."""

    __slots__ = ("edge", "start", "hop", "factors", "score")

    def __init__(self, edge: Edge, start: str, hop: int, factors: dict[str, float], score: float) -> None:
        self.edge = edge
        self.start = start
        """The concept the walk came from."""
        self.hop = hop
        """Edges from the nearest seed, this one included."""
        self.factors = factors
        self.score = score


def facts_of(scored: Mapping[Edge, Scored], nearness: Mapping[str, float], cards: Mapping[str, Card],
             least: float, today: str) -> tuple[Fact, ...]:
    """The best facts; `nearness` tells which end of an edge the question is closer to.

    One below the share `least` of the first one's score is left out, unless it is age alone that puts it there: what is
    superseded or stale comes late, but is not kept back (§6.4, §7.7).
    """
    ranked = sorted(_once(scored, nearness), key=_order)
    _thin(ranked)
    best = sorted(ranked, key=_order)[:MOST]
    return tuple(_fact(one, cards, today) for one in best
                 if one.score >= least * best[0].score * one.factors["superseded"] * one.factors["stale"])


def _once(scored: Mapping[Edge, Scored], nearness: Mapping[str, float]) -> list[Scored]:
    """Without the edges that repeat another from its far end; the one kept has the better of both fits.

    It is the one told from the nearer end, unless only the other knows the date.
    """
    by_ends: dict[tuple[str, str | None], list[Edge]] = defaultdict(list)
    for edge in sorted(scored, key=words_of):
        by_ends[edge.subject_path, edge.object_path].append(edge)
    kept = dict(scored)
    for (one, other), ahead in by_ends.items():
        back = by_ends.get((other, one)) if other else None
        if back and (nearness.get(one, FAR), other) > (nearness.get(other, FAR), one):
            for repeat, edge in pair_directions(ahead, back).items():
                if repeat.date and not edge.date:
                    repeat, edge = edge, repeat
                _take_over(kept[edge], kept.pop(repeat))
    return list(kept.values())


def _take_over(one: Scored, repeat: Scored) -> None:
    for name in ("fit", "time", "way", "hop"):
        one.factors[name] = max(one.factors[name], repeat.factors[name])
    one.hop = min(one.hop, repeat.hop)
    one.score = prod(one.factors.values())


def _thin(ranked: Iterable[Scored]) -> None:
    kinds: dict[tuple[str, str, bool], int] = defaultdict(int)
    for one in ranked:
        kind = (one.start, one.edge.predicate, one.edge.subject_path == one.start)
        kinds[kind] += 1
        if kinds[kind] > CROWD:
            one.factors["crowd"] = CROWD / kinds[kind]
            one.score *= one.factors["crowd"]


def _fact(one: Scored, cards: Mapping[str, Card], today: str) -> Fact:
    edge, subject = one.edge, cards[one.edge.subject_path]
    title = None
    if edge.object_path is not None:
        title = cards[edge.object_path].title if edge.object_path in cards else title_from_path(edge.object_path)
    return Fact(edge.subject_path, subject.title, edge.predicate, edge.object_path, title, edge.object_literal, edge.date,
                edge.source, subject.trust, subject.stale(today), subject.superseded_by if subject.superseded else None,
                subject.superseded_at if subject.superseded else None, one.hop, one.score, one.factors)


def title_from_path(path: str) -> str:
    """What a concept not yet written will probably be called."""
    return path.rpartition("/")[2].removesuffix(".md").replace("-", " ").replace("_", " ")


def _order(one: Scored) -> tuple:
    """Best first; ties by what the fact says, never by when it was stored."""
    return -one.score, words_of(one.edge)

