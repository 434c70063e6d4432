"""Asks a wiki its labelled questions and sets the scores against what the bundle demands (seed §7.5)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from pipeline.evaluate.measures import Outcome, Score, faults, scores
from pipeline.model import Finding
from pipeline.evaluate.questions import Question, Questions
from retrieval.context import Context


class Answers(Protocol):
    """What is evaluated: a `retrieval.Wiki`."""

    def context_for(self, question: str, *, today: str | None = None, require_confidence: bool = True) -> Context: ...


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All outcomes, and what they come to."""

    outcomes: tuple[Outcome, ...]
    """In the order of the file."""
    scores: dict[str, Score]
    failing: dict[str, tuple[str, ...]]
    """Id of each question that fails, with the reasons."""
    findings: tuple[Finding, ...]
    """What is wrong with the file of questions."""

    def below(self, minimum: dict[str, float]) -> list[str]:
        """The measures that miss their least value; one that applies to no question is not missed."""
        return [name for name, least in minimum.items() if name in self.scores and self.scores[name].value < least]


def evaluate(wiki: Answers, questions: Questions, today: str | None = None,
             progress: Callable[[int, int], None] = lambda done, total: None) -> Evaluation:
    """Ask every question; one that is refused is asked again with the gate off, to judge the ranking all the same."""
    outcomes = []
    for done, question in enumerate(questions.rows, 1):
        outcomes.append(_ask(wiki, question, today))
        progress(done, len(questions.rows))
    failing = {outcome.question.id: tuple(faults(outcome)) for outcome in outcomes}
    return Evaluation(tuple(outcomes), scores(outcomes), {name: why for name, why in failing.items() if why}, questions.findings)


def _ask(wiki: Answers, question: Question, today: str | None) -> Outcome:
    start = time.perf_counter()
    gated = wiki.context_for(question.text, today=today)
    seconds = time.perf_counter() - start
    free = gated if gated.confident else wiki.context_for(question.text, today=today, require_confidence=False)
    return Outcome(question, gated.confident, gated.reason, free, seconds)
