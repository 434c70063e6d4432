"""An open wiki: answers questions, keeps connection and embedder between them, notices a republished wiki.db."""

from __future__ import annotations

import time
from functools import cache, partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from retrieval.compose import Block, check_budget, compose
from retrieval.confidence import Verdict, judge
from retrieval.context import Context
from retrieval.damage import damage_told
from retrieval.errors import WikiMismatch
from retrieval.expand import expand
from retrieval.fit import Fit
from retrieval.intent import detect_intent
from retrieval.model import Expansion
from retrieval.query import understand
from retrieval.seeds import find_seeds
from retrieval.serialize import refuse
from retrieval.snapshot import Snapshot, identity_of, open_snapshot
from retrieval.tokens import count

if TYPE_CHECKING:
    from datetime import date

    from retrieval.embedders import Embedder

FACT_TOKENS = 15
"""Tokens of a short fact line."""


class Wiki:
    """A bundle's compiled wiki, open for any number of questions.

    `embedder` stands in for the one the wiki was built with, and must make comparable vectors.
    Raises WikiNotBuilt, WikiDamaged, WikiMismatch; questions may also raise EmbedderError.
    """

    def __init__(self, bundle: str | PathLike[str] = "bundle", embedder: Embedder | None = None) -> None:
        self.bundle = Path(bundle)
        self._file = self.bundle / "wiki.db"
        self._given = embedder
        self._snapshot, self._embedder = self._open()

    def context_for(self, question: str, budget: int | None = None, today: date | str | None = None,
                    require_confidence: bool = True) -> Context:
        """The slice of the graph that answers `question`, within `budget` tokens (default: the bundle's setting).

        `today` decides what is stale (default: the date now, UTC). When the bundle does not cover the question the
        context is empty and says so, unless `require_confidence` is false.
        """
        snapshot = self._current()
        budget = check_budget(snapshot.settings.budget if budget is None else budget)
        today = _iso(today)
        with damage_told(self._file), snapshot.con:  # one read transaction: no two builds mix in one answer
            return self._answer(snapshot, question, budget, today, require_confidence)

    def _answer(self, snapshot: Snapshot, question: str, budget: int, today: str, require_confidence: bool) -> Context:
        con, settings = snapshot.con, snapshot.settings
        query = understand(question, con, snapshot.tokenizer, today)
        intent = detect_intent(query.text)
        vector = self._embedder.query(question) if self._embedder else None
        seeds = find_seeds(query, intent, vector, snapshot.vectors, con, settings)
        fit = Fit(query, snapshot.tokenizer)
        expansion = expand(seeds, query, intent, con, fit, settings, today)
        verdict = judge(query, fit, seeds, expansion, snapshot.meta["embedder"] if vector else "none",
                        settings.confidence_threshold, con)
        if verdict.confident or not require_confidence:
            block = compose(con, query, fit, vector, _that_fit(expansion, budget), budget, settings, snapshot.notice)
        else:
            block = _refusal(verdict, budget, snapshot.notice)
        return Context(
            question, intent, verdict.confident, verdict.reason, seeds, tuple(one.path for one in expansion.concepts),
            block.facts, block.background, block.tokens, budget, snapshot.meta.get("generation", ""), block.text,
            cache(partial(self._is_current, con)), verdict)

    def _is_current(self, con: apsw.Connection) -> bool:
        from retrieval.freshness import is_current  # most askers never want to know
        with damage_told(self._file):
            return is_current(self.bundle, con)

    def _current(self) -> Snapshot:
        if identity_of(self._file) != self._snapshot.identity:
            self._snapshot, self._embedder = self._open()
        return self._snapshot

    def _open(self) -> tuple[Snapshot, Embedder | None]:
        snapshot = open_snapshot(self._file)
        if not snapshot.has_vectors:
            return snapshot, None
        from retrieval.embedders import open_embedder
        meta = snapshot.meta
        embedder = self._given or open_embedder(meta["embedder"], snapshot.embedding)
        if not embedder.comparable(meta.get("fingerprint", "")):
            raise WikiMismatch(
                f"{self._file} was built with another embedding model ({meta['embedder']} {meta.get('model', '')})"
                " than the one at hand: run `doit reindex` to embed the bundle again.")
        return snapshot, embedder


def _iso(today: date | str | None) -> str:
    """The day as an ISO date. Raises ValueError for text that is none."""
    if today is None:
        return time.strftime("%Y-%m-%d", time.gmtime())
    from datetime import date
    return (date.fromisoformat(today) if isinstance(today, str) else today).isoformat()[:10]


def _that_fit(expansion: Expansion, budget: int) -> Expansion:
    """No more facts than the budget could hold, were it all theirs."""
    return expansion._replace(facts=expansion.facts[:budget // FACT_TOKENS + 1])


def _refusal(verdict: Verdict, budget: int, notice: str) -> Block:
    text = refuse(verdict.reason, budget, notice)
    return Block((), (), count(text), text)
