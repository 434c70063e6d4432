"""The `evaluate:` section of wiki.yaml."""

from __future__ import annotations

from dataclasses import dataclass, field

from pipeline.paths import demand_inside


@dataclass(frozen=True, slots=True)
class EvaluateSettings:
    """Which questions are asked, and how well they must be answered."""

    questions: str = "evaluate.json"
    """File in the bundle with the labelled questions."""
    accepted: str = "evaluate-accepted.json"
    """File in the bundle that keeps the last accepted scores, in git."""
    minimum: dict[str, float] = field(default_factory=dict)
    """Least percentage of a measure, or of `refused:TIER`; evaluation fails below it."""
    tolerance: float = 2.0
    """Percentage points a measure may fall below the accepted scores before evaluation fails."""

    def __post_init__(self) -> None:
        demand_inside(questions=self.questions, accepted=self.accepted)
