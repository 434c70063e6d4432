"""Walks the graph from the seeds, a bounded number of edges far, and scores the facts and concepts it meets.

A fact scores  predicate × hop × trust × superseded × way × fit × time.  *way* is how strongly the walk reached the
concept it starts from (1 for the best seed); *fit* is how well the edge answers the words of the question that this
concept's title does not explain. A concept scores its own match plus the best that an edge lends it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import NamedTuple

import apsw

from retrieval.directions import pair_directions
from retrieval.edges import Edge, Link, edges_at, links_at
from retrieval.fit import Evidence, Fit
from retrieval.model import Expansion, Fact, Reached, Seed
from retrieval.predicates import predicate_weight
from retrieval.query import Query, Term
from retrieval.settings import RetrievalSettings
from retrieval.timing import time_factors

CROWD = 10
"""Facts of one kind at one concept that count in full; the n-th beyond counts CROWD/n, so that a hub leaves room."""


class Card(NamedTuple):
    """What scoring needs of a concept."""

    title: str
    trust: str
    superseded_by: str | None
    superseded_at: str | None
    superseded: bool
    stale_after: str | None


@dataclass(frozen=True, slots=True)
class Stop:
    """A concept the walk goes on from."""

    path: str
    way: float
    """How strongly the walk reached it; 1 for the best seed."""
    hop: int
    """Edges from the seed."""
    terms: tuple[Term, ...]
    """Words of the question that the titles on the way do not explain."""


@dataclass(slots=True)
class Walk:
    """The state of one walk: what was met, and with which score."""

    con: apsw.Connection
    query: Query
    intent: str
    settings: RetrievalSettings
    fit: Fit
    today: str
    cards: dict[str, Card]
    facts: dict[Edge, Fact]
    ways: dict[str, tuple[float, int]]
    """Reached concept → strength of the best way there, and its hops."""
    starts: dict[str, float]
    """Concept walked from → strength with which the walk came to it."""


def expand(seeds: Sequence[Seed], query: Query, intent: str, con: apsw.Connection, fit: Fit,
           settings: RetrievalSettings, today: str) -> Expansion:
    """The facts and concepts within `hop_limit` edges of the best seeds, best first; `today` is an ISO date."""
    walk = Walk(con, query, intent, settings, fit, today, {}, {}, {}, {})
    best = max((seed.score for seed in seeds), default=1.0)
    _learn(walk, [seed.path for seed in seeds])
    stops = [Stop(seed.path, seed.score / best, 0, fit.unexplained(fit.terms, seed.title))
             for seed in seeds[:settings.expanded_seeds]]
    while stops and stops[0].hop < settings.hop_limit:
        walk.starts |= {stop.path: stop.way for stop in stops}
        stops = _next(walk, [reached for stop in stops for reached in _meet(walk, stop, seeds)])
    return Expansion(_concepts(walk, seeds, best), _facts(walk))


def _meet(walk: Walk, stop: Stop, seeds: Sequence[Seed]) -> list[Stop]:
    """Score every edge and link at a concept; returns the concepts at their other ends."""
    wanted = [seed.path for seed in seeds]
    edges = [edge for edge in edges_at(stop.path, wanted, walk.con) if edge.subject_path != edge.object_path]
    links = defaultdict(list)
    for link in links_at(stop.path, wanted, walk.con):
        links[_other(link, stop.path)].append(link)
    links.pop(stop.path, None)
    _learn(walk, {_other(edge, stop.path) or edge.subject_path for edge in edges} | links.keys())
    evidence = {path: walk.fit.evidence(found, stop.terms) for path, found in links.items()}
    lent: dict[str, float] = defaultdict(float)
    for edge, fact in zip(edges, _score(walk, stop, edges, evidence)):
        if edge not in walk.facts or walk.facts[edge].score < fact.score:
            walk.facts[edge] = fact
        if (path := _other(edge, stop.path)) in walk.cards:
            lent[path] = max(lent[path], _strength(walk, fact))
    for path, found in evidence.items():
        if path in walk.cards:
            lent[path] = max(lent[path], stop.way * walk.settings.link_weight * walk.fit.link(found) * _superseded(walk, path))
    return [Stop(path, way * (walk.settings.hop_decay if stop.hop else 1), stop.hop + 1,
                 walk.fit.unexplained(stop.terms, walk.cards[path].title))
            for path, way in lent.items()]


def _score(walk: Walk, stop: Stop, edges: Sequence[Edge], evidence: dict[str, Evidence]) -> list[Fact]:
    times = time_factors([(edge.subject_path == stop.path, edge.predicate) for edge in edges],
                         [edge.date for edge in edges], walk.query.period)
    return [_fact(walk, stop, edge, walk.fit.edge(edge, stop.path, evidence.get(_other(edge, stop.path), Evidence()), stop.terms), time)
            for edge, time in zip(edges, times)]


def _fact(walk: Walk, stop: Stop, edge: Edge, fit: float, time: float) -> Fact:
    settings, subject = walk.settings, walk.cards.get(edge.subject_path)
    weight = predicate_weight(settings.predicate_weights, walk.intent, edge.predicate)
    if edge.date and walk.intent == "WHEN":
        weight *= settings.dated_weight
    stale = subject.stale_after is not None and subject.stale_after[:10] <= walk.today
    factors = {"predicate": weight, "hop": settings.hop_decay ** (stop.hop + 1),
               "trust": settings.trust_multiplier[subject.trust],
               "superseded": _superseded(walk, edge.subject_path),
               "stale": settings.stale_multiplier if stale else 1.0, "way": stop.way, "fit": fit, "time": time}
    target = walk.cards.get(edge.object_path) if edge.object_path else None
    title = target.title if target else edge.object_path and _title_from_path(edge.object_path)
    return Fact(edge.subject_path, subject.title, edge.predicate, edge.object_path, title, edge.object_literal, edge.date,
                edge.source, subject.trust, stale, subject.superseded_by if subject.superseded else None,
                subject.superseded_at if subject.superseded else None, stop.hop + 1, prod(factors.values()), factors)


def _strength(walk: Walk, fact: Fact) -> float:
    """What a fact lends the concept at its end: its score without the hop, trust taken as if all were alike."""
    factors = fact.factors
    return fact.score / (factors["hop"] * factors["trust"])


def _superseded(walk: Walk, path: str) -> float:
    card = walk.cards.get(path)
    return walk.settings.superseded_multiplier if card and card.superseded and walk.intent != "HISTORICAL" else 1.0


def _next(walk: Walk, reached: Iterable[Stop]) -> list[Stop]:
    """Remember the best way to each concept; the best of those not yet walked from come next."""
    best: dict[str, Stop] = {}
    for stop in reached:
        if stop.path not in best or stop.way > best[stop.path].way:
            best[stop.path] = stop
    for stop in best.values():
        if stop.path not in walk.ways or stop.way > walk.ways[stop.path][0]:
            walk.ways[stop.path] = (stop.way, stop.hop)
    fresh = sorted((stop for stop in best.values() if stop.path not in walk.starts), key=lambda stop: (-stop.way, stop.path))
    return fresh[:walk.settings.frontier]


def _concepts(walk: Walk, seeds: Sequence[Seed], best: float) -> tuple[Reached, ...]:
    own = {seed.path: seed.score for seed in seeds}
    reached = []
    for path in own.keys() | walk.ways.keys():
        way, hop = walk.ways.get(path, (0.0, 0))
        score = own.get(path, 0.0) + best * walk.settings.lending * way
        reached.append(Reached(path, walk.cards[path].title, score, 0 if path in own else hop))
    return tuple(sorted(reached, key=lambda one: (-one.score, one.path)))


def _facts(walk: Walk) -> tuple[Fact, ...]:
    """All facts met, each once, best first."""
    by_ends: dict[tuple[str, str], list[Edge]] = defaultdict(list)
    for edge in sorted(walk.facts, key=lambda edge: _key(walk.facts[edge])):
        if edge.object_path is not None:
            by_ends[edge.subject_path, edge.object_path].append(edge)
    for (one, other), ahead in by_ends.items():
        back = by_ends.get((other, one))
        if back and _nearness(walk, one) > _nearness(walk, other):
            for repeat, edge in pair_directions(ahead, back).items():
                walk.facts[edge] = _with_fit(walk.facts[edge], walk.facts.pop(repeat))
    return tuple(sorted(_thinned(walk.facts.values()), key=_key))


def _nearness(walk: Walk, path: str) -> tuple[float, str]:
    return (walk.starts.get(path, 0.0), path)


def _with_fit(fact: Fact, repeat: Fact) -> Fact:
    """A fact whose other direction may have named better what is asked."""
    factors = {**fact.factors, "fit": max(fact.factors["fit"], repeat.factors["fit"]),
               "time": max(fact.factors["time"], repeat.factors["time"])}
    return replace(fact, factors=factors, score=prod(factors.values()))


def _thinned(facts: Iterable[Fact]) -> list[Fact]:
    kinds: dict[tuple, int] = defaultdict(int)
    thinned = []
    for fact in sorted(facts, key=_key):
        kind = (fact.subject_path, fact.predicate)
        kinds[kind] += 1
        if kinds[kind] > CROWD:
            factors = {**fact.factors, "crowd": CROWD / kinds[kind]}
            fact = replace(fact, factors=factors, score=prod(factors.values()))
        thinned.append(fact)
    return thinned


def _key(fact: Fact) -> tuple:
    return (-fact.score, fact.subject_path, fact.predicate, fact.object_path or "", fact.object_literal or "",
            fact.date or "", fact.source or "")


def _other(edge: Edge | Link, path: str) -> str | None:
    return edge.object_path if edge.subject_path == path else edge.subject_path


def _title_from_path(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md").replace("-", " ")


def _learn(walk: Walk, paths: Iterable[str]) -> None:
    """Read the cards of concepts not yet known; a path that is no concept stays unknown."""
    rows = walk.con.execute("""
        select concept._path, concept.title, concept.trust_tier, concept.superseded_by,
               coalesce(concept.superseded_at, substr(json_extract(successor.generated, '$.at'), 1, 10)),
               concept.status = 'superseded', concept.stale_after
        from json_each(?) as wanted join concepts as concept on concept._path = wanted.value
        left join concepts as successor on successor._path = concept.superseded_by""",
        (json.dumps(sorted(set(paths) - walk.cards.keys())),))
    for path, title, trust, successor, at, superseded, stale_after in rows:
        walk.cards[path] = Card(title, trust, successor, at, bool(superseded), stale_after)
