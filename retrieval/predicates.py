"""How much a predicate counts under an intent: patterns from the settings, the most specific match wins."""

from __future__ import annotations

from collections.abc import Mapping

ANY = "*"
"""Section of the weights that holds under every intent."""


def predicate_weight(weights: Mapping[str, Mapping[str, float]], intent: str, predicate: str) -> float:
    """Weight of `predicate`: from the intent's own patterns, else from those for any intent, else 1."""
    for section in (intent, ANY):
        found = _best(weights.get(section, {}), predicate)
        if found is not None:
            return found
    return 1.0


def _best(patterns: Mapping[str, float], predicate: str) -> float | None:
    """The whole predicate, else the longest `prefix*` that fits it."""
    if predicate in patterns:
        return patterns[predicate]
    fitting = [pattern for pattern in patterns if pattern.endswith("*") and predicate.startswith(pattern[:-1])]
    return patterns[max(fitting, key=len)] if fitting else None
