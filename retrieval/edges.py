"""Reads the edges and links at a concept, boundedly many of them."""

import json
from collections.abc import Sequence
from typing import NamedTuple

import apsw

EDGE_LIMITS = (100, 30)
"""Edges, and links, read in each direction at a seed, and at a concept further on; one with more is a hub."""
HUB_KIND = 5
"""The part of that limit which each predicate may fill at a hub: a fifth."""
HUB_KINDS = 40
"""Predicates read at a hub."""


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


_OTHER = {"subject": "object", "object": "subject"}
# Ordered by what rows say, never by rowid, so that no history of builds can change what a bound leaves out.
_EDGES = """
select subject_path, predicate, object_path, object_literal, date, source_id from edges
where {side}_path = ?1 {only} limit {limit}"""
_ORDERED = "order by predicate, {other}_path, object_literal, date, source_id"
_KINDS = """
with recursive kinds(predicate) as (
  select min(predicate) from edges where {side}_path = ?1
  union all
  select (select min(predicate) from edges where {side}_path = ?1 and predicate > kinds.predicate)
  from kinds where kinds.predicate is not null)
select predicate from kinds where predicate is not null limit {limit}"""
_LINKS = """
select subject_path, object_path, text, sentence from links
where {side}_path = ?1 and object_path is not null {only} limit {limit}"""
_LINKS_ORDERED = "order by {other}_path, sentence, text"
_AMONG = "and {other}_path in (select value from json_each(?2))"


def edges_at(path: str, hop: int, wanted: Sequence[str], con: apsw.Connection) -> list[Edge]:
    """Edges that begin or end at `path`, `hop` edges from a seed; of a hub some of each predicate, and those to
    `wanted` concepts."""
    limit = _limit(hop)
    found: set[Edge] = set()
    for side in _OTHER:
        edges = _read(_EDGES, side, "", limit + 1, con, path)
        if len(edges) > limit:
            edges = _read(_EDGES, side, _AMONG + _ORDERED, limit, con, path, json.dumps(wanted))
            for (kind,) in _read(_KINDS, side, "", HUB_KINDS, con, path):
                edges += _read(_EDGES, side, "and predicate = ?2 " + _ORDERED, limit // HUB_KIND, con, path, kind)
        found.update(Edge(*row) for row in edges)
    return sorted(found, key=words_of)


def links_at(path: str, hop: int, wanted: Sequence[str], con: apsw.Connection) -> list[Link]:
    """Prose links that begin or end at `path`, likewise bounded."""
    limit = _limit(hop)
    found: set[Link] = set()
    for side in _OTHER:
        links = _read(_LINKS, side, "", limit + 1, con, path)
        if len(links) > limit:
            links = [*_read(_LINKS, side, _LINKS_ORDERED, limit, con, path),
                     *_read(_LINKS, side, _AMONG + _LINKS_ORDERED, limit, con, path, json.dumps(wanted))]
        found.update(Link(*row) for row in links)
    return sorted(found)


def _limit(hop: int) -> int:
    return EDGE_LIMITS[min(hop, len(EDGE_LIMITS) - 1)]


def words_of(edge: Edge) -> tuple[str, ...]:
    """What an edge says, for breaking ties: never by when it was stored."""
    subject, predicate, path, literal, date, source = edge
    return subject, predicate, path or "", literal or "", date or "", source or ""


def _read(query: str, side: str, only: str, limit: int, con: apsw.Connection, *given: str) -> list[tuple]:
    other = _OTHER[side]
    statement = query.format(side=side, other=other, only=only.format(other=other), limit=limit)
    return con.execute(statement, given).fetchall()
