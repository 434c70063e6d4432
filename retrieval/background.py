"""Chooses the prose behind the facts: short bodies whole, of long ones the passages that answer."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import apsw

from retrieval.cards import Card, read_cards
from retrieval.context import Passage
from retrieval.fit import Fit
from retrieval.model import Reached
from retrieval.query import Query
from retrieval.relevance import Piece, relevance
from retrieval.serialize import BACKGROUND, GAP, concept_line, passage_lines
from retrieval.tokens import at_least, count

CONCEPTS = 12
"""Concepts whose bodies are looked at; beyond, not even a short one would find room."""
SHORTEST = 16
"""Tokens below which no passage is worth its heading."""
LOOSEST = 10
"""Characters to a token at the most; what is longer than the room by this need not be counted."""
MISSES = 40
"""Passages that may turn out too long before the search for one that fits the rest of the room ends."""

_APPARATUS = re.compile(r"[ \t]*(?:$|#{1,6}\s|\[[^\]\n]+\]:)")
"""How a line begins that says nothing by itself: a blank one, a heading, the definition of a footnote or of a link."""
_SENTENCE_END = r"\n|[.!?]\s|[。！？]"


class _Candidate(NamedTuple):
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


def background(db: apsw.Connection, query: Query, fit: Fit, vector: bytes | None,
               concepts: Sequence[Reached], room: int) -> tuple[Passage, ...]:
    """Passages that fit into `room` tokens, by concept as ranked and in text order; neighbours are joined.

    `vector` is the embedded question, or None.
    """
    chosen = _fill(_candidates(db, query, fit, vector, concepts[:CONCEPTS], room), room)
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
        fits = len(one.passage.text) <= LOOSEST * room and at_least(one.passage.text) <= room
        cost = _cost(one.passage, one.rank not in opened) if fits else room + 1
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
        lines.append(concept_line(passage))
    return sum(map(count, lines)) + len(lines)


def _beginning(one: _Candidate, room: int) -> list[_Candidate]:
    """As many lines and sentences of a piece as fit; none when not even one does."""
    text = one.passage.text[:LOOSEST * room]
    begun = [one.passage._replace(text=f"{text[:end.end()].rstrip()}\n{GAP}") for end in re.finditer(_SENTENCE_END, text)]
    fitting = bisect_right(begun, room, key=lambda passage: _cost(passage, opens=True))
    return [one._replace(passage=begun[fitting - 1])] if fitting else []


def _candidates(db: apsw.Connection, query: Query, fit: Fit, vector: bytes | None,
                concepts: Sequence[Reached], room: int) -> list[_Candidate]:
    """Pieces of the bodies, until what is already found is worth more than any piece of the next concept."""
    found: list[_Candidate] = []
    cards = read_cards([concept.path for concept in concepts], db)
    for rank, concept in enumerate(concepts):
        # Fused scores alone are too flat to tell the page that is asked about from one that merely ranks behind it.
        merit = (concept.score / concepts[0].score if concepts[0].score > 0 else 1.0) / (1 + rank)
        if sum(len(one.passage.text) for one in found if one.value >= merit) > LOOSEST * room:
            break
        if concept.path in cards:
            found += _of_one(db, query, fit, vector, rank, merit, concept.path, cards[concept.path])
    return found


def _of_one(db: apsw.Connection, query: Query, fit: Fit, vector: bytes | None, rank: int, merit: float,
            path: str, card: Card) -> Iterator[_Candidate]:
    """The pieces of one body, the best of them worth `merit`."""
    body = db.execute("select body from concepts where _path = ?", (path,)).get
    title, _, superseded, by, at, _ = card
    pieces = [Piece(*each) for each in db.execute(
        "select id, number, heading, start, stop from pieces where path = ? order by number", (path,))]
    before = 0
    for piece, value in zip(pieces, relevance(db, query, fit, vector, title, body, pieces)):
        text = _without_title(body[piece.start:piece.stop], title)
        if not all(map(_APPARATUS.match, text.split("\n"))):
            passage = Passage(path, title, _below(piece.heading, title), text, *((by, at) if superseded else ()))
            yield _Candidate(rank, piece.number, merit * value, passage, _joint(body[before:piece.start]))
        before = piece.stop


def _joined(chosen: Sequence[_Candidate]) -> Iterator[Passage]:
    """Neighbouring pieces of one body as one passage: their places run as fast as the count of the chosen."""
    for _, group in groupby(enumerate(chosen), lambda pair: (pair[1].rank, pair[1].number - pair[0])):
        first, *rest = (one for _, one in group)
        text = first.passage.text + "".join(one.joint + one.passage.text for one in rest)
        yield first.passage._replace(text=text)


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
