"""Judges whether the bundle covers a question: several signals together, for no single one tells.

A logistic sum, whose weights `python -m tests.ablation gate` fits to labelled questions; docs/quality.md says to which,
and what each signal brings. Nothing in it knows a bundle: shares lie between 0 and 1, and cosines belong to the model.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from statistics import fmean

import apsw

from retrieval.dates import is_date_word
from retrieval.model import Expansion, Seed
from retrieval.query import Query
from retrieval.segment import segment

PAGES, REACHED = 5, 8
"""Best seeds, and best concepts after the walk, whose pages are searched for the question's words."""
PAGE_LIMIT = 10_000
"""Characters of a body that are searched; bounds the cost on long pages."""
TOP = 3
"""A signal agrees when it has the best seed among its first three."""
CUT = "Only the beginning of the question was read."
"""Said when it was longer than retrieval.query considers."""
BACKDROP = 20
"""Concepts next to the nearest one that tell how near everything is."""


@dataclass(frozen=True, slots=True)
class Signals:
    """What speaks for the bundle covering the question."""

    coverage: float
    """Share of the question's words, by rarity, that the best concepts and their neighbours hold together."""
    page: float
    """The same for the best single seed."""
    named: float
    """Share of the words, by rarity, that are names of concepts and written as names."""
    agreement: float
    """Share of the signals title, BM25 and vector that have the best seed among their first three."""
    substance: float
    """How much that seed's words tell together, against a few common words that it may hold by chance."""
    cosine: float = 0.0
    """Cosine of the question with the nearest piece."""
    lead: float = 0.0
    """By how much that is nearer than the next twenty concepts are on average."""


@dataclass(frozen=True, slots=True)
class Weights:
    """A logistic sum over the signals."""

    bias: float
    coverage: float
    page: float
    named: float
    agreement: float
    substance: float
    cosine: float = 0.0
    lead: float = 0.0


WEIGHTS = {
    "local": Weights(bias=-64.6, coverage=2.4, page=1.4, named=3.9, agreement=2.6, substance=1.9, cosine=66.0, lead=48.5),
    "none": Weights(bias=-12.2, coverage=1.7, page=5.5, named=2.6, agreement=8.1, substance=5.0),
}
"""By embedder. One not listed is judged by words alone: its cosines have not been measured."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether an answer may be trusted to be about the question."""

    confident: bool
    reason: str
    """One sentence for a person or a model."""
    probability: float
    """That the bundle covers the question, as far as the signals tell."""
    threshold: float
    """From which probability on the bundle answers."""
    signals: Signals


def judge(query: Query, seeds: Sequence[Seed], expansion: Expansion, embedder: str, threshold: float,
          con: apsw.Connection, tokenizer: apsw.FTS5Tokenizer) -> Verdict:
    """Weigh the signals; `embedder` is the one that made the cosines, `none` when there are none."""
    signals = read_signals(query, seeds, expansion, con, tokenizer)
    probability = weigh(signals, WEIGHTS.get(embedder, WEIGHTS["none"])) if query.terms and seeds else 0.0
    reason = _reason(query, seeds, signals, probability, threshold) + (f" {CUT}" if query.cut else "")
    return Verdict(probability >= threshold, reason, probability, threshold, signals)


def weigh(signals: Signals, weights: Weights) -> float:
    """The logistic sum, as a probability."""
    total = weights.bias + sum(getattr(weights, one.name) * getattr(signals, one.name) for one in fields(signals))
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, total))))


def read_signals(query: Query, seeds: Sequence[Seed], expansion: Expansion, con: apsw.Connection,
                 tokenizer: apsw.FTS5Tokenizer) -> Signals:
    """Measure all signals of one question."""
    alone = [seed.path for seed in seeds[:PAGES]]
    together = [one.path for one in expansion.concepts[:REACHED]]
    held = _held({*alone, *together}, query, con, tokenizer)
    # A date chooses among facts; it is no topic, and a page may cover it without the year itself.
    terms = [term for term in query.terms if not (query.period and is_date_word(term.shown) and not term.spelled)]
    total = sum(term.weight for term in terms) or 1.0
    named = {term.text for term in terms if term.spelled}

    def weight(stems: set[str]) -> float:
        return sum(term.weight for term in terms if term.text in stems)

    cosines = sorted((seed.cosine for seed in seeds if seed.cosine is not None), reverse=True)
    page = max((weight(named | held.get(path, set())) for path in alone), default=0.0)
    return Signals(
        coverage=weight(named.union(*(held.get(path, set()) for path in together))) / total,
        page=page / total,
        named=weight(named) / total,
        agreement=sum(rank is not None and rank < TOP for rank in seeds[0].signals.values()) / 3 if seeds else 0.0,
        substance=1 - math.exp(-page / math.log(1 + max(query.concepts, 1))),
        cosine=cosines[0] if cosines else 0.0,
        lead=cosines[0] - fmean(cosines[1:BACKDROP]) if len(cosines) > 1 else 0.0,
    )


def _held(paths: set[str], query: Query, con: apsw.Connection, tokenizer: apsw.FTS5Tokenizer) -> dict[str, set[str]]:
    """Which terms of the question each page holds."""
    wanted = {term.text for term in query.terms if term.known}
    rows = con.execute(
        "select _path, title || ' ' || coalesce(description, '') || ' ' || tags || ' ' || substr(body, 1, ?)"
        " from concepts where _path in (select value from json_each(?))", (PAGE_LIMIT, json.dumps(sorted(paths))))
    return {path: wanted.intersection(
        stem for stems in tokenizer(segment(text).encode(), apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False) for stem in stems)
        for path, text in rows}


def _reason(query: Query, seeds: Sequence[Seed], signals: Signals, probability: float, threshold: float) -> str:
    if not seeds or not query.terms:
        return "None of the words of the question are in this bundle."
    best = seeds[0]
    if probability >= threshold:
        how = "is named in the question" if best.signals["title"] is not None else "matches best"
        return f"{best.title} {how}, and {signals.coverage:.0%} of what the question says, by rarity of its words, is found around it."
    return (f"The nearest concept is {best.title}, but all signals together make it only {probability:.0%} likely "
            f"that the bundle covers the question; {threshold:.0%} are needed.")
