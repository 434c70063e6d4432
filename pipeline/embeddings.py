"""Keeps one vector for every piece in the wiki, embedding no text twice."""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

import apsw

from pipeline.digest import digest_of
from pipeline.vectors import SPARE, VectorCache, open_vectors
from retrieval.embedders import Embedder
from retrieval.errors import EmbedderError
from retrieval.schema import EMBEDDINGS
from retrieval.vec0 import load_vec0

__all__ = ["embedded_text", "embeddings", "open_vectors"]

_EMBEDDED = """
-- Pieces that stand in embeddings; the content tells a piece from a later one that was given the same id.
create table if not exists cache.embedded_pieces (
  piece_id     integer primary key,
  path         text not null,
  number       integer not null,
  content_hash text not null,               -- of the file the piece was cut from
  text_hash    blob not null                -- of the text the vector was made from
);
"""
_GONE = """
select piece_id, text_hash from cache.embedded_pieces e where not exists (
  select 1 from pieces p join cache.indexed i on i.path = p.path
  where p.id = e.piece_id and p.path = e.path and p.number = e.number and i.content_hash = e.content_hash)
"""
_ALL = """
select p.id, p.path, p.number, p.heading, p.start, p.stop, i.content_hash
from pieces p join cache.indexed i on i.path = p.path
"""
_NEW = f"""
{_ALL} where not exists (
  select 1 from cache.embedded_pieces e
  where e.piece_id = p.id and e.path = p.path and e.number = p.number and e.content_hash = i.content_hash)
"""
_LINK = re.compile(r"!?\[([^\[\]\n]*)\]\((?:<[^<>\n]*>|[^()\s]*)(?:\s+[\"'][^\"'\n]*[\"'])?\)|!?\[\[(?:[^\[\]|\n]*\|)?([^\[\]|\n]*)\]\]")
_LONGEST_NAME = 200
"""Characters of a title or of headings that go with each piece, so that no title drowns the text it stands above."""


class _Piece(NamedTuple):
    """A piece to be put into the table."""

    id: int
    path: str
    number: int
    content_hash: str
    text_hash: bytes


def embeddings(build: apsw.Connection, vectors: apsw.Connection, embedder: Embedder,
               progress: Callable[..., object] = lambda done, total, share: None, on_failure: str = "stop") -> str:
    """Bring `embeddings` in line with `pieces`; returns a digest of what it holds.

    Needs the build's cache attached as `cache`. The build changes in one transaction, `vectors` batch by batch.
    Raises EmbedderError, unless `on_failure` is "lexical": then the wiki has no vectors and `meta.degraded` says why.
    """
    load_vec0(build)
    build.execute(_EMBEDDED)
    if embedder.name == "none":
        return _leave_out(build, embedder, "")
    try:
        return _bring_in_line(build, vectors, embedder, progress)
    except EmbedderError as fault:
        if on_failure != "lexical":
            raise
        return _leave_out(build, embedder, str(fault))


def embedded_text(title: str, description: str | None, heading: str, text: str, number: int) -> str:
    """What is embedded for a piece: its names above its prose, links as their text alone.

    The first piece speaks for the concept, so the description goes with it, unless the prose says it anyway.
    """
    prose = _LINK.sub(lambda link: link[1] or link[2] or "", text) if "[" in text else text
    lead = description if description and number == 0 and description not in prose else ""
    return "\n".join(part for part in (title[:_LONGEST_NAME], heading[:_LONGEST_NAME], lead, prose) if part)


def _bring_in_line(build: apsw.Connection, vectors: apsw.Connection, embedder: Embedder, progress: Callable[..., object]) -> str:
    fingerprint, before = embedder.fingerprint, _meta(build, "fingerprint")
    cache = VectorCache(vectors, fingerprint)
    gone = build.execute(_GONE).fetchall()
    anew = fingerprint != before or _cheaper_anew(build, len(gone))
    texts: dict[bytes, str] = {}
    pieces = []
    for piece, text in _pieces(build, anew):
        pieces.append(piece)
        if piece.text_hash not in cache:
            texts[piece.text_hash] = text
    _embed(texts, cache, embedder, progress)
    if fingerprint != before:
        cache.retire_model(before)
    cache.retire(text_hash for _, text_hash in gone)
    with build:
        if anew:
            _drop(build)
            dimension = len(cache.get(pieces[0].text_hash)) // 4 if pieces else embedder.dimension
            build.execute(EMBEDDINGS.format(dimension=dimension))
            _note(build, embedder, dimension, fingerprint, "")
        else:
            build.executemany("delete from embeddings where piece_id = ?", ((piece_id,) for piece_id, _ in gone))
            build.executemany("delete from cache.embedded_pieces where piece_id = ?", ((piece_id,) for piece_id, _ in gone))
        build.executemany("insert into embeddings(piece_id, vector, path, piece) values (?, ?, ?, ?)",
                          ((piece.id, cache.get(piece.text_hash), piece.path, piece.number) for piece in pieces))
        build.executemany("insert into cache.embedded_pieces values (?, ?, ?, ?, ?)", pieces)
    _forget(build, cache)
    return digest_of(build, "cache.indexed", "path", "content_hash", head=fingerprint)  # content and model determine every vector


def _embed(texts: dict[bytes, str], cache: VectorCache, embedder: Embedder, progress: Callable[..., object]) -> None:
    """Make the vectors that are missing; each batch is kept before the next begins.

    Longest first: texts of like length make even batches, and the time left is not told too short.
    """
    order = sorted(texts, key=lambda text_hash: (-len(texts[text_hash]), text_hash))
    work = sum(map(len, texts.values()))
    worked = 0
    for start in range(0, len(order), embedder.batch):
        progress(start, len(order), worked / work)
        batch = order[start:start + embedder.batch]
        cache.put(zip(batch, embedder.passages([texts[text_hash] for text_hash in batch]), strict=True))
        worked += sum(len(texts[text_hash]) for text_hash in batch)
    if order:
        progress(len(order), len(order), 1.0)


def _pieces(build: apsw.Connection, anew: bool) -> Iterator[tuple[_Piece, str]]:
    """The pieces not in the table, or all, each with its text."""
    rows = build.execute((_ALL if anew else _NEW) + "order by p.path, p.number")
    for path, group in itertools.groupby(rows, key=lambda row: row[1]):
        title, description, body = build.execute(
            "select title, description, body from concepts where _path = ?", (path,)).fetchone()
        for piece_id, _, number, heading, start, stop, content_hash in group:
            text = embedded_text(title, description, heading, body[start:stop], number)
            text_hash = hashlib.sha256(text.encode("utf-8", "replace")).digest()
            yield _Piece(piece_id, path, number, content_hash, text_hash), text


def _cheaper_anew(build: apsw.Connection, gone: int) -> bool:
    """Whether to write the whole table: there is none, much changed, or it is full of holes.

    A vec0 row costs 0.75 ms to delete and 0.03 ms to insert, and its place is never used again though every
    search walks over it.
    """
    if not build.execute("select 1 from sqlite_master where name = 'embeddings'").get:
        return True
    rows = build.execute("select count(*) from cache.embedded_pieces").get
    places = build.execute("select coalesce(sum(size), 0) from embeddings_chunks").get
    return gone > rows // 20 or places - rows + gone > 1024 + rows // 4


def _leave_out(build: apsw.Connection, embedder: Embedder, why: str) -> str:
    with build:
        _drop(build)
        _note(build, embedder, 0, "", why)
    return hashlib.sha256(f"no vectors {embedder.name} {why}".encode("utf-8", "replace")).hexdigest()


def _drop(build: apsw.Connection) -> None:
    build.execute("drop table if exists embeddings")
    build.execute("delete from cache.embedded_pieces")


def _note(build: apsw.Connection, embedder: Embedder, dimension: int, fingerprint: str, degraded: str) -> None:
    build.executemany("replace into meta(key, value) values (?, ?)", [
        ("embedder", embedder.name), ("model", embedder.model), ("dimension", str(dimension)),
        ("fingerprint", fingerprint), ("degraded", degraded)])


def _meta(build: apsw.Connection, key: str) -> str:
    return build.execute("select value from meta where key = ?", (key,)).get or ""


def _forget(build: apsw.Connection, cache: VectorCache) -> None:
    """Only when the cache is over its bound, for that costs a walk over it all."""
    rows = build.execute("select count(*) from cache.embedded_pieces").get
    if len(cache) > rows + max(rows, SPARE):
        cache.forget(text_hash for text_hash, in build.execute("select text_hash from cache.embedded_pieces"))
