"""Tells which words of a question a text holds, and how well an edge answers those that its start does not explain."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import apsw

from retrieval.edges import Link
from retrieval.query import Query, Term
from retrieval.segment import segment
from retrieval.stems import stems_of
from retrieval.stopwords import STOPWORDS
from retrieval.synonyms import SETS

BASE, PREDICATE, NEAR, SENTENCE = 0.25, 0.4, 0.2, 0.15
"""What an edge gets for being there, for its predicate (or the words right around its link) naming what is asked,
for those words, and for the whole sentence. Measured on three labelled sets (docs/quality.md)."""
BEFORE, AFTER = 6, 4
"""Words around a link that say what it is there for: 'directed by [Ann Lee], who …'."""
BEGINNING = 5
"""Letters in which two forms of one word agree, if they are half of the longer: direct, director, direction."""

LETTERS = 2
"""Letters that no reduction of a word changes: dying and die share them."""

_WORD = re.compile(r"[^\W_]+")


class Evidence(NamedTuple):
    """What the links between two concepts say: shares of the open words, by weight."""

    near: float = 0.0
    sentence: float = 0.0


NOTHING = Evidence()


class Fit:
    """Compares the words of one question with titles, predicates, sentences and passages.

    A set of the question's terms is a number whose bits say which terms are in it.
    """

    def __init__(self, query: Query, tokenizer: apsw.FTS5Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._terms = query.terms
        self._stems = {term.text: 1 << at for at, term in enumerate(query.terms)}
        self._beginnings: dict[str, list[tuple[int, Term]]] = {}
        self._sets: dict[int, int] = {}
        for at, term in enumerate(query.terms):
            for beginning in {term.shown[:LETTERS], term.text[:LETTERS]}:
                self._beginnings.setdefault(beginning, []).append((1 << at, term))
            for number in SETS.get(term.shown, ()):
                self._sets[number] = self._sets.get(number, 0) | 1 << at
        self._met: dict[str, int] = {}
        self._stand: dict[str, int] = {}
        self._titles: dict[str, int] = {}
        self._predicates: dict[str, int] = {}
        self._held: dict[tuple[str, int], int] = {}
        self._weights: dict[int, float] = {0: 0.0}
        self.all = self.those(query.terms)
        """All terms of the question."""
        self.known = self.those(term for term in query.terms if term.known)
        """Those that any concept has."""
        self.telling = self.those(term for term in query.terms if term.known and not term.common)
        """Those that tell concepts apart."""

    def those(self, terms: Iterable[Term]) -> int:
        """Some terms of the question, as a number."""
        return sum(self._stems[term.text] for term in terms)

    def held_by(self, text: str, besides: int = 0) -> int:
        """The known terms that stand in a text of any length, as the index reads it; but for some that are not looked for."""
        wanted = self.known & ~besides
        held = self._held.get((text, wanted))
        if held is None:
            held = self._held[text, wanted] = self._reads(text) & wanted if self._may_hold(text, wanted) else 0
        return held

    def _reads(self, text: str) -> int:
        return sum(self._stems[stem] for stem in self._stems.keys() & stems_of(text, self._tokenizer))

    def _may_hold(self, text: str, wanted: int) -> bool:
        """Whether the stem of any wanted term begins a word, but for its last letter, which alone may differ: happy, happi.

        In plain text this is told many times faster than the words are reduced.
        """
        if not text.isascii():
            return bool(wanted)
        text = text.lower()
        return any(bit & wanted and (stem[:-1] or stem) in text for stem, bit in self._stems.items())

    def standing_in(self, title: str) -> int:
        """The terms that stand in a title, word for word."""
        if title in self._titles:
            return self._titles[title]
        terms = 0
        for word in _words(title) if self._may_hold(title, self.all) else ():
            stand = self._stand.get(word)
            if stand is None:
                stand = self._stand[word] = sum({self._stems.get(stem, 0) for stem in self._stems_of(word)})
            terms |= stand
        self._titles[title] = terms
        return terms

    def asked_by(self, predicate: str) -> int:
        """The terms that a predicate answers."""
        if predicate not in self._predicates:
            self._predicates[predicate] = self._union(word for word in _words(predicate) if word not in STOPWORDS)
        return self._predicates[predicate]

    def weight(self, terms: int) -> float:
        """How rare the terms are, together."""
        if terms not in self._weights:
            self._weights[terms] = sum(term.weight for at, term in enumerate(self._terms) if terms >> at & 1)
        return self._weights[terms]

    def evidence(self, links: Iterable[Link], open_terms: int) -> Evidence:
        """The best that the links between two concepts bring."""
        total = self.weight(open_terms)
        if not total:
            return NOTHING
        near = sentence = 0
        found = [self._around(link) for link in links]
        near = max(self.weight(around & open_terms) for around, _ in found)
        sentence = max(self.weight(whole & open_terms) for _, whole in found)
        return Evidence(near / total, sentence / total)

    def with_title(self, evidence: Evidence, title: str, open_terms: int) -> Evidence:
        """The evidence for a concept, when its title too may stand in the question."""
        total = self.weight(open_terms)
        named = self.weight(self.standing_in(title) & open_terms) / total if total else 0.0
        return Evidence(max(evidence.near, named), max(evidence.sentence, named))

    def relation(self, predicate: str, evidence: Evidence, open_terms: int, meant: bool = False) -> float:
        """Fit of a relation, between 0 and 1; `meant`: the intent itself asks for its predicate."""
        named = 1.0 if meant or self.asked_by(predicate) & open_terms else 0.0
        return BASE + PREDICATE * max(named, evidence.near) + NEAR * evidence.near + SENTENCE * evidence.sentence

    def link(self, evidence: Evidence) -> float:
        """Fit of a prose link, between 0 and 1."""
        return BASE + (PREDICATE + NEAR) * evidence.near + SENTENCE * evidence.sentence

    def _around(self, link: Link) -> tuple[int, int]:
        """Terms met right around a link, and in its whole sentence."""
        words = _words(link.sentence)
        name = _words(link.text)[:1]
        at = words.index(name[0]) if name and name[0] in words else None
        around = words if at is None else words[max(0, at - BEFORE):at + AFTER]
        return self._union(around), self._union(words)

    def _union(self, words: Iterable[str]) -> int:
        terms = 0
        for word in words:
            met = self._met.get(word)
            if met is None:
                met = self._met[word] = self._meet(word)
            terms |= met
        return terms

    def _meet(self, word: str) -> int:
        """The terms that share a stem, a beginning or a set of synonyms with a word."""
        terms = 0
        for number in SETS.get(word, ()):
            terms |= self._sets.get(number, 0)
        for stem in self._stems_of(word):
            terms |= self._stems.get(stem, 0)
        for bit, term in self._beginnings.get(word[:LETTERS], ()):
            if _begin_alike(term.shown, word):
                terms |= bit
        return terms

    def _stems_of(self, word: str) -> Sequence[str]:
        """What the index reduces a word to; nothing when no term can come of it, for most words have none."""
        if word.isascii() and word[:LETTERS] not in self._beginnings:
            return ()
        return stems_of(word, self._tokenizer)


def _words(text: str) -> list[str]:
    return _WORD.findall(segment(text.lower()))


def _begin_alike(one: str, other: str) -> bool:
    longer = max(len(one), len(other))
    letters = max(BEGINNING, (longer + 1) // 2)
    return len(one) >= letters and one[:letters] == other[:letters]
