"""What a threshold on confidence costs: how many good questions are answered and how many bad ones refused."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple


class Sample(NamedTuple):
    """A labelled question as the gate sees it."""

    confidence: float
    in_bundle: bool


class Point(NamedTuple):
    """What one threshold does; a question is answered when its confidence reaches it."""

    threshold: float
    accepted: float
    """Percentage of in-bundle questions that are answered."""
    refused: float
    """Percentage of out-of-bundle questions that are not."""


def trade_off(samples: Sequence[Sample]) -> list[Point]:
    """A point for every threshold that decides otherwise than the one before, from lenient to strict.

    Each lies about midway between two confidences that occur, where it is safest from questions not yet asked.
    Needs questions of both kinds; confidences are probabilities.
    """
    seen = sorted({0.0, 1.0, *(sample.confidence for sample in samples)})
    return [at(_between(low, high), samples) for low, high in pairwise(seen)]


def _between(low: float, high: float) -> float:
    """The shortest decimal in the middle half between two numbers."""
    middle, room = (low + high) / 2, (high - low) / 4
    short = (round(middle, digits) for digits in range(1, 17))
    return next((number for number in short if abs(number - middle) <= room), middle)


def at(threshold: float, samples: Iterable[Sample]) -> Point:
    """What a threshold does with the samples."""
    good = [sample.confidence >= threshold for sample in samples if sample.in_bundle]
    bad = [sample.confidence < threshold for sample in samples if not sample.in_bundle]
    return Point(threshold, 100 * sum(good) / len(good), 100 * sum(bad) / len(bad))


def best(points: Iterable[Point]) -> Point:
    """The best balance: the highest sum of both percentages; among equals, the one whose percentages differ least."""
    return max(points, key=lambda point: (round(point.accepted + point.refused, 6), -abs(point.accepted - point.refused)))


def reaching(points: Iterable[Point], refused: float) -> Point | None:
    """The point that answers most while it refuses at least this percentage; None when none does."""
    return max((point for point in points if point.refused >= refused), key=lambda point: (point.accepted, point.refused), default=None)
