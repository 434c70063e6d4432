"""Labelled bundles, and their questions read once: ablation asks the same ones many times over."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from retrieval.expand import expand
from retrieval.fit import Fit
from retrieval.intent import detect_intent
from retrieval.model import Expansion, Seed
from retrieval.query import Query, understand
from retrieval.seeds import find_seeds
from retrieval.settings import RetrievalSettings
from retrieval.snapshot import Snapshot, open_snapshot
from retrieval.embedders import open_embedder

TODAY = "2026-01-01"


@dataclass(frozen=True)
class Question:
    """A labelled question, with its vector once that was asked for."""

    text: str
    in_bundle: bool
    tier: str
    """Kind of the question."""
    expected: frozenset[str]
    """Concept paths."""
    lowered: bool = False
    """Whether it is a copy in lower case of another question."""


@dataclass(frozen=True)
class LabelledBundle:
    """A built bundle and its labelled questions."""

    name: str
    snapshot: Snapshot
    questions: tuple[Question, ...]

    @cached_property
    def _embedder(self):
        return open_embedder(self.snapshot.meta["embedder"], self.snapshot.embedding) if self.snapshot.has_vectors else None

    @cached_property
    def _vectors(self) -> dict[str, bytes]:
        return {}

    def vector(self, question: Question) -> bytes | None:
        """The question's vector; None in a bundle without."""
        if self._embedder is None:
            return None
        if question.text not in self._vectors:
            self._vectors[question.text] = self._embedder.query(question.text)
        return self._vectors[question.text]

    def seeds(self, question: Question, settings: RetrievalSettings, vectors: bool = True) -> tuple[Query, tuple[Seed, ...]]:
        """The question as understood, and its seeds."""
        con = self.snapshot.con
        query = understand(question.text, con, self.snapshot.tokenizer, TODAY)
        vector = self.vector(question) if vectors else None
        return query, find_seeds(query, detect_intent(question.text), vector, self.snapshot.vectors, con, settings)

    def expansion(self, question: Question, query: Query, seeds: Sequence[Seed], settings: RetrievalSettings) -> Expansion:
        """What the walk from the seeds reaches."""
        con = self.snapshot.con
        return expand(seeds, query, detect_intent(question.text), con, Fit(query, self.snapshot.tokenizer), settings, TODAY)


def load(folder: Path) -> LabelledBundle:
    """A built bundle with its evaluate.json."""
    rows = json.loads((folder / "evaluate.json").read_text(encoding="utf-8"))
    rows = rows if isinstance(rows, list) else rows["questions"]
    return LabelledBundle(folder.name, open_snapshot(folder / "wiki.db"), tuple(
        Question(row["question"], row["in_bundle"], row.get("tier") or "in", frozenset(
            "/" + path.lstrip("/") for path in row.get("expected", []))) for row in rows))
