"""What a question gets back: the block for the prompt, and everything it was made of."""

from collections.abc import Callable
from typing import Any, NamedTuple

from retrieval.confidence import Verdict
from retrieval.model import Fact, Seed


class Passage(NamedTuple):
    """A stretch of a concept's body, word for word; `[…]` in its last line says that the room ended there."""

    path: str
    """Concept path."""
    title: str
    heading: str
    """The headings above it, joined by " > "; empty when there are none."""
    text: str
    superseded_by: str | None = None
    """Successor of the concept, when it is superseded."""
    superseded_at: str | None = None
    """ISO 8601 date of that replacement, when known."""


class Context(NamedTuple):
    """The answer to one question; its `text` goes into the prompt as it stands."""

    question: str
    intent: str
    """WHY | WHEN | ENTITY | HISTORICAL | GENERAL."""
    confident: bool
    """Whether the bundle covers the question."""
    reason: str
    """One sentence: why confident, or why not."""
    seeds: tuple[Seed, ...]
    """Concepts the question leads to directly, best first."""
    concepts: tuple[str, ...]
    """Concept paths, best first: seeds and what expansion reached."""
    facts: tuple[Fact, ...]
    """Facts that stand in `text`, in its order."""
    background: tuple[Passage, ...]
    """Prose that stands in `text`, in its order."""
    tokens: int
    """Estimate for `text`; never above `budget`."""
    budget: int
    generation: str
    """Which build of wiki.db answered."""
    text: str
    """The block for the prompt; when not confident, a sentence that says so."""
    check_current: Callable[[], bool]
    """Tells whether the concept files are those the build saw; asked only when someone wants to know."""
    verdict: Verdict | None = None
    """What the decision about `confident` was made of; shown by --explain."""

    def __str__(self) -> str:
        return self.text

    def __eq__(self, other: object) -> bool:
        """Whether it is the same answer, each with its own look at the files."""
        return isinstance(other, Context) and self._replace(check_current=bool)[:] == other._replace(check_current=bool)[:]

    def __ne__(self, other: object) -> bool:
        return not self == other

    @property
    def index_is_current(self) -> bool:
        """False when concept files changed since the build."""
        return self.check_current()

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain JSON values."""
        return {
            "question": self.question,
            "intent": self.intent,
            "confident": self.confident,
            "reason": self.reason,
            "seeds": [_plain(seed) for seed in self.seeds],
            "concepts": list(self.concepts),
            "facts": [_plain(fact) for fact in self.facts],
            "background": [passage._asdict() for passage in self.background],
            "tokens": self.tokens,
            "budget": self.budget,
            "generation": self.generation,
            "index_is_current": self.index_is_current,
            "text": self.text,
        }


def _plain(value: Seed | Fact) -> dict[str, Any]:
    """The fields; a mapping among them becomes a dict, a tuple a list."""
    fields = value._asdict().items()
    return {name: dict(item) if hasattr(item, "keys") else list(item) if isinstance(item, tuple) else item for name, item in fields}
