"""Judges whether the bundle covers a question: several signals together, for no single one tells.

A logistic sum, whose weights `python -m tests.ablation gate` fits to labelled questions; docs/quality.md says to which,
and what each signal brings. Nothing in it knows a bundle: shares lie between 0 and 1, and cosines belong to the model.
"""

import math
from collections.abc import Iterator, Sequence
from operator import mul
from typing import NamedTuple

import apsw

from retrieval.dates import is_date_word
from retrieval.fit import Fit
from retrieval.harmless import name
from retrieval.model import Expansion, Seed
from retrieval.query import Query
from retrieval.relevance import speaks_of

PAGES = 5
"""Best seeds whose passages are searched for the question's words."""
PAGE_LIMIT = 50_000
"""Characters of a body that are searched for the time asked about; bounds the cost on long pages."""
TOP = 3
"""Concepts of one signal among which the best seed is looked for."""
DATED = 10
"""Best facts whose dates tell whether the time asked about is spoken of."""
CUT = "Only the beginning of the question was read."
"""Said when it was longer than retrieval.query considers."""
ALONE = 0.5
"""How far a concept is ahead when no other has a word of the question: as it mostly is, for nothing tells."""
BACKDROP = 20
"""Best concepts of one signal, of which those behind the first tell how well everything matches."""


class Signals(NamedTuple):
    """What speaks for the bundle covering the question."""

    passage: float
    """Share of the question's words, by rarity, that stand in one passage of the best seeds, titles and names included."""
    named: float
    """Share of the words, by rarity, that are names of concepts and written as names."""
    titled: float
    """1 when the best seed is among the first three that the question names, if only without their brackets; else 0."""
    ahead: float
    """By which share of its BM25 score the best concept is ahead of the next ones on average; ALONE without any."""
    time: float
    """1 when the best seed's page or a fact speaks of the time asked about, -1 when neither does, 0 when none is asked."""
    cosine: float = 0.0
    """Cosine of the question with the nearest piece."""
    lead: float = 0.0
    """By how much that is nearer than the next concepts are on average."""
    near: float = 0.0
    """1 when the best seed is among the three nearest concepts, else 0."""


class Weights(NamedTuple):
    """A logistic sum over the signals: the bias, then the weight of each in their order."""

    bias: float
    passage: float
    named: float
    titled: float
    ahead: float
    time: float
    cosine: float = 0.0
    lead: float = 0.0
    near: float = 0.0


WEIGHTS = {
    "local": Weights(bias=-60.0, passage=3.3, named=3.2, titled=1.4, ahead=3.9, time=1.3, cosine=61.7, lead=48.0, near=1.2),
    "none": Weights(bias=-8.4, passage=6.2, named=2.3, titled=2.6, ahead=6.5, time=1.5),
}
"""By embedder. One not listed is judged by words alone: its cosines have not been measured."""


class Verdict(NamedTuple):
    """Whether an answer may be trusted to be about the question."""

    confident: bool
    reason: str
    """One sentence for a person or a model."""
    probability: float
    """That the bundle covers the question, as far as the signals tell."""
    threshold: float
    """From which probability on the bundle answers."""
    signals: Signals


def judge(query: Query, fit: Fit, seeds: Sequence[Seed], expansion: Expansion, embedder: str, threshold: float,
          con: apsw.Connection) -> Verdict:
    """Weigh the signals; `embedder` is the one that made the cosines, `none` when there are none."""
    signals = read_signals(query, fit, seeds, expansion, con)
    probability = weigh(signals, WEIGHTS.get(embedder, WEIGHTS["none"])) if query.terms and seeds else 0.0
    reason = _reason(query, seeds, signals, probability, threshold) + (f" {CUT}" if query.cut else "")
    return Verdict(probability >= threshold, reason, probability, threshold, signals)


def weigh(signals: Signals, weights: Weights) -> float:
    """The logistic sum, as a probability."""
    total = weights.bias + sum(map(mul, weights[1:], signals))
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, total))))


def read_signals(query: Query, fit: Fit, seeds: Sequence[Seed], expansion: Expansion, con: apsw.Connection) -> Signals:
    """Measure all signals of one question."""
    # A date chooses among facts; it is no topic, and a page may cover it without the year itself.
    terms = [term for term in query.terms if not (query.period and is_date_word(term.shown) and not term.spelled)]
    topics = fit.those(terms)
    named = fit.those(term for term in terms if term.spelled)

    def share(held: int) -> float:
        return fit.weight(held & topics) / (fit.weight(topics) or 1.0)

    scores = sorted((seed.bm25 for seed in seeds if seed.bm25 is not None), reverse=True)
    cosines = sorted((seed.cosine for seed in seeds if seed.cosine is not None), reverse=True)
    return Signals(
        passage=max((share(named | held) for seed in seeds[:PAGES] for path in (seed.path, *seed.stands_for)
                     for held in _passages(path, fit, topics, con)), default=0.0),
        named=share(named),
        titled=_among_first("title", seeds),
        ahead=_ahead(scores),
        time=_time(query, seeds, expansion, con),
        cosine=cosines[0] if cosines else 0.0,
        lead=cosines[0] - _backdrop(cosines) if len(cosines) > 1 else 0.0,
        near=_among_first("vector", seeds),
    )


def _among_first(signal: str, seeds: Sequence[Seed]) -> float:
    rank = seeds[0].signals[signal] if seeds else None
    return 1.0 if rank is not None and rank < TOP else 0.0


def _ahead(scores: Sequence[float]) -> float:
    if not scores or scores[0] <= 0:
        return 0.0
    return 1 - _backdrop(scores) / scores[0] if len(scores) > 1 else ALONE


def _backdrop(values: Sequence[float]) -> float:
    """What those behind the first come to on average; there must be one."""
    rest = values[1:BACKDROP]
    return sum(rest) / len(rest)


def _passages(path: str, fit: Fit, wanted: int, con: apsw.Connection) -> Iterator[int]:
    """The terms in each passage of a page, with those in its title, description and tags."""
    above, body = con.execute(
        "select title || ' ' || coalesce(description, '') || ' ' || tags, body from concepts where _path = ?", (path,)).fetchone()
    held = fit.held_by(above)
    yield held
    if wanted & fit.known & ~held:
        for heading, start, stop in con.execute("select heading, start, stop from pieces where path = ?", (path,)):
            yield held | fit.held_by(heading, held) | fit.held_by(body[start:stop], held)


def _time(query: Query, seeds: Sequence[Seed], expansion: Expansion, con: apsw.Connection) -> float:
    if query.period is None or query.now or not seeds:
        return 0.0
    if any(fact.date and query.period.holds(fact.date) for fact in expansion.facts[:DATED]):
        return 1.0
    body = con.execute("select substr(body, 1, ?) from concepts where _path = ?", (PAGE_LIMIT, seeds[0].path)).get
    return 1.0 if speaks_of(body, query.period) else -1.0


def _reason(query: Query, seeds: Sequence[Seed], signals: Signals, probability: float, threshold: float) -> str:
    if not seeds or not query.terms:
        return "None of the words of the question are in this bundle."
    best = seeds[0]
    if probability >= threshold:
        how = "is named in the question" if best.signals["title"] is not None else "matches best"
        if best.stands_for:
            how = f"has superseded {' and '.join(map(name, best.stands_for))}, named in the question"
        return f"{name(best.title)} {how}, and {signals.passage:.0%} of what the question says, by rarity of its words, stands in one passage."
    return (f"The nearest concept is {name(best.title)}, but all signals together make it only {probability:.0%} likely "
            f"that the bundle covers the question; {threshold:.0%} are needed.")
