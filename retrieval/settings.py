"""Every number that shapes an answer: its name, its meaning, its default and where the default comes from.

The build writes the values in force into `meta.settings`; a reader takes them from there.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class RetrievalSettings:
    """The `retrieval:` section of wiki.yaml."""

    budget: int = 2000
    """Tokens a context block may hold when the caller names no budget."""
    hop_limit: int = 2
    """Edges between a seed and the farthest fact (§6.3 of the specification)."""
    hop_decay: float = 0.6
    """Factor on a fact's score for each hop (§6.3)."""
    trust_multiplier: dict[str, float] = field(
        default_factory=lambda: {"human-reviewed": 1.0, "machine-confirmed": 0.8, "unverified": 0.6})
    """Factor by the subject's trust tier (§6.3)."""
    superseded_multiplier: float = 0.15
    """Factor on facts of superseded concepts (§7.7)."""
