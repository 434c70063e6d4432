"""Runs a whole build in this process, in the order of the DAG, and reads back all it made; for tests of its laws."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import sqlite_vec

from pipeline.edges import edges
from pipeline.embeddings import embeddings, open_vectors
from pipeline.fts import fts
from pipeline.index import index
from pipeline.keywords import keywords
from pipeline.parse import parse
from pipeline.settings import load_settings
from pipeline.store import Store
from pipeline.timeline import timeline
from pipeline.validate import validate
from pipeline.wiki import wiki
from retrieval.embedders import open_embedder
from retrieval.files import settled_scan

TEMPLATES = Path(__file__).parent.parent / "templates"
VIEWS = ("timeline.md", "index.md", "wiki-trigger-keywords.txt")


def build(bundle: Path, embedder=None) -> Store:
    """Compile `bundle` in place, incrementally when it was compiled before; without vectors unless given an embedder."""
    store = Store(bundle)
    store.prepare()
    given = load_settings(bundle)
    with closing(store.open()) as db, closing(open_vectors(store.folder / "vectors.db")) as vectors:
        parse(db, bundle, settled_scan(bundle))
        for stage in (validate, edges, fts):
            stage(db)
        embeddings(db, vectors, embedder or open_embedder("none", given.embedding))
        wiki(db, store, given)
        timeline(db, bundle, TEMPLATES)
        store.remember("index.json", index(db, bundle, TEMPLATES, store.recall("index.json")).state)
        keywords(db, bundle, TEMPLATES)
    return store


def contents(bundle: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of wiki.db that is not a stamp of the time, identified by concept path instead of rowid."""
    with closing(apsw.Connection(str(bundle / "wiki.db"))) as db:
        db.enable_load_extension(True)
        db.load_extension(sqlite_vec.loadable_path())
        db.execute("create virtual table temp.terms using fts5vocab(main, concepts_fts, instance)")
        queries = {
            "concepts": "select * from concepts",
            "edges": "select * from edges",
            "links": "select * from links",
            "names": "select * from names",
            "files": "select path, content_hash from files",
            "pieces": "select path, number, heading, start, stop from pieces",
            "meta": "select * from meta where key <> 'built_at'",
            "concepts_fts": 'select term, _path, col, "offset" from terms join concepts on concepts.rowid = doc',
        }
        if db.execute("select 1 from sqlite_master where name = 'embeddings'").get:
            queries["embeddings"] = "select path, piece, vector from embeddings"
        return {name: sorted(db.execute(query).fetchall(), key=repr) for name, query in queries.items()}


def views(bundle: Path) -> dict[str, bytes]:
    """The bytes of every rendered view."""
    return {file.relative_to(bundle).as_posix(): file.read_bytes()
            for file in sorted(bundle.rglob("*")) if file.name in VIEWS}
