"""Bundles of the ranking tests: one text file each, a line `=== /path.md` before every page."""

from __future__ import annotations

import re
import tempfile
from functools import cache
from pathlib import Path

from retrieval.wiki import Wiki
from tests.build import build
from tests.casefile import CASES
from tests.stub_embedder import StubEmbedder

_PAGE = re.compile(r"^=== /(\S+)\n", re.MULTILINE)
_folders: list[tempfile.TemporaryDirectory] = []  # kept until the process ends, for wikis outlive a test


def write_pages(text: str, folder: Path) -> None:
    """The pages of a bundle file as files below `folder`."""
    _, *parts = _PAGE.split(text)
    for name, page in zip(parts[::2], parts[1::2]):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(page, encoding="utf-8")


def wiki_of(text: str, embedder: StubEmbedder | None = None, settings: str = "") -> Wiki:
    """The wiki of a bundle given as text; without vectors unless given an embedder."""
    _folders.append(tempfile.TemporaryDirectory())
    folder = Path(_folders[-1].name)
    write_pages(text, folder)
    (folder / "wiki.yaml").write_text(settings, encoding="utf-8")
    build(folder, embedder)
    return Wiki(folder, embedder)


@cache
def case_wiki(name: str, vectors: bool = False) -> Wiki:
    """The wiki of `tests/cases/retrieval/ranking_bundles/<name>.txt`, built once."""
    text = (CASES / "retrieval/ranking_bundles" / f"{name}.txt").read_text(encoding="utf-8")
    return wiki_of(text, StubEmbedder() if vectors else None)
