"""Fits the gate's weights to labelled questions, and tells what each signal brings and how it carries over.

Every set weighs the same, and so do its two classes and the tiers of each. Each question asked in lower case too, at
half the weight: people type so, and the case of letters must not decide.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from retrieval.confidence import WEIGHTS, Signals, read_signals, weigh
from retrieval.fit import Fit
from retrieval.settings import RetrievalSettings
from tests.ablation.sets import LabelledBundle, Question

MARGIN = 0.1
"""Taken off the fitted bias: a wrong answer costs more than a refusal."""


@dataclass(frozen=True)
class Sample:
    """A question with its signals."""

    bundle: str
    question: Question
    signals: Signals


def samples(bundle: LabelledBundle, vectors: bool) -> list[Sample]:
    """The signals of all questions of a bundle, as written and in lower case."""
    settings = RetrievalSettings()
    lowered = (replace(question, text=question.text.lower(), lowered=True) for question in bundle.questions
               if question.text != question.text.lower())
    found = []
    for question in (*bundle.questions, *lowered):
        query, seeds = bundle.seeds(question, settings, vectors)
        expansion = bundle.expansion(question, query, seeds, settings)
        signals = read_signals(query, Fit(query, bundle.snapshot.tokenizer), seeds, expansion, bundle.snapshot.con)
        found.append(Sample(bundle.name, question, signals))
    return found


def report(bundles: Sequence[LabelledBundle], vectors: bool) -> Iterator[str]:
    """Shipped weights, fitted weights, each signal left out, each bundle left out of the fit with all its questions."""
    data = [sample for bundle in bundles for sample in samples(bundle, vectors)]
    names = [name for name in Signals._fields if vectors or name not in ("cosine", "lead", "near")]
    shipped = WEIGHTS["local" if vectors else "none"]
    yield from _shares("shipped weights", data, [weigh(sample.signals, shipped) - 0.5 for sample in data])
    fitted = fit(data, names)
    yield "fitted weights: " + ", ".join(f"{name} {value:.2f}" for name, value in zip((*names, "bias"), fitted))
    yield from _shares("fitted weights", data, scores(data, names, fitted))
    for name in names:
        rest = [other for other in names if other != name]
        yield from _shares(f"without {name}", data, scores(data, rest, fit(data, rest)))
    for bundle in bundles:
        own = [sample for sample in data if sample.bundle == bundle.name]
        asked = {sample.question.text for sample in own}
        others = [sample for sample in data if sample.question.text not in asked]
        if len({sample.question.in_bundle for sample in others}) == 2:
            yield from _shares(f"fitted without {bundle.name}", own, scores(own, names, fit(others, names)))


def scores(data: Sequence[Sample], names: Sequence[str], weights: np.ndarray) -> np.ndarray:
    """Above 0: accepted."""
    return _matrix(data, names) @ weights


def fit(data: Sequence[Sample], names: Sequence[str], ridge: float = 1.0) -> np.ndarray:
    """Weights of the signals and the bias, by Newton's method on standardized signals."""
    raw = _matrix(data, names)
    mean, spread = raw.mean(0), raw.std(0) + 1e-9
    mean[-1], spread[-1] = 0.0, 1.0
    matrix = (raw - mean) / spread
    labels = np.array([sample.question.in_bundle for sample in data], float)
    share = _shares_of_weight(data)
    penalty = np.full(matrix.shape[1], ridge)
    penalty[-1] = 1e-6
    weights = np.zeros(matrix.shape[1])
    for _ in range(60):
        chance = 1 / (1 + np.exp(-matrix @ weights))
        slope = matrix.T @ (share * (chance - labels)) + penalty * weights
        curve = (matrix.T * (share * chance * (1 - chance))) @ matrix + np.diag(penalty)
        weights -= np.linalg.solve(curve, slope)
    weights /= spread
    weights[-1] -= (weights * mean).sum() + MARGIN
    return weights


def _matrix(data: Sequence[Sample], names: Sequence[str]) -> np.ndarray:
    return np.array([[*(getattr(sample.signals, name) for name in names), 1.0] for sample in data])


def _shares_of_weight(data: Sequence[Sample]) -> np.ndarray:
    groups: dict[tuple, list[int]] = defaultdict(list)
    for at, sample in enumerate(data):
        groups[sample.bundle, sample.question.in_bundle, _tier(sample.question), sample.question.lowered].append(at)
    classes: dict[tuple, float] = defaultdict(float)
    for bundle, inside, _, lowered in groups:
        classes[bundle, inside] += 0.5 if lowered else 1.0
    share = np.zeros(len(data))
    for (bundle, inside, _, lowered), members in groups.items():
        share[members] = 100 * (0.5 if lowered else 1.0) / classes[bundle, inside] / len(members)
    return share


def _tier(question: Question) -> str:
    return "in" if question.in_bundle else question.tier


def _shares(title: str, data: Sequence[Sample], found: Sequence[float]) -> Iterator[str]:
    """Per bundle the share accepted in the bundle, and refused out of it by tier."""
    right: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for sample, score in zip(data, found):
        kind = _tier(sample.question) + (" (lower case)" if sample.question.lowered else "")
        right[sample.bundle][kind].append((score > 0) == sample.question.in_bundle)
    yield title
    for bundle, kinds in right.items():
        yield f"  {bundle}: " + ", ".join(f"{kind} {100 * np.mean(hits):.1f}" for kind, hits in sorted(kinds.items()))
