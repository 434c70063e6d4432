"""Tells two directions of one fact apart from two facts: authors write both directions, an answer says it once."""

from __future__ import annotations

from collections.abc import Sequence
from os.path import commonprefix

from retrieval.edges import Edge

SHARED_LETTERS = 4
"""Letters with which two words must begin alike to be forms of one: directed, director."""


def pair_directions(ahead: Sequence[Edge], back: Sequence[Edge]) -> dict[Edge, Edge]:
    """For edges between two concepts, told from one and from the other: which of `back` repeats which of `ahead`.

    Forms of one word and equal dates pair first. What is left pairs only when as much is left on either side, for
    an author who keeps the rule has then written each fact twice; otherwise it stands as a fact of its own.
    """
    if len(ahead) == len(back) == 1:
        return {back[0]: ahead[0]} if _compatible(ahead[0], back[0]) else {}
    pairs: dict[Edge, Edge] = {}
    for same in (_same_word, _same_date, None):
        left = [edge for edge in ahead if edge not in pairs.values()]
        open_ = [edge for edge in back if edge not in pairs]
        if same is None and len(left) != len(open_):
            break
        for edge in open_:
            twin = next((one for one in left if _compatible(one, edge) and (same is None or same(one, edge))), None)
            if twin is not None:
                pairs[edge] = twin
                left.remove(twin)
    return pairs


def _compatible(one: Edge, other: Edge) -> bool:
    return one.date is None or other.date is None or one.date == other.date


def _same_word(one: Edge, other: Edge) -> bool:
    """Whether a word of one predicate is a form of a word of the other: member_of, has_member."""
    return any(len(commonprefix((word, another))) >= SHARED_LETTERS
               for word in one.predicate.casefold().split("_") for another in other.predicate.casefold().split("_"))


def _same_date(one: Edge, other: Edge) -> bool:
    return one.date is not None and one.date == other.date
