"""Small bundles for tests of what is made from a compiled one: written from one text, compiled by the real stages."""

from __future__ import annotations

import re
from pathlib import Path

import apsw

from pipeline.edges import edges
from pipeline.parse import parse
from pipeline.store import Store
from pipeline.validate import validate
from retrieval.files import scan

TEMPLATES = Path(__file__).parents[2] / "templates"


def write_bundle(bundle: Path, text: str) -> None:
    """Writes the files of a text in which each begins with a line `== /its/path.md`; a bare frontmatter gets fences."""
    for path, content in re.findall(r"^== (.+)\n((?:(?!== ).*\n?)*)", text, re.MULTILINE):
        file = bundle / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        bare = not content.startswith("---") and not path.endswith("index.md")
        file.write_bytes((f"---\n{content.strip()}\n---\n" if bare else content).encode())


def compile_bundle(bundle: Path) -> apsw.Connection:
    """The build database of a bundle, up to its edges."""
    store = Store(bundle)
    store.prepare()
    db = store.open()
    parse(db, bundle, scan(bundle))
    validate(db)
    edges(db)
    return db
