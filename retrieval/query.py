"""Understands a question against a wiki: its words, how rare each is, the names it holds, the time it asks about."""

import json
import math
from collections.abc import Sequence
from typing import NamedTuple

import apsw

from retrieval.dates import Period, asked_period, asks_for_now
from retrieval.names import Word, join, words
from retrieval.segment import pairs
from retrieval.stopwords import STOPWORDS

WORD_LIMIT = 256
"""Words of a question that are considered; a longer one is cut there, so that its cost is bounded."""
CHARACTER_LIMIT = 8_000
"""Characters of a question that are considered, whatever its words."""
NAME_WORDS = 24
"""Words of the longest name that is looked for."""
COMMON = 0.5
"""Share of the concepts a word may stand in and still be searched; above it, it is grammar in any language."""
FREQUENT_WEIGHT = math.log(10)
"""Weight up to which a word, standing in a tenth of the concepts, is not searched beside rarer ones: it would cost
the most and change the least."""
ENOUGH = 2
"""Rarer words that make a frequent one dispensable."""
SMALL = 20
"""Concepts below which shares mean nothing and no word is common."""


class Name(NamedTuple):
    """A stretch of the question that is a concept's title or alias."""

    name: str
    """Folded."""
    paths: tuple[str, ...]
    """Concepts that go by it, in order."""
    start: int
    """First word of the question."""
    stop: int
    """One past the last word."""
    spelled: bool
    """Whether it is written as names are: of several words, or with a capital, a digit or a symbol inside the
    question. An apple is not Apple, and who asks where you went does not ask of Go."""


class Term(NamedTuple):
    """A word of the question as the index knows it."""

    text: str
    """As the tokenizer reduces it."""
    shown: str
    """As written, in lower case."""
    weight: float
    """Inverse document frequency: from about 0.7 for a word in half of the concepts up to log(concepts)."""
    known: bool
    """Whether any concept has it."""
    common: bool
    """Whether so many concepts have it that it finds none."""
    spelled: bool
    """Whether it stands inside a name that is written as one."""


class Query(NamedTuple):
    """A question as understood."""

    text: str
    """As considered."""
    words: tuple[Word, ...]
    names: tuple[Name, ...]
    """Longest match first chosen, told in the order of the question; they do not overlap."""
    terms: tuple[Term, ...]
    """Distinct content words, in order."""
    period: Period | None
    """The time asked about, dates inside names left out."""
    now: bool
    """Whether that is today, which no date but a word like "current" tells."""
    concepts: int
    """Concepts in the wiki, against which the rarity of words is weighed."""
    cut: bool
    """Whether the question went on beyond what is considered."""

    @property
    def match(self) -> str:
        """FTS5 MATCH expression: any of the terms that tell concepts apart; empty when there is none."""
        telling = [term for term in self.terms if term.known and not term.common]
        rare = [term for term in telling if term.weight > FREQUENT_WEIGHT]
        return " OR ".join(f'"{term.shown}"' for term in (rare if len(rare) >= ENOUGH else telling))


def understand(question: str, con: apsw.Connection, tokenizer: apsw.FTS5Tokenizer, today: str) -> Query:
    """The question read with what the wiki behind `con` holds; `today` is an ISO date."""
    text = question[:CHARACTER_LIMIT]
    parts = words(text, WORD_LIMIT + 1)
    cut = len(text) < len(question) or len(parts) > WORD_LIMIT
    del parts[WORD_LIMIT:]
    names = find_names(parts, con)
    named = {at for name in names for at in range(name.start, name.stop)}
    spelled = {at for name in names if name.spelled for at in range(name.start, name.stop)}
    concepts = con.execute("select count(*) from concepts").get
    outside = " ".join(word.shown if at not in named else "," for at, word in enumerate(parts))
    period = asked_period(outside)
    now = period is None and asks_for_now(outside)
    terms = _terms(parts, spelled, concepts, con, tokenizer)
    return Query(text, tuple(parts), names, terms, Period(today, today) if now else period, now, concepts, cut)


def find_names(parts: Sequence[Word], con: apsw.Connection) -> tuple[Name, ...]:
    """Titles and aliases among the words; the cost grows with the words, not with the names there are."""
    spans: dict[str, list[tuple[int, int]]] = {}
    for start in range(len(parts)):
        for stop in range(start + 1, min(start + NAME_WORDS, len(parts)) + 1):
            if _may_be_name(parts, start, stop):
                for form in _forms(parts[start:stop]):
                    spans.setdefault(form, []).append((start, stop))
    paths: dict[str, list[str]] = {}
    for name, path in con.execute(
            "select name, path from names where name in (select value from json_each(?)) order by name, path",
            (json.dumps(list(spans)),)):
        paths.setdefault(name, []).append(path)
    found = sorted((start - stop, start, name) for name in paths for start, stop in spans[name])
    taken: set[int] = set()
    chosen: list[Name] = []
    for length, start, name in found:
        span = range(start, start - length)
        if taken.isdisjoint(span):
            taken.update(span)
            chosen.append(Name(name, tuple(paths[name]), span.start, span.stop, _spelled(parts, span)))
    return tuple(sorted(chosen, key=lambda name: name.start))


def _spelled(parts: Sequence[Word], span: range) -> bool:
    if sum(parts[at].text not in STOPWORDS for at in span) > 1:
        return True
    # The first word of a question has a capital anyway, so there only OpenAI or NATO looks like a name.
    return any(not shown.isalpha() or (not shown.islower() and (at > 0 or not shown.istitle()))
               for at in span for shown in (parts[at].shown,))


def occurrences(name: Sequence[Word], parts: Sequence[Word]) -> list[int]:
    """Where the words of a name stand in a text, whole and in order."""
    texts = [word.text for word in name]
    return [at for at in range(len(parts) - len(texts) + 1) if texts and all(
        text in (parts[at + offset].text, parts[at + offset].end) for offset, text in enumerate(texts))]


def _may_be_name(parts: Sequence[Word], start: int, stop: int) -> bool:
    """A single character of a script without spaces is a name only where it stands alone."""
    if stop - start > 1 or not parts[start].unspaced:
        return True
    beside = (parts[at].unspaced for at in (start - 1, stop) if 0 <= at < len(parts))
    return not any(beside)


def _forms(span: Sequence[Word]) -> set[str]:
    """The ways a stretch of words can be read as a name: with and without article or possessive at its ends."""
    body = join(span)
    forms = {body}
    if span[-1].end:
        forms |= {form[:len(form) - len(span[-1].text)] + span[-1].end for form in forms}
    if span[0].start:
        forms |= {span[0].start + form[len(span[0].text):] for form in forms if form.startswith(span[0].text)}
    return forms


def _terms(parts: Sequence[Word], spelled: set[int], total: int, con: apsw.Connection,
           tokenizer: apsw.FTS5Tokenizer) -> tuple[Term, ...]:
    written: dict[str, tuple[str, bool]] = {}
    for text, at in _searchable(parts):
        if parts[at].text in STOPWORDS and at not in spelled:
            continue
        encoded = text.encode()
        for start, stop, *stems in tokenizer(encoded, apsw.FTS5_TOKENIZE_QUERY, None):
            shown, before = written.get(stems[0], (encoded[start:stop].decode(), False))
            written[stems[0]] = (shown, before or at in spelled)
    counts = dict(con.execute("select term, doc from temp.terms where term in (select value from json_each(?))",
                              (json.dumps(list(written)),)))
    return tuple(
        Term(stem, text, math.log(1 + (total - count + .5) / (count + .5)), count > 0,
             total >= SMALL and count > COMMON * total, is_spelled)
        for stem, (text, is_spelled) in written.items() for count in (counts.get(stem, 0),))


def _searchable(parts: Sequence[Word]) -> list[tuple[str, int]]:
    """Words as the index holds them, with their place: runs of unspaced characters as overlapping pairs."""
    found: list[tuple[str, int]] = []
    at = 0
    while at < len(parts):
        stop = at + 1
        while parts[at].unspaced and stop < len(parts) and parts[stop].unspaced:
            stop += 1
        if parts[at].unspaced:
            run = "".join(word.text for word in parts[at:stop])
            found.extend((pair, at + offset) for offset, pair in enumerate(pairs(run)))
        else:
            found.append((parts[at].end or parts[at].start or parts[at].shown.lower(), at))
        at = stop
    return found
