"""Finds the concepts a question leads to: exact titles, BM25 and vectors, fused by reciprocal rank."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

import apsw

from retrieval.dates import Period, in_force
from retrieval.intent import HISTORICAL
from retrieval.model import Seed
from retrieval.names import words
from retrieval.nearest import Vectors
from retrieval.query import Query, occurrences
from retrieval.settings import RetrievalSettings

RRF_K = 60
"""Constant of reciprocal rank fusion (§6.1): keeps a first place of one signal from outvoting two others."""
CHAIN_LIMIT = 50
"""Steps along superseded_by; bounds a cycle (§7.7). An office soon has more than a few successors."""


def find_seeds(query: Query, intent: str, vector: bytes | None, vectors: Vectors, con: apsw.Connection,
               settings: RetrievalSettings) -> tuple[Seed, ...]:
    """Concepts with any signal, best first; ties by concept path. `vector` is the embedded question, or None."""
    bm25 = by_bm25(query.match, con, settings)
    cosines = vectors.nearest(vector, settings.candidates) if vector else {}
    found = {
        "title": by_title(query, list(bm25), con),
        "bm25": list(bm25),
        "vector": list(cosines),
    }
    paths = sorted({path for paths in found.values() for path in paths})
    stand_in = _stand_ins(paths, query.period, con) if intent != HISTORICAL else {}
    ranks = {signal: _ranks(paths, stand_in) for signal, paths in found.items()}
    stands_for: dict[str, tuple[str, ...]] = {}
    for path in found["title"]:
        if path in stand_in:
            stands_for[stand_in[path]] = (*stands_for.get(stand_in[path], ()), path)
    return fuse(ranks, _scores(bm25, stand_in), _scores(cosines, stand_in), settings, con, stands_for)


def by_title(query: Query, candidates: Sequence[str], con: apsw.Connection) -> list[str]:
    """Concepts the question names, longest name first; then candidates named but for what a title has in brackets."""
    names = sorted(query.names, key=lambda name: (name.start - name.stop, name.start))
    whole = [path for name in names for path in name.paths]
    short = sorted((-length, path) for path, length in _named_in_short(query, candidates, con))
    return list(dict.fromkeys(whole + [path for _, path in short]))


def _named_in_short(query: Query, candidates: Sequence[str], con: apsw.Connection) -> list[tuple[str, int]]:
    """Candidates whose title without its bracketed end stands in the question: Mark King (musician)."""
    taken = {at for name in query.names for at in range(name.start, name.stop)}
    found = []
    for path, title in con.execute(
            "select _path, title from concepts where title like '% (%)' and _path in (select value from json_each(?))",
            (json.dumps(candidates),)):
        short = words(title[:title.rindex(" (")])
        if any(taken.isdisjoint(range(at, at + len(short))) and not _goes_on(query, at, at + len(short))
               for at in occurrences(short, query.words)):
            found.append((path, len(short)))
    return found


def _goes_on(query: Query, start: int, stop: int) -> bool:
    """Whether a capital follows a stretch of the question, so that it only begins a longer name: Frozen Run."""
    between = r"\W+".join(re.escape(word.shown) for word in query.words[start:stop])
    after = re.search(rf"\b{between}\s+(\w)", query.text)
    return after is not None and after[1].isupper()


_BM25 = """
with matching as materialized (
  select rowid, bm25(concepts_fts, {weights}) as cost from concepts_fts where concepts_fts match ?1)
select _path, cost from matching join concepts on concepts.rowid = matching.rowid
where cost <= (select max(cost) from (select cost from matching order by cost limit ?2))
order by cost, _path limit ?2"""
# FTS5 counts anew for each mention of bm25(), so it is told once; paths are looked up for those that may stay.


def by_bm25(match: str, con: apsw.Connection, settings: RetrievalSettings) -> dict[str, float]:
    """Concepts that hold any of the words with their BM25 score, best first."""
    if not match:
        return {}
    query = _BM25.format(weights=", ".join(map(str, settings.column_weights)))
    # FTS5 tells the score with its sign turned, so that the best comes first.
    return {path: -cost for path, cost in con.execute(query, (match, settings.candidates))}


def fuse(ranks: Mapping[str, Mapping[str, int]], bm25: Mapping[str, float], cosines: Mapping[str, float],
         settings: RetrievalSettings, con: apsw.Connection, stands_for: Mapping[str, tuple[str, ...]]) -> tuple[Seed, ...]:
    """Reciprocal rank fusion, each signal with its weight (title 2: counted twice)."""
    paths = sorted({path for found in ranks.values() for path in found})
    titles = dict(con.execute(
        "select _path, title from concepts where _path in (select value from json_each(?))", (json.dumps(paths),)))
    seeds = []
    for path in paths:
        signals = {signal: found.get(path) for signal, found in ranks.items()}
        score = sum(settings.signal_weights[signal] / (RRF_K + rank + 1)
                    for signal, rank in signals.items() if rank is not None)
        seeds.append(Seed(path, titles[path], score, signals, bm25.get(path), cosines.get(path), stands_for.get(path, ())))
    return tuple(sorted(seeds, key=lambda seed: (-seed.score, seed.path)))


def _ranks(paths: Sequence[str], stand_in: Mapping[str, str]) -> dict[str, int]:
    """Place of each concept, superseded ones giving theirs to their successor."""
    ends = (stand_in.get(path, path) for path in paths)
    return {path: rank for rank, path in enumerate(dict.fromkeys(ends))}


def _scores(found: Mapping[str, float], stand_in: Mapping[str, str]) -> dict[str, float]:
    """The score of each concept, superseded ones lending theirs to their successor."""
    scores: dict[str, float] = {}
    for path, score in found.items():
        end = stand_in.get(path, path)
        scores[end] = max(score, scores.get(end, score))
    return scores


def _stand_ins(paths: Sequence[str], period: Period | None, con: apsw.Connection) -> dict[str, str]:
    """For each superseded concept that was no longer in force at the time asked about: the end of its chain.

    One whose chain leads nowhere, to a page not written or around in a circle, stands for itself: nothing else tells of it.
    """
    rows = con.execute(
        "select _path, superseded_at from concepts where status = 'superseded'"
        " and _path in (select value from json_each(?)) order by _path", (json.dumps(paths),)).fetchall()
    return {path: end for path, at in rows if not in_force(at, period) and (end := chain_end(path, period, con))}


def chain_end(path: str, period: Period | None, con: apsw.Connection) -> str | None:
    """The concept in a chain of supersessions that is not itself superseded, or was not yet in the time asked about."""
    for _ in range(CHAIN_LIMIT):
        row = con.execute(
            "select successor._path, successor.status, successor.superseded_at from concepts"
            " join concepts as successor on successor._path = concepts.superseded_by where concepts._path = ?",
            (path,)).fetchone()
        if row is None:
            return None
        path, status, at = row
        if status != "superseded" or in_force(at, period):
            return path
    return None
