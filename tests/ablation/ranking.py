"""The ranking with one factor at a time taken away, as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from unittest.mock import patch

from retrieval.settings import SIGNAL_WEIGHTS, RetrievalSettings
from tests.ablation.sets import LabelledBundle

WITHOUT = {
    "all factors": ({}, {}),
    "without exact titles": ({"signal_weights": SIGNAL_WEIGHTS | {"title": 0.0}, "named_weight": 0.0}, {}),
    "without names counting more in the ranking": ({"named_weight": 0.0}, {}),
    "without titles short of their brackets": ({}, {"retrieval.seeds._named_in_short": lambda *given: []}),
    "without BM25": ({"signal_weights": SIGNAL_WEIGHTS | {"bm25": 0.0}}, {}),
    "BM25 counted double": ({"signal_weights": SIGNAL_WEIGHTS | {"bm25": 2.0}}, {}),
    "without vectors": ({"signal_weights": SIGNAL_WEIGHTS | {"vector": 0.0}}, {}),
    "without the graph": ({"expanded_seeds": 0}, {}),
    "one hop": ({"hop_limit": 1}, {}),
    "without prose links": ({"link_weight": 0.0, "backlink_weight": 0.0}, {}),
    "links count alike in both directions": ({"backlink_weight": 1.0}, {}),
    "without the fit of edges": ({}, {"retrieval.fit.BASE": 0.6, "retrieval.fit.PREDICATE": 0.0,
                                      "retrieval.fit.NEAR": 0.0, "retrieval.fit.SENTENCE": 0.0}),
    "without predicates and words next to a link": ({}, {"retrieval.fit.PREDICATE": 0.0}),
    "without words next to a link": ({}, {"retrieval.fit.NEAR": 0.0}),
    "without the sentence of a link": ({}, {"retrieval.fit.SENTENCE": 0.0}),
    "without synonyms": ({}, {"retrieval.fit.SETS": {}}),
    "without dates": ({}, {"retrieval.expand.time_factors": lambda kinds, dates, period: [1.0] * len(dates)}),
}
"""What is taken away → settings and module values that take it away."""


def table(bundles: Sequence[LabelledBundle]) -> Iterator[str]:
    """Markdown, a row a factor: R@2 / R@5 / all golds in the top 5 for every bundle, in percent."""
    yield "| | " + " | ".join(bundle.name for bundle in bundles) + " |"
    yield "|---|" + "---|" * len(bundles)
    for name, (settings, values) in WITHOUT.items():
        with ExitStack() as stack:
            for target, value in values.items():
                stack.enter_context(patch(target, value))
            cells = [" / ".join(f"{100 * figure:.1f}" for figure in figures(bundle, RetrievalSettings(**settings)))
                     for bundle in bundles]
        yield f"| {name} | " + " | ".join(cells) + " |"


def figures(bundle: LabelledBundle, settings: RetrievalSettings) -> tuple[float, float, float]:
    """R@2, R@5 and the share of questions with all golds in the top 5."""
    asked = [question for question in bundle.questions if question.in_bundle and question.expected]
    recall2 = recall5 = complete = 0.0
    for question in asked:
        query, seeds = bundle.seeds(question, settings)
        best = [one.path for one in bundle.expansion(question, query, seeds, settings).concepts[:5]]
        recall2 += len(question.expected.intersection(best[:2])) / len(question.expected)
        recall5 += len(question.expected.intersection(best)) / len(question.expected)
        complete += question.expected.issubset(best)
    return recall2 / len(asked), recall5 / len(asked), complete / len(asked)
