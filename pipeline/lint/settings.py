"""The `lint:` section of wiki.yaml."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field

from pipeline.lint import CHECKS
from pipeline.model import LEVELS
from pipeline.paths import demand_inside


@dataclass(frozen=True, slots=True)
class DriftSettings:
    """What `predicate-drift` takes for synonyms."""

    shared: int = 2
    """Least number of subject–object pairs that bear both predicates."""
    overlap: float = 0.5
    """Least share of the rarer predicate's pairs that bear the other one too."""


@dataclass(frozen=True, slots=True)
class LintSettings:
    """Which checks run, how much each weighs, and which findings are accepted."""

    fail_on: str = "error"
    """The mildest level that makes lint fail: error, warning or info; `never` to report only."""
    ignore: tuple[str, ...] = ()
    """Checks whose findings are not told."""
    levels: dict[str, str] = field(default_factory=dict)
    """Another level for a check: `{orphan: info}`."""
    baseline: str = "lint-baseline.json"
    """File in the bundle that holds accepted findings; kept in git."""
    predicate_drift: DriftSettings = field(default_factory=DriftSettings)

    def __post_init__(self) -> None:
        demand_inside(baseline=self.baseline)
        if self.fail_on not in (*LEVELS, "never"):
            raise ValueError(f"fail_on: {self.fail_on!r} is none of {', '.join(LEVELS)}, never")
        for check, level in self.levels.items():
            if level not in LEVELS:
                raise ValueError(f"levels.{check}: {level!r} is none of {', '.join(LEVELS)}")
        for check in (*self.ignore, *self.levels):
            _demand_known(check)


def _demand_known(check: str) -> None:
    """Refuse what looks like a misspelt check. Validation has ids of its own, so an unlike name may be one of them."""
    if check not in CHECKS and (close := difflib.get_close_matches(check, CHECKS, 1, 0.8)):
        raise ValueError(f"there is no check {check!r}; did you mean {close[0]!r}?")
