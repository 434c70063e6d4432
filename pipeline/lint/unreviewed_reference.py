"""A file under `references/` that no concept cites, neither among its sources nor as its resource.

A prompt to look, not a verdict: it may be new and waiting to be ingested, or have been read and found to hold
nothing for this bundle.
"""

from __future__ import annotations

import os
import posixpath
import unicodedata
from collections.abc import Iterator

from pipeline.lint.bundle import LintBundle, Remark
from pipeline.provenance import REFERENCES, named_references
from retrieval.files import RESERVED

ID = "unreviewed-reference"
LEVEL = "info"


def check(bundle: LintBundle) -> Iterator[Remark]:
    cited = named_references(bundle.db)
    for path in _files(bundle):
        if path not in cited and not any(folder in cited for folder in _above(path)):
            yield Remark(path, "no concept cites it")


def _files(bundle: LintBundle) -> Iterator[str]:
    """Every file under references/ but hidden ones and indexes, as a path from the bundle's root."""
    for folder, names, files in os.walk(bundle.folder / REFERENCES.strip("/")):
        names[:] = [name for name in names if not name.startswith(".")]
        place = os.path.relpath(folder, bundle.folder)
        for name in files:
            if not name.startswith(".") and name not in RESERVED:
                path = "/" + posixpath.join(place.replace(os.sep, "/"), name)
                yield unicodedata.normalize("NFC", path.encode("utf-8", "replace").decode())  # a name need not be UTF-8


def _above(path: str) -> Iterator[str]:
    """The folders a file lies in, up to but not including references/ itself."""
    while (path := posixpath.dirname(path)) + "/" != REFERENCES:
        yield path
