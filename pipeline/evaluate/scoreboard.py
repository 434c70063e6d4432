"""An evaluation set against the last accepted one, as text for a person and as JSON."""

from __future__ import annotations

import json
import statistics
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.beside import UnreadableFile, read_beside
from pipeline.evaluate.run import Evaluation
from pipeline.evaluate.settings import EvaluateSettings
from pipeline.evaluate.measures import Outcome
from retrieval.errors import WikiError

SEEDS_SHOWN = 3


class AcceptedError(WikiError):
    """The file of accepted scores cannot be read."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """What was accepted last."""

    scores: Mapping[str, float]
    failing: frozenset[str]
    """Ids of the questions that failed then."""


def read_accepted(path: Path) -> Accepted | None:
    """The accepted scores; None when there are none yet. Raises AcceptedError."""
    try:
        text = read_beside(path)
        if text is None:
            return None
        data = json.loads(text)
        return Accepted({name: float(value) for name, value in data["scores"].items()}, frozenset(map(str, data["failing"])))
    except (UnreadableFile, ValueError, TypeError, KeyError, AttributeError, RecursionError) as fault:
        raise AcceptedError(f"{path} holds no accepted scores ({fault}); write it anew with doit evaluate --accept.") from None


def accepted_json(evaluation: Evaluation) -> str:
    """What the next run compares with: scores and failing questions, nothing that changes from run to run."""
    scores = {name: score.value for name, score in evaluation.scores.items()}
    return json.dumps({"scores": scores, "failing": sorted(evaluation.failing)}, ensure_ascii=False, indent=1) + "\n"


def fallen(evaluation: Evaluation, accepted: Accepted | None, tolerance: float) -> list[str]:
    """The measures that fell further below the accepted scores than tolerated."""
    before = accepted.scores if accepted else {}
    return [name for name, score in evaluation.scores.items() if name in before and round(before[name] - score.value, 1) > tolerance]


def passes(evaluation: Evaluation, accepted: Accepted | None, settings: EvaluateSettings) -> bool:
    """Whether nothing is below its minimum, nothing has fallen, and the questions are free of errors."""
    broken = any(finding.level == "error" for finding in evaluation.findings)
    return not (broken or evaluation.below(settings.minimum) or fallen(evaluation, accepted, settings.tolerance))


def text(evaluation: Evaluation, accepted: Accepted | None, settings: EvaluateSettings) -> str:
    """What is wrong with the file, the failing questions with the reasons, the scores, what changed."""
    blocks = ["".join(f"{finding}\n" for finding in evaluation.findings)]
    blocks += [_failure(outcome, evaluation.failing[outcome.question.id])
               for outcome in evaluation.outcomes if outcome.question.id in evaluation.failing]
    blocks += [_table(evaluation, accepted, settings), _changes(evaluation, accepted)]
    return "\n".join(block for block in blocks if block)


def _failure(outcome: Outcome, why: tuple[str, ...]) -> str:
    lines = [f"{outcome.question.id}: {outcome.question.text}"] if outcome.question.id != outcome.question.text else [outcome.question.id]
    lines += [f"  {reason}" for reason in why]
    lines += [f"  seed {seed.title} ({seed.path}): " + ", ".join(
        f"{signal} {'-' if rank is None else rank + 1}" for signal, rank in seed.signals.items())
        for seed in outcome.context.seeds[:SEEDS_SHOWN]]
    return "\n".join(lines) + "\n"


def _table(evaluation: Evaluation, accepted: Accepted | None, settings: EvaluateSettings) -> str:
    missed = {*evaluation.below(settings.minimum), *fallen(evaluation, accepted, settings.tolerance)}
    lines = [f"{'':20} {'score':>6} {'n':>5} {'accepted':>9} {'minimum':>8}"]
    for name, score in evaluation.scores.items():
        before = f"{accepted.scores[name]:9.1f}" if accepted and name in accepted.scores else f"{'-':>9}"
        least = f"{settings.minimum[name]:8.1f}" if name in settings.minimum else f"{'-':>8}"
        lines.append(f"{name:20} {score.value:6.1f} {score.n:5} {before} {least}{'  FAILS' if name in missed else ''}")
    total = len(evaluation.outcomes)
    seconds = statistics.median(outcome.seconds for outcome in evaluation.outcomes) if total else 0.0
    lines.append(f"{total - len(evaluation.failing)} of {total} questions pass; {1000 * seconds:.0f} ms a question.")
    return "\n".join(lines) + "\n"


def _changes(evaluation: Evaluation, accepted: Accepted | None) -> str:
    if accepted is None:
        return "Nothing to compare with: doit evaluate --accept keeps these scores.\n"
    asked = {outcome.question.id for outcome in evaluation.outcomes}
    worse = sorted(set(evaluation.failing) - accepted.failing)
    better = sorted((accepted.failing & asked) - set(evaluation.failing))
    lines = [f"{word} than accepted: {', '.join(names)}" for word, names in (("Worse", worse), ("Better", better)) if names]
    return "\n".join(lines or ["The same questions fail as in the accepted scores." if evaluation.failing else "Every question passes."]) + "\n"


def as_json(evaluation: Evaluation, accepted: Accepted | None, settings: EvaluateSettings) -> str:
    """Scores, comparison, and for every question what came of it."""
    return json.dumps({
        "passes": passes(evaluation, accepted, settings),
        "scores": {name: score._asdict() for name, score in evaluation.scores.items()},
        "minimum": settings.minimum,
        "accepted": dict(accepted.scores) if accepted else None,
        "below_minimum": evaluation.below(settings.minimum),
        "fallen": fallen(evaluation, accepted, settings.tolerance),
        "findings": [finding.to_dict() for finding in evaluation.findings],
        "questions": [_plain(outcome, evaluation) for outcome in evaluation.outcomes],
    }, ensure_ascii=False, indent=1) + "\n"


def _plain(outcome: Outcome, evaluation: Evaluation) -> dict[str, Any]:
    context = outcome.context
    return {
        "id": outcome.question.id, "question": outcome.question.text, "in_bundle": outcome.question.in_bundle,
        "confident": outcome.confident, "reason": outcome.reason, "why": list(evaluation.failing.get(outcome.question.id, ())),
        "intent": context.intent, "concepts": list(context.concepts[:10]), "tokens": context.tokens,
        "seeds": [{"path": seed.path, "score": seed.score, "signals": dict(seed.signals)} for seed in context.seeds[:SEEDS_SHOWN]],
        "facts": [{"text": fact.text, "score": fact.score, "factors": dict(fact.factors)} for fact in context.facts[:10]],
        "milliseconds": round(1000 * outcome.seconds, 1),
    }
