"""Finds the concept an author means by a path or by a name, in the files themselves: no wiki.db is needed."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from pathlib import Path

from pipeline.edit.changes import Refused
from pipeline.edit.document import Document, read_document
from pipeline.model import Concept
from pipeline.parse import parse_page
from pipeline.paths import OutsideBundle, concept_reference
from pipeline.understand import title_from, understand
from retrieval.files import FileStamp, is_concept_path, scan
from retrieval.names import fold

_TITLE = re.compile(r"""^title:[ \t]*(?:"([^"\n]+)"|'([^'\n]+)'|([^#\n]+))""", re.MULTILINE)
"""A title as most files write it: good enough for a hint, and found without reading YAML."""


def open_concept(bundle: Path, name: str) -> Document:
    """The document of the concept with this path, title or alias. Raises Refused when there is not exactly one."""
    if name.startswith("/") or name.endswith(".md"):
        return read_document(*_by_path(bundle, name))
    return read_document(*_by_name(bundle, name))


def concept_of(document: Document) -> Concept:
    """The document as the build understands it, before the edits. Raises Refused when it is no concept."""
    concept, findings = understand(document.page)
    if concept is None:
        reason = f": {findings[0].message}" if findings else ""
        raise document.refused(f"is no concept{reason}")
    return concept


def _by_path(bundle: Path, name: str) -> tuple[Path, str]:
    try:
        path = concept_reference("/" + name.lstrip("/"))
    except OutsideBundle:
        raise Refused(f"{name} leads out of the bundle; nothing was changed.") from None
    if path is None or not is_concept_path(path):
        raise Refused(f"{name} is not the path of a concept; nothing was changed.")
    file = bundle / path[1:]
    if not file.is_file():  # the file system may spell the name in another Unicode form
        file = next((bundle / stamp.name for stamp in scan(bundle) if stamp.path == path), file)
    if file.is_file() and not file.resolve().is_relative_to(bundle.resolve()):
        raise Refused(f"{name} leads out of the bundle; nothing was changed.")
    if not file.is_file():
        raise Refused(f"There is no concept at {path}: write it first, or check the path; nothing was changed.")
    return file, path


def _by_name(bundle: Path, name: str) -> tuple[Path, str]:
    found = [(bundle / stamp.name, stamp.path) for stamp, names in _candidates(bundle, name) if fold(name) in map(fold, names)]
    if len(found) > 1:
        paths = ", ".join(path for _, path in found)
        raise Refused(f"More than one concept is called {name!r} ({paths}): name the one you mean by its path; nothing was changed.")
    if not found:
        close = " or ".join(map(repr, _close_titles(bundle, name)))
        hint = f" (did you mean {close}?)" if close else ""
        raise Refused(f"No concept is called {name!r}{hint}: name it by its path, as /entities/openai.md; nothing was changed.")
    return found[0]


def _candidates(bundle: Path, name: str) -> Iterator[tuple[FileStamp, tuple[str, ...]]]:
    """Files that hold the longest word of the name, with the names of their concepts: only these need be parsed."""
    word = max(name.casefold().split(), key=len, default="")
    for stamp in scan(bundle):
        data, frontmatter = _read(bundle, stamp)
        if word in frontmatter.casefold() or word in stamp.path.casefold():
            concept, _ = understand(parse_page(stamp.path, data))
            if concept:
                yield stamp, (concept.title, *concept.aliases)


def _read(bundle: Path, stamp: FileStamp) -> tuple[bytes, str]:
    """The bytes of a file, and the text of its frontmatter."""
    data = b"" if stamp.problem else (bundle / stamp.name).read_bytes()
    return data, data.partition(b"\n---")[0].decode("utf-8", "replace")


def _close_titles(bundle: Path, name: str) -> list[str]:
    """Titles of which the name is a part, else those that are spelt much like it; at most three."""
    titles = {}
    for stamp in scan(bundle):
        found = _TITLE.search(_read(bundle, stamp)[1])
        title = found[found.lastindex].strip() if found else title_from(stamp.path)
        titles.setdefault(fold(title), title)
    longer = sorted(title for title in titles if f" {fold(name)} " in f" {title} ")
    return [titles[title] for title in longer[:3] or difflib.get_close_matches(fold(name), sorted(titles), 3)]
