"""A link in prose that leads nowhere: no such file, out of the bundle, or a wikilink whose name no concept bears.

A wikilink that several concepts answer to leads nowhere too. Correct it, or write the page it promises.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from pipeline.lint.bundle import LintBundle, Remark
from pipeline.lint.moved import Moved
from retrieval.names import fold

ID = "broken-link"
LEVEL = "warning"

_ATTACHMENTS = frozenset(
    ".avif .base .bmp .canvas .csv .gif .html .jpeg .jpg .m4a .mov .mp3 .mp4 .ogg .pdf .png .svg .txt .wav .webm .webp".split())
"""Endings of files that are embedded by a wikilink and are no concepts."""


def check(bundle: LintBundle) -> Iterator[Remark]:
    moved = Moved(bundle.db)
    for path, line, written, target in bundle.db.execute("""
            select subject_path, line, target, object_path from links
            where object_path is null or object_path not in (select _path from concepts)
              and object_path not in (select path from cache.seen)"""):
        if target is not None:
            yield Remark(path, f"the linked file does not exist{moved.hint(target)}: {written}", line=line)
        elif not written.startswith("[["):
            yield Remark(path, f"the link leads out of the bundle: {written}", line=line)
        elif posixpath.splitext(_name(written))[1].casefold() not in _ATTACHMENTS:
            yield Remark(path, f"{_why(bundle, _name(written))}: {written}", line=line)


def _name(wikilink: str) -> str:
    return wikilink[2:-2].partition("#")[0].strip()


def _why(bundle: LintBundle, name: str) -> str:
    bearers = bundle.db.execute("select distinct path from names where name = ? order by path limit 3", (fold(name),)).fetchall()
    return f"write the path, for {' and '.join(path for path, in bearers)} bear this name" if bearers else "no concept bears this name"
