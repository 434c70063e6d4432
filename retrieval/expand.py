"""Walks the graph from the seeds, a bounded number of edges far, and scores the facts and concepts it meets.

A fact scores  predicate × hop × trust × superseded × stale × named × way × fit × time.  *named* favours a fact between
two concepts that the question names; *way* is how strongly the walk
reached the concept it starts from (1 for the best seed); *fit* is how well the edge answers the words of the question
that this concept's title does not explain. A concept scores its own match plus the best that an edge lends it.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import prod
from typing import NamedTuple

import apsw

from retrieval.cards import Card, read_cards
from retrieval.dates import in_force
from retrieval.edges import Edge, Link, edges_at, links_at
from retrieval.facts import Scored, facts_of
from retrieval.fit import NOTHING, Evidence, Fit
from retrieval.intent import HISTORICAL, WHEN, WHY
from retrieval.model import Expansion, Reached, Seed
from retrieval.predicates import predicate_weight
from retrieval.query import Query
from retrieval.seeds import RRF_K
from retrieval.settings import RetrievalSettings
from retrieval.timing import time_factors

STOOD_FOR = 0.9
"""What a superseded concept that the question names keeps of its successor's score: it is shown right behind."""


class Stop(NamedTuple):
    """A concept the walk goes on from."""

    path: str
    way: float
    """How strongly the walk reached it, between 0 and 1."""
    hop: int
    """Edges from the seed."""
    open_terms: int
    """Terms of the question that nothing on the way explains."""


def expand(seeds: Sequence[Seed], query: Query, intent: str, con: apsw.Connection, fit: Fit,
           settings: RetrievalSettings, today: str) -> Expansion:
    """The facts and concepts within `hop_limit` edges of the best seeds, best first; `today` is an ISO date."""
    walk = Walk(seeds, query, intent, con, fit, settings, today)
    own = {seed.path: _own(seed, settings) for seed in seeds}
    own |= {path: STOOD_FOR * own[seed.path] for seed in seeds for path in seed.stands_for}
    best = max(own.values(), default=0.0) or 1.0  # all 0 where only a signal that weighs nothing found anything
    stops = [Stop(path, own[path] / best, 0, fit.all & ~fit.standing_in(walk.cards[path].title))
             for path in sorted(own, key=lambda path: (-own[path], path))[:settings.expanded_seeds]
             if own[path] >= settings.least_way * best]
    for _ in range(settings.hop_limit):
        stops = walk.step(stops)
    return Expansion(_concepts(walk, own, best), facts_of(walk.scored, walk.nearness, walk.cards, settings.least_fact, today))


def _own(seed: Seed, settings: RetrievalSettings) -> float:
    """A seed's score, and more when the question names it: who is named is what the question starts from."""
    rank = seed.signals["title"]
    return seed.score + (0.0 if rank is None else settings.named_weight / (RRF_K + rank + 1))


def _concepts(walk: "Walk", own: Mapping[str, float], best: float) -> tuple[Reached, ...]:
    reached = []
    for path in own.keys() | walk.ways.keys():
        way, hop = walk.ways.get(path, (0.0, 0))
        score = own.get(path, 0.0) + best * walk.settings.lending * way
        reached.append(Reached(path, walk.cards[path].title, score, 0 if path in own else hop))
    return tuple(sorted(reached, key=lambda one: (-one.score, one.path)))


class Walk:
    """What one walk has met so far."""

    def __init__(self, seeds: Sequence[Seed], query: Query, intent: str, con: apsw.Connection, fit: Fit,
                 settings: RetrievalSettings, today: str) -> None:
        self.settings = settings
        self.cards: dict[str, Card] = read_cards({path for seed in seeds for path in (seed.path, *seed.stands_for)}, con)
        self.scored: dict[Edge, Scored] = {}
        self.ways: dict[str, tuple[float, int]] = {}
        """Concept at the end of an edge or link → strength of the best way there, and its hops."""
        self.nearness: dict[str, float] = {}
        """Concept walked from → how near it is to the question."""
        self._wanted = [seed.path for seed in seeds]
        self._period, self._intent, self._con, self._fit, self._today = query.period, intent, con, fit, today
        self._weights: dict[str, float] = {}
        self._named = {seed.path for seed in seeds if seed.signals["title"] is not None}

    def step(self, stops: Sequence[Stop]) -> list[Stop]:
        """Walk one edge on from every stop; returns the best new stops."""
        for stop in stops:
            self.nearness[stop.path] = stop.way - stop.hop
        found: dict[str, Stop] = {}
        for stop in stops:
            for ahead in self._meet(stop):
                if ahead.path not in found or ahead.way > found[ahead.path].way:
                    found[ahead.path] = ahead
        for path, stop in found.items():
            if stop.way > self.ways.get(path, (0.0, 0))[0]:
                self.ways[path] = (stop.way, stop.hop)
        fresh = sorted((stop for path, stop in found.items() if path not in self.nearness),
                       key=lambda stop: (-stop.way, stop.path))
        return fresh[:self.settings.frontier]

    def _meet(self, stop: Stop) -> list[Stop]:
        """Score every edge and link at a stop; returns the concepts at their other ends."""
        edges = [edge for edge in edges_at(stop.path, stop.hop, self._wanted, self._con) if edge.subject_path != edge.object_path]
        links: dict[str, list[Link]] = defaultdict(list)
        for link in links_at(stop.path, stop.hop, self._wanted, self._con):
            links[_other(link, stop.path)].append(link)
        links.pop(stop.path, None)
        ends = {end for edge in edges if (end := _other(edge, stop.path))} | links.keys()
        self.cards |= read_cards(ends - self.cards.keys(), self._con)
        evidence = {path: self._evidence(path, links.get(path, ()), stop.open_terms) for path in ends}
        ahead: dict[str, tuple[float, int]] = {}
        for one in self._score(stop, edges, evidence):
            if (end := _other(one.edge, stop.path)) in self.cards:
                answered = self._fit.asked_by(one.edge.predicate) & stop.open_terms
                ahead[end] = max(ahead.get(end, (0.0, 0)), (_strength(one, stop), answered))
        for path in links.keys() & self.cards.keys():
            strength = self._link_weight(links[path], stop) * self._fit.link(evidence[path]) * self._standing(path)
            ahead[path] = max(ahead.get(path, (0.0, 0)), (strength, 0))
        return [self._stop(path, stop, strength, answered) for path, (strength, answered) in ahead.items()]

    def _evidence(self, path: str, links: Sequence[Link], open_terms: int) -> Evidence:
        found = self._fit.evidence(links, open_terms) if links else NOTHING
        return self._fit.with_title(found, self.cards[path].title, open_terms) if path in self.cards else found

    def _link_weight(self, links: Sequence[Link], stop: Stop) -> float:
        leads_on = any(link.subject_path == stop.path for link in links)
        return self.settings.link_weight if leads_on else self.settings.backlink_weight

    def _stop(self, path: str, origin: Stop, strength: float, answered: int) -> Stop:
        explained = answered | self._fit.standing_in(self.cards[path].title)
        decay = self.settings.hop_decay if origin.hop else 1.0
        return Stop(path, origin.way * min(strength, 1.0) * decay, origin.hop + 1, origin.open_terms & ~explained)

    def _score(self, stop: Stop, edges: Sequence[Edge], evidence: dict[str, Evidence]) -> list[Scored]:
        times = time_factors([(edge.predicate, edge.subject_path == stop.path) for edge in edges],
                             [edge.date for edge in edges], self._period)
        found = []
        for edge, time in zip(edges, times):
            # The cue of "before" and "why" is itself the relation asked for, and no other word names it.
            meant = self._intent in (HISTORICAL, WHY) and self._weight(edge.predicate) > 1
            fit = self._fit.relation(edge.predicate, evidence.get(_other(edge, stop.path), NOTHING), stop.open_terms, meant)
            factors = self._factors(edge, stop) | {"fit": fit, "time": time}
            one = Scored(edge, stop.path, stop.hop + 1, factors, prod(factors.values()))
            found.append(one)
            if edge not in self.scored or self.scored[edge].score < one.score:
                self.scored[edge] = one
        return found

    def _factors(self, edge: Edge, stop: Stop) -> dict[str, float]:
        subject, settings = self.cards[edge.subject_path], self.settings
        dated = settings.dated_weight if edge.date and self._intent == WHEN else 1.0
        return {
            "predicate": self._weight(edge.predicate) * dated,
            "hop": settings.hop_decay ** (stop.hop + 1),
            "trust": settings.trust_multiplier[subject.trust],
            "superseded": self._standing(edge.subject_path),
            "stale": settings.stale_multiplier if subject.stale(self._today) else 1.0,
            "named": settings.both_named_weight if {edge.subject_path, edge.object_path} <= self._named else 1.0,
            "way": stop.way,
        }

    def _weight(self, predicate: str) -> float:
        if predicate not in self._weights:
            self._weights[predicate] = predicate_weight(self.settings.predicate_weights, self._intent, predicate)
        return self._weights[predicate]

    def _standing(self, path: str) -> float:
        """1, or the multiplier of a concept that was superseded by the time that the question is about."""
        card = self.cards.get(path)
        stands = card is None or not card.superseded or self._intent == HISTORICAL or in_force(card.superseded_at, self._period)
        return 1.0 if stands else self.settings.superseded_multiplier


def _strength(one: Scored, stop: Stop) -> float:
    """What an edge lends the concept at its end: trust ranks what is said, not what is asked about."""
    factors = one.factors
    return one.score / (factors["hop"] * factors["trust"] * factors["way"]) if stop.way else 0.0


def _other(edge: Edge | Link, path: str) -> str | None:
    return edge.object_path if edge.subject_path == path else edge.subject_path
