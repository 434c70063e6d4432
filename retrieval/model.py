"""The values that cross the steps of an answer: a seed, a fact, and what expansion reached."""

from collections.abc import Mapping
from typing import NamedTuple


class Seed(NamedTuple):
    """A concept the question leads to directly."""

    path: str
    """Concept path."""
    title: str
    score: float
    """Fused score of all signals (§6.1 of the specification); comparable within one question only."""
    signals: Mapping[str, int | None]
    """Rank from 0 in `title`, `bm25` and `vector`; None where the signal did not find it."""
    bm25: float | None = None
    """BM25 score; None where that signal did not find it."""
    cosine: float | None = None
    """Cosine of the question with its nearest piece; None where the vector signal did not find it."""
    stands_for: tuple[str, ...] = ()
    """The superseded concepts that the question names and whose chains end here."""


class Fact(NamedTuple):
    """One edge as an answer may state it."""

    subject_path: str
    subject_title: str
    predicate: str
    object_path: str | None
    """None when the object is a literal."""
    object_title: str | None
    """Title of the object's concept; derived from the path while that is not yet written; None for a literal."""
    object_literal: str | None
    date: str | None
    """ISO 8601 year, year-month or date since when the fact holds."""
    source: str | None
    """Id among the subject's sources."""
    trust: str
    """The subject's trust tier: unverified | machine-confirmed | human-reviewed."""
    stale: bool
    """Whether the subject was past its stale_after on the day asked about."""
    superseded_by: str | None
    """Successor of the subject, when the subject is superseded."""
    superseded_at: str | None
    """ISO 8601 date of that replacement, when known."""
    hop: int
    """Edges between the nearest seed and this fact, itself included: from 1."""
    score: float
    """Product of `factors`."""
    factors: Mapping[str, float]
    """What the score is made of, by name; shown by --explain."""
    text: str = ""
    """The line as the context block shows it; empty until selection renders it."""


class Reached(NamedTuple):
    """A concept with its place in the ranking."""

    path: str
    title: str
    score: float
    """Own match with the question plus what seeds lend it over edges and links."""
    hop: int
    """0 for a seed, otherwise edges from the nearest one."""


class Expansion(NamedTuple):
    """What the graph around the seeds holds for a question."""

    concepts: tuple[Reached, ...]
    """Best first; ties by concept path."""
    facts: tuple[Fact, ...]
    """Best first; the two directions of one fact stand once, as the side nearer to a seed says it."""
