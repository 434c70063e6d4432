"""Compiles a copy of a bundle through the stages, without vectors, for tests that ask what the build knows."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import apsw

from pipeline.edges import edges
from pipeline.fts import fts
from pipeline.parse import parse
from pipeline.store import Store
from pipeline.validate import validate
from retrieval.files import scan

_folders: list[tempfile.TemporaryDirectory] = []  # kept until the process ends, for connections outlive a test


def compile_bundle(bundle: Path, copy: Path | None = None) -> apsw.Connection:
    """The build database of `bundle`, cache attached; compiled in `copy`, or in a folder of its own."""
    if copy is None:
        _folders.append(tempfile.TemporaryDirectory())
        copy = Path(_folders[-1].name) / "bundle"
    shutil.copytree(bundle, copy, ignore=shutil.ignore_patterns(".wiki", "wiki.db"), dirs_exist_ok=True)
    store = Store(copy)
    store.prepare()
    db = store.open()
    parse(db, copy, scan(copy))
    for stage in (validate, edges, fts):
        stage(db)
    return db
