"""The vocabulary of evaluation: what came of one question, what is measured over all, what makes one fail."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from pipeline.evaluate.questions import ExpectedFact, Question, squash
from retrieval.context import Context
from retrieval.model import Fact

DEPTH = 5
"""Places of the ranking within which all expected concepts must be for a question to pass."""
BEGINNING = 80
"""Characters of a gold paragraph that are looked for: a passage may end before the paragraph does."""
TIERS = ("human-reviewed", "machine-confirmed", "unverified")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one question."""

    question: Question
    confident: bool
    """Whether it was answered."""
    reason: str
    """Why, or why not."""
    context: Context
    """The answer with the gate off, so that ranking is judged apart from refusing."""
    seconds: float
    """From question to answer, by the clock."""


class Measure(NamedTuple):
    """A number over a set of questions: the mean of what each contributes, as a percentage."""

    name: str
    meaning: str
    shares: Callable[[Outcome], Iterable[float]]
    """What one question contributes, each from 0 to 1; nothing when the measure does not apply to it."""


class Score(NamedTuple):
    """A measure's value."""

    value: float
    """Percentage, one decimal."""
    n: int
    """How many shares it is the mean of."""


def recall(outcome: Outcome, depth: int) -> list[float]:
    """The share of expected concepts within the first `depth` of the ranking."""
    expected = set(outcome.question.expected)
    return [len(expected.intersection(outcome.context.concepts[:depth])) / len(expected)] if expected else []


def all_found(outcome: Outcome) -> list[bool]:
    return [share == 1 for share in recall(outcome, DEPTH)]


def seed_first(outcome: Outcome) -> list[bool]:
    """Whether the first seed is the one labelled, or else any expected one."""
    wanted = (outcome.question.first_seed,) if outcome.question.first_seed else outcome.question.expected
    return [bool(outcome.context.seeds) and outcome.context.seeds[0].path in wanted] if wanted else []


def facts_found(outcome: Outcome) -> list[bool]:
    return [any(states(fact, wanted) for fact in outcome.context.facts) for wanted in outcome.question.facts]


def facts_first(outcome: Outcome) -> list[bool]:
    """Whether an expected fact stands before all others of its subject and predicate."""
    firsts = (next((fact for fact in outcome.context.facts if is_kind(fact, wanted)), None) for wanted in outcome.question.facts)
    return [first is not None and states(first, wanted) for first, wanted in zip(firsts, outcome.question.facts)]


def passages(outcome: Outcome) -> list[bool]:
    """Whether one of the gold paragraphs stands in the context, at least with its beginning."""
    prose = [squash(passage.text) for passage in outcome.context.background]
    wanted = [squash(paragraph)[:BEGINNING] for paragraph in outcome.question.paragraphs]
    return [any(beginning in text for beginning in wanted for text in prose)] if wanted else []


def trust_held(outcome: Outcome) -> list[bool]:
    """Whether, of facts that differ in trust and staleness only, none stands before a better one (§6.4)."""
    alike: dict[tuple, list[Fact]] = {}
    for fact in outcome.context.facts:
        factors = sorted((name, round(value, 9)) for name, value in fact.factors.items() if name not in ("trust", "stale"))
        alike.setdefault((fact.superseded_by is None, *factors), []).append(fact)
    pairs = [(_rank(one), _rank(other)) for group in alike.values() for one, other in combinations(group, 2)]
    told = [pair for pair in pairs if pair[0] != pair[1]]
    return [not any(one[0] >= other[0] and one[1] >= other[1] for one, other in told)] if told else []


def _rank(fact: Fact) -> tuple[int, bool]:
    """Trust tier from 0, the best, and staleness: less is better in both."""
    return TIERS.index(fact.trust), fact.stale


def accepted(outcome: Outcome) -> list[bool]:
    return [outcome.confident] if outcome.question.in_bundle else []


def refused(outcome: Outcome) -> list[bool]:
    return [] if outcome.question.in_bundle else [not outcome.confident]


MEASURES = (
    Measure("recall@2", "expected concepts among the first two", lambda outcome: recall(outcome, 2)),
    Measure("recall@5", "expected concepts among the first five", lambda outcome: recall(outcome, 5)),
    Measure("recall@10", "expected concepts among the first ten", lambda outcome: recall(outcome, 10)),
    Measure("all@5", "questions with all expected concepts among the first five", all_found),
    Measure("seed_first", "questions whose first seed is the expected one", seed_first),
    Measure("facts", "expected facts in the context", facts_found),
    Measure("facts_first", "expected facts before others of their subject and predicate", facts_first),
    Measure("passages", "questions with a gold paragraph in the context", passages),
    Measure("trust", "questions whose facts stand in order of trust, all else equal", trust_held),
    Measure("accepted", "in-bundle questions answered", accepted),
    Measure("refused", "out-of-bundle questions refused", refused),
)


def scores(outcomes: Iterable[Outcome]) -> dict[str, Score]:
    """Every measure that applies, in the order above, and `refused:TIER` for each tier."""
    outcomes = list(outcomes)
    tiers = sorted({outcome.question.tier for outcome in outcomes} - {""})
    by_tier = [Measure(f"refused:{tier}", "", lambda outcome, tier=tier: refused(outcome) if outcome.question.tier == tier else [])
               for tier in tiers]
    found = {measure.name: [share for outcome in outcomes for share in measure.shares(outcome)] for measure in (*MEASURES, *by_tier)}
    return {name: Score(round(100 * sum(shares) / len(shares), 1), len(shares)) for name, shares in found.items() if shares}


def faults(outcome: Outcome) -> Iterator[str]:
    """What is wrong with an answer, one sentence each; a question passes when there is nothing."""
    question, context = outcome.question, outcome.context
    if outcome.confident is not question.in_bundle:
        yield f"{'answered' if outcome.confident else 'refused'}: {outcome.reason}"
    if not question.in_bundle:
        return
    for path in question.expected:
        if path not in context.concepts[:DEPTH]:
            place = f"is number {context.concepts.index(path) + 1}" if path in context.concepts else "is not found"
            yield f"{path} {place}; first are {', '.join(context.concepts[:3]) or 'none'}"
    if question.first_seed and seed_first(outcome) == [False]:
        yield f"{question.first_seed} does not seed first; {context.seeds[0].path if context.seeds else 'nothing'} does"
    for wanted, found in zip(question.facts, facts_found(outcome)):
        if not found:
            yield f"the context does not state: {wanted}"
    if passages(outcome) == [False]:
        yield "no gold paragraph stands in the context"
    if trust_held(outcome) == [False]:
        yield "a less trusted fact stands before a better one like it"


def is_kind(fact: Fact, wanted: ExpectedFact) -> bool:
    return fact.predicate == wanted.predicate and squash(fact.subject_title) == squash(wanted.subject)


def states(fact: Fact, wanted: ExpectedFact) -> bool:
    """Whether a fact is the expected one, or tells it from its other end, since the two directions of a fact appear once.

    A labelled date may be coarser or finer than the fact's.
    """
    ends = squash(fact.subject_title), squash(fact.object_path or fact.object_literal or "")
    told = is_kind(fact, wanted) and ends[1] == squash(wanted.object)
    other_way = bool(fact.date) and (squash(fact.subject_path), squash(fact.object_title or "")) == (squash(wanted.object), squash(wanted.subject))
    date = fact.date or ""
    return (told or other_way) and (wanted.date is None or bool(date) and (date.startswith(wanted.date) or wanted.date.startswith(date)))
