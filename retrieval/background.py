"""Chooses the prose behind the facts: short bodies whole, of long ones the passages that answer."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import apsw

from retrieval.context import Passage
from retrieval.dates import Period
from retrieval.model import Reached
from retrieval.query import Query
from retrieval.serialize import BACKGROUND, concept_line, passage_lines
from retrieval.tokens import count

CONCEPTS = 12
"""Concepts whose bodies are looked at; beyond, not even a short one would find room."""
VECTOR_WEIGHT = 1.0
"""What the passage nearest in meaning gains, against 1 for the best match in words; the farthest gains nothing."""
PERIOD_WEIGHT = 0.5
"""What a passage gains by speaking of the time asked about."""
LEAD_WEIGHT = 0.2
"""What the first passage of a body gains, where a page says what it is about; later ones gain a fraction."""
LENGTH_EASE = 3.6
"""How little the length of a passage counts, which holds more words by chance: BM25 with k1 = 1.2 and b = 0.4."""
VECTORS = 100
"""Pieces of one body that are compared in meaning; bounds the cost of a whole book."""
SHORTEST = 16
"""Tokens below which no passage is worth its heading."""
LOOSEST = 10
"""Characters to a token at the most; what is longer than the room by this need not be counted."""
MISSES = 40
"""Passages that may turn out too long before the search for one that fits the rest of the room ends."""

_SENTENCE_END = re.compile(r"\n|[.!?]\s|[。！？]")


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A piece that may go into the block."""

    rank: int
    """Place of its concept."""
    number: int
    """Place in the body."""
    value: float
    """How much it deserves the room; comparable over all concepts of one question."""
    passage: Passage
    joint: str
    """What joins it to the piece before it, when both are chosen."""


def background(db: apsw.Connection, query: Query, vector: bytes | None, concepts: Sequence[Reached], room: int) -> tuple[Passage, ...]:
    """Passages that fit into `room` tokens, by concept as ranked and in text order; neighbours are joined.

    `vector` is the embedded question, or None.
    """
    chosen = _fill(_candidates(db, query, vector, concepts[:CONCEPTS], room), room)
    return tuple(_joined(sorted(chosen, key=lambda one: (one.rank, one.number))))


def _fill(candidates: list[_Candidate], room: int) -> list[_Candidate]:
    """The most valuable candidates that fit, each charged as if it stood alone under its concept.

    When the best one does not fit, its beginning is better than a worse one.
    """
    chosen, opened, misses = [], set(), 0
    room -= count(BACKGROUND) + 1
    for one in sorted(candidates, key=lambda one: (-one.value, one.rank, one.number)):
        if room < SHORTEST or misses == MISSES:
            break
        cost = _cost(one.passage, one.rank not in opened) if len(one.passage.text) <= LOOSEST * room else room + 1
        if cost <= room:
            room -= cost
            opened.add(one.rank)
            chosen.append(one)
        elif not chosen:
            return _beginning(one, room)
        else:
            misses += 1
    return chosen


def _cost(passage: Passage, opens: bool) -> int:
    lines = passage_lines(passage, first=False)
    if opens:
        lines.append(concept_line(passage.path, passage.title))
    return sum(map(count, lines)) + len(lines)


def _beginning(one: _Candidate, room: int) -> list[_Candidate]:
    """As many lines and sentences of a piece as fit; none when not even one does."""
    text = one.passage.text[:LOOSEST * room]
    begun = [replace(one.passage, text=text[:end.end()].rstrip()) for end in _SENTENCE_END.finditer(text)]
    fitting = bisect_right(begun, room, key=lambda passage: _cost(passage, opens=True))
    return [replace(one, passage=begun[fitting - 1])] if fitting else []


def _candidates(db: apsw.Connection, query: Query, vector: bytes | None, concepts: Sequence[Reached], room: int) -> list[_Candidate]:
    """Pieces of the bodies, until what is already found is worth more than any piece of the next concept."""
    found: list[_Candidate] = []
    for rank, concept in enumerate(concepts):
        # Fused scores alone are too flat to tell the page that is asked about from one that merely ranks behind it.
        merit = (concept.score / concepts[0].score if concepts[0].score > 0 else 1.0) / (1 + rank)
        if sum(len(one.passage.text) for one in found if one.value >= merit) > LOOSEST * room:
            break
        found += _of_one(db, query, vector, rank, merit, concept.path)
    return found


def _of_one(db: apsw.Connection, query: Query, vector: bytes | None, rank: int, merit: float, path: str) -> Iterator[_Candidate]:
    """The pieces of one body, the best of them worth `merit`."""
    row = db.execute("select title, body from concepts where _path = ?", (path,)).fetchone()
    if row is None:
        return
    title, body = row
    pieces = db.execute("select id, number, heading, start, stop from pieces where path = ? order by number", (path,)).fetchall()
    before = 0
    for (_, number, heading, start, stop), value in zip(pieces, _worth(db, query, vector, body, pieces)):
        text = _without_title(body[start:stop], title)
        if text:
            yield _Candidate(rank, number, merit * value, Passage(path, title, _below(heading, title), text), _joint(body[before:start]))
        before = stop


def _worth(db: apsw.Connection, query: Query, vector: bytes | None, body: str, pieces: list[tuple]) -> list[float]:
    """How well each piece of one body answers, 1 for the best."""
    if len(pieces) < 2:
        return [1.0] * len(pieces)
    by_words = _by_words(db, query, pieces)
    by_meaning = _by_meaning(db, vector, pieces) if vector else {}
    most = max(by_words.values()) or 1.0
    worth = [
        by_words[piece] / most + VECTOR_WEIGHT * by_meaning.get(piece, 0.0)
        + PERIOD_WEIGHT * speaks_of(body[start:stop], query.period) + LEAD_WEIGHT / (1 + number)
        for piece, number, _, start, stop in pieces]
    best = max(worth)
    return [value / best for value in worth]


def _by_meaning(db: apsw.Connection, vector: bytes, pieces: list[tuple]) -> dict[int, float]:
    """For each piece its nearness to the question, from 0 for the farthest of the body to 1 for the nearest."""
    distances = {
        piece: db.execute("select vec_distance_l2(vector, ?) from embeddings where piece_id = ?", (vector, piece)).get
        for piece, *_ in pieces[:VECTORS]}
    known = [distance for distance in distances.values() if distance is not None]
    far, span = max(known, default=0.0), max(known, default=0.0) - min(known, default=0.0)
    return {piece: (far - distance) / span for piece, distance in distances.items() if distance is not None and span}


def _by_words(db: apsw.Connection, query: Query, pieces: list[tuple]) -> dict[int, float]:
    """For each piece the rarity of the question's words it holds, a little less for a long one.

    Word by word rather than by bm25(), which counts every piece of the wiki that has a word before it ranks one.
    """
    lengths = {piece: stop - start for piece, _, _, start, stop in pieces}
    usual = sum(lengths.values()) / len(lengths)
    found = dict.fromkeys(lengths, 0.0)
    for term in query.terms:
        if term.known and not term.common:
            for (piece,) in db.execute(
                    "select rowid from pieces_fts where pieces_fts match ? and rowid between ? and ?",
                    (f'"{term.shown}"', min(lengths), max(lengths))):
                if piece in found:
                    found[piece] += term.weight
    return {piece: weight / (LENGTH_EASE + lengths[piece] / usual) for piece, weight in found.items()}


_YEARS = re.compile(
    r"(?<![\w.,])([12]\d{3})(?!\d|[.,]\d)"
    r"(?:\s*[–—-]\s*(?:([12]\d{3})(?!\d)|(\d\d)(?![\d-])|(present|incumbent)))?")


def speaks_of(text: str, period: Period | None) -> float:
    """How well the years in a text meet a period: 1 when one begins or ends there, 0.7 when one overlaps, else 0."""
    if period is None:
        return 0.0
    first, last = int(period.first[:4]), int(period.last[:4])
    meets = 0.0
    for begin, end in _spans(text):
        if begin in (first, last) or end in (first, last):
            return 1.0
        if begin <= last and end >= first:
            meets = 0.7
    return meets


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Years, and spans of years such as 1916–1920, 1916-20 and 1916–present."""
    for begin, end, short, still in _YEARS.findall(text):
        last = 9999 if still else int(end or begin[:2] + (short or begin[2:]))
        yield int(begin), max(int(begin), last)


def _joined(chosen: Sequence[_Candidate]) -> Iterator[Passage]:
    """Neighbouring pieces of one body as one passage."""
    for _, group in groupby(enumerate(chosen), lambda pair: (pair[1].rank, pair[1].number - pair[0])):
        first, *rest = (one for _, one in group)
        text = first.passage.text + "".join(one.joint + one.passage.text for one in rest)
        yield replace(first.passage, text=text)


def _joint(between: str) -> str:
    """The blank between two pieces, at most one empty line of it."""
    return "\n" * min(2, between.count("\n")) or " "


def _without_title(text: str, title: str) -> str:
    """Without a first heading that only repeats the title, which the block shows anyway."""
    line, _, rest = text.partition("\n")
    return rest.lstrip() if line.startswith("# ") and line[2:].strip() == title.strip() else text


def _below(heading: str, title: str) -> str:
    """A heading path without the title at its top."""
    top, _, rest = heading.partition(" > ")
    return rest if top == title.strip() else heading
