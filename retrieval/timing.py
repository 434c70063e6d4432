"""Chooses among dated facts: which of a kind held at the time a question asks about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from retrieval.dates import Period, span_of

IN_FORCE = 1.0
"""A fact that began in the time asked about, or the latest that began before it."""
EARLIER = 0.8
"""A fact that began before the one in force; it may still hold, as prizes and memberships do."""
UNDATED = 0.85
"""A fact without a date among dated ones."""
LATER = 0.3
"""A fact that began after the time asked about."""
OLDER = 0.98
"""Factor for each step further back, so that earlier facts come latest first."""


def time_factors(kinds: Sequence[object], dates: Sequence[str | None], period: Period | None) -> list[float]:
    """A factor for each fact, given its kind (facts of one kind compete) and its date."""
    if period is None:
        return [1.0] * len(dates)
    spans = [span_of(date) if date else None for date in dates]
    starts: dict[object, set[str]] = defaultdict(set)
    for kind, span in zip(kinds, spans):
        if span and span.first <= period.last:
            starts[kind].add(span.first)
    order = {kind: sorted(found, reverse=True) for kind, found in starts.items()}
    return [_factor(span, period, order.get(kind, [])) for kind, span in zip(kinds, spans)]


def _factor(span: Period | None, period: Period, starts: Sequence[str]) -> float:
    if span is None:
        return UNDATED
    if span.first > period.last:
        return LATER
    if span.first == starts[0] or span.first >= period.first:
        return IN_FORCE
    return EARLIER * OLDER ** starts.index(span.first)
