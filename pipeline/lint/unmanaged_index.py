"""An index.md without the marks between which `doit` lists the directory's concepts, so it is left as it is.

Nothing is wrong with an index kept by hand; it just does not follow the concepts. Put the two marks where the list
belongs, each on a line of its own, or delete the file: `<!-- wiki:begin -->` and `<!-- wiki:end -->`.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from pipeline.index import BEGIN, END
from pipeline.lint.bundle import LintBundle, Remark

ID = "unmanaged-index"
LEVEL = "info"


def check(bundle: LintBundle) -> Iterator[Remark]:
    for folder in sorted(_folders(bundle)):
        path = posixpath.join(folder, "index.md")
        file = bundle.folder / path.lstrip("/")
        if file.is_file() and not _is_managed(file.read_bytes()):
            yield Remark(path, f"is kept by hand: it has no marks {BEGIN.decode()} and {END.decode()}, so doit leaves it alone")


def _folders(bundle: LintBundle) -> set[str]:
    """The folders that hold concepts, with all that lie above them."""
    folders = {"/"}
    for path, in bundle.db.execute("select _path from concepts"):
        while (path := posixpath.dirname(path)) not in folders:
            folders.add(path)
    return folders


def _is_managed(text: bytes) -> bool:
    """Whether `doit` writes into it: one begin mark, then one end mark; or nothing yet."""
    marks = [line.strip() for line in text.splitlines() if line.strip() in (BEGIN, END)]
    return marks == [BEGIN, END] or not text.strip()
