"""Reads the edges and links at a concept, boundedly many of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

import apsw

EDGE_LIMIT = 200
"""Edges and links read at a concept in each direction; a hub has more, of which those to `wanted` come first."""


class Edge(NamedTuple):
    """A row of `edges`."""

    subject_path: str
    predicate: str
    object_path: str | None
    object_literal: str | None
    date: str | None
    source: str | None


class Link(NamedTuple):
    """A row of `links`."""

    subject_path: str
    object_path: str
    text: str
    sentence: str


_EDGES = """
select distinct subject_path, predicate, object_path, object_literal, date, source_id from edges
where {side}_path = ? {only} order by predicate, {other}, object_literal, date, source_id limit ?"""
_LINKS = """
select distinct subject_path, object_path, text, sentence from links
where {side}_path = ? and object_path is not null {only} order by {other}, sentence, text limit ?"""
_OTHER = {"subject": "object_path", "object": "subject_path"}


def edges_at(path: str, wanted: Sequence[str], con: apsw.Connection) -> list[Edge]:
    """Edges that begin or end at `path`, in an order that no build history can change."""
    return [Edge(*row) for row in _bounded(_EDGES, path, wanted, con)]


def links_at(path: str, wanted: Sequence[str], con: apsw.Connection) -> list[Link]:
    """Prose links that begin or end at `path`, likewise."""
    return [Link(*row) for row in _bounded(_LINKS, path, wanted, con)]


def _bounded(query: str, path: str, wanted: Sequence[str], con: apsw.Connection) -> list[tuple]:
    rows: dict[tuple, None] = {}
    for side, other in _OTHER.items():
        found = con.execute(query.format(side=side, other=other, only=""), (path, EDGE_LIMIT)).fetchall()
        if len(found) == EDGE_LIMIT:
            only = f"and {other} in (select value from json_each(?))"
            rows |= dict.fromkeys(con.execute(
                query.format(side=side, other=other, only=only), (path, json.dumps(wanted), EDGE_LIMIT)))
        rows |= dict.fromkeys(found)
    return list(rows)
