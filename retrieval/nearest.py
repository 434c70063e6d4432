"""Finds the pieces whose vectors are nearest to a question's.

sqlite-vec reads every vector and compares number by number: 0.6 ms for 1,000 vectors of 384. Of many, a reader that is
asked again keeps a copy in memory where numpy, if the model has brought it, picks the nearest in a fifth of the time;
their distances are told by sqlite-vec all the same, so that every process gives the same answer.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import apsw

if TYPE_CHECKING:
    from numpy import ndarray

MOST_PIECES = 4_000
"""Nearest pieces that sqlite-vec may be asked for at once, less a margin (its limit is 4,096)."""
MANY = 50_000
"""Vectors from which on a copy is worth its memory: sqlite-vec takes 30 ms for them, a copy of 384 numbers each 77 MB."""
MOST_COPIED = 600 * 2**20
"""Bytes of the largest copy: 400,000 vectors of 384 numbers."""
MARGIN = 200
"""Pieces that numpy picks beyond those asked for: it rounds otherwise than sqlite-vec, and cannot tell as many apart."""

_NEAREST = "select path, distance from embeddings where vector match ? and k = ?"
_NEAREST_BY_PATH = "select path, vec_distance_l2(vector, ?) as distance from embeddings order by distance, path, piece limit ?"
# How the pinned version of sqlite-vec lays out a table: chunks of places, a bit each telling whether it is taken.
_CHUNKS = "select validity, rowids, vectors from embeddings_chunks join embeddings_vector_chunks00 as v on v.rowid = chunk_id"


class Vectors:
    """The vectors of one wiki.db."""

    def __init__(self, con: apsw.Connection, pieces: int, concepts: int) -> None:
        self._con, self._pieces, self._concepts = con, pieces, concepts
        self._asked = False
        self._copy: tuple[ndarray, ndarray] | None = None

    def nearest(self, vector: bytes, concepts: int) -> dict[str, float]:
        """The `concepts` whose nearest pieces are nearest, each with the cosine of that piece, nearest first."""
        found: dict[str, float] = {}
        few = min(MOST_PIECES, concepts + concepts // 4)
        for pieces in (few, self._pieces_for(concepts)):  # the search costs more the more it is asked for
            for path, distance in self._first(vector, pieces):
                found.setdefault(path, distance)
            if len(found) >= concepts:
                break
        ranked = sorted(found, key=lambda path: (found[path], path))[:concepts]
        # Both vectors have length one, so the distance tells the cosine.
        return {path: 1 - found[path] ** 2 / 2 for path in ranked}

    def _pieces_for(self, concepts: int) -> int:
        """Pieces to ask for, so that one long page does not fill the list with its own."""
        return min(MOST_PIECES, concepts * -(-self._pieces // max(self._concepts, 1)))

    def _first(self, vector: bytes, limit: int) -> list[tuple[str, float]]:
        """The first pieces of the ranking. Only when the last ties with the next does it pay for the order by path."""
        rows = self._picked(vector, limit + 1) if self._copied(len(vector)) else self._con.execute(_NEAREST, (vector, limit + 1)).fetchall()
        if len(rows) > limit and rows[limit - 1][1] == rows[limit][1]:
            rows = self._con.execute(_NEAREST_BY_PATH, (vector, limit)).fetchall()
        return rows[:limit]

    def _copied(self, size: int) -> bool:
        """Whether the vectors, of `size` bytes each, are in memory; from the second question on they may be."""
        if not self._asked:
            self._asked = True
        elif self._copy is None and "numpy" in sys.modules and MANY <= self._pieces <= MOST_COPIED // size:
            self._copy = self._read(size)
        return self._copy is not None

    def _read(self, size: int) -> tuple[ndarray, ndarray]:
        """The ids of the pieces that have a vector, and a row of numbers for each."""
        import numpy as np
        ids, vectors = np.empty(self._pieces, "<i8"), np.empty((self._pieces, size // 4), "<f4")
        at = 0
        for validity, rowids, numbers in self._con.execute(_CHUNKS):
            taken = np.unpackbits(np.frombuffer(validity, "u1"), bitorder="little").astype(bool)
            stop = at + int(taken.sum())
            ids[at:stop] = np.frombuffer(rowids, "<i8")[taken]
            vectors[at:stop] = np.frombuffer(numbers, "<f4").reshape(-1, size // 4)[taken]
            at = stop
        return ids[:at], vectors[:at]

    def _picked(self, vector: bytes, limit: int) -> list[tuple[str, float]]:
        """As sqlite-vec would answer."""
        import numpy as np
        ids, vectors = self._copy
        # Not by BLAS, whose threads go on spinning when the work is done.
        closeness = np.einsum("ij,j->i", vectors, np.frombuffer(vector, "<f4"))
        most = min(len(ids), limit + MARGIN)
        places = np.argpartition(closeness, len(ids) - most)[len(ids) - most:] if most < len(ids) else range(len(ids))
        rows = []
        for place in places:
            distance = self._con.execute("select vec_distance_l2(?, ?)", (vector, vectors[place].tobytes())).get
            rows.append((self._con.execute("select path from pieces where id = ?", (int(ids[place]),)).get, distance))
        return sorted(rows, key=lambda row: row[1])[:limit]
