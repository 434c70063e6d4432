"""Measures how well an edge answers those words of a question that the concept it starts from does not explain."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from os.path import commonprefix
from typing import NamedTuple

import apsw

from retrieval.edges import Edge, Link
from retrieval.query import Query, Term
from retrieval.stopwords import STOPWORDS
from retrieval.synonyms import SETS

BASE, PREDICATE, NEAR, SENTENCE = 0.2, 0.4, 0.2, 0.2
"""What an edge gets for being there, for its predicate (or the words right around its link) naming what is asked,
for those words, and for the whole sentence. Measured on three labelled sets (docs/quality.md)."""
BEFORE, AFTER = 6, 4
"""Words around a link that say what it is there for: 'directed by [Ann Lee], who …'."""
OUTWARD_OF = 0.7
"""`child_of` tells what its subject is; who asks for a child looks for the other end."""


class Token(NamedTuple):
    stem: str
    text: str


class Evidence(NamedTuple):
    """What the links between two concepts say: shares of the open words, by weight."""

    near: float = 0.0
    sentence: float = 0.0


class Fit:
    """Compares the words of one question with predicates and sentences."""

    def __init__(self, query: Query, tokenizer: apsw.FTS5Tokenizer) -> None:
        self._tokenizer = tokenizer
        self.terms = query.terms
        self._predicates: dict[str, list[Token]] = {}

    def unexplained(self, terms: Sequence[Term], title: str) -> tuple[Term, ...]:
        """The terms that do not stand in a title."""
        explained = {token.stem for token in self._tokens(title)}
        return tuple(term for term in terms if term.text not in explained)

    def evidence(self, links: Iterable[Link], terms: Sequence[Term]) -> Evidence:
        """The best that the links between two concepts bring."""
        found = [self._evidence(link, terms) for link in links]
        return Evidence(max((one.near for one in found), default=0.0), max((one.sentence for one in found), default=0.0))

    def edge(self, edge: Edge, start: str, evidence: Evidence, terms: Sequence[Term]) -> float:
        """Fit of a relation walked from `start`, between 0 and 1."""
        named = self._predicate(edge.predicate, terms)
        if named and edge.subject_path == start and edge.predicate.endswith("_of"):
            named = OUTWARD_OF
        return (BASE + PREDICATE * max(named, evidence.near) + NEAR * evidence.near + SENTENCE * evidence.sentence)

    def link(self, evidence: Evidence) -> float:
        """Fit of a prose link, between 0 and 1."""
        return BASE + (PREDICATE + NEAR) * evidence.near + SENTENCE * evidence.sentence

    def _predicate(self, predicate: str, terms: Sequence[Term]) -> float:
        if predicate not in self._predicates:
            self._predicates[predicate] = [
                token for token in self._tokens(predicate.replace("_", " ")) if token.text not in STOPWORDS]
        return float(any(alike(term, token) for token in self._predicates[predicate] for term in terms))

    def _evidence(self, link: Link, terms: Sequence[Term]) -> Evidence:
        tokens = self._tokens(link.sentence)
        name = self._tokens(link.text)[:1]
        at = tokens.index(name[0]) if name and name[0] in tokens else None
        near = tokens if at is None else tokens[max(0, at - BEFORE):at + AFTER]
        return Evidence(coverage(near, terms), coverage(tokens, terms))

    def _tokens(self, text: str) -> list[Token]:
        raw = text.encode("utf-8", "replace")
        return [Token(found[2], raw[found[0]:found[1]].decode("utf-8", "replace").lower())
                for found in self._tokenizer(raw, apsw.FTS5_TOKENIZE_QUERY, None)]


def coverage(tokens: Sequence[Token], terms: Sequence[Term]) -> float:
    """Share of the terms, by weight, that stand among the tokens or mean the same relation as one of them."""
    total = sum(term.weight for term in terms)
    stems = {token.stem for token in tokens}
    texts = {token.text for token in tokens}
    met = sum(term.weight for term in terms
              if term.text in stems or any(alike_words(term.shown, text) for text in texts))
    return met / total if total else 0.0


def alike(term: Term, token: Token) -> bool:
    """Whether two words share their stem, their beginning, or a set of synonyms."""
    return term.text == token.stem or alike_words(term.shown, token.text)


@lru_cache(100_000)
def alike_words(one: str, other: str) -> bool:
    """Whether two words begin alike for five letters and half of the longer, or share a set of synonyms."""
    if not SETS.get(one, frozenset()).isdisjoint(SETS.get(other, frozenset())):
        return True
    shared = len(commonprefix((one, other)))
    return shared >= 5 and shared * 2 >= max(len(one), len(other))
