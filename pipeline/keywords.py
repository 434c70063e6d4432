"""Renders wiki-trigger-keywords.txt: what a prompt hook looks for to know that the wiki may help (seed §12)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import apsw

from pipeline.escape import one_line
from pipeline.views import digest, render, write

_NAMES = "select title, aliases, tags from concepts order by _path"


def keywords(db: apsw.Connection, bundle: Path, templates: Path) -> str:
    """Writes the keywords when their bytes change; returns the digest of what stands in the file.

    Superseded and deprecated concepts count: what was true before is asked about too.
    """
    spellings: dict[str, str] = {}
    for name in _names(db):
        for keyword in _forms(one_line(name)):
            spellings.setdefault(keyword.casefold(), keyword)
    text = render(templates, "keywords.txt", keywords=[spellings[key] for key in sorted(spellings)]).encode()
    write(bundle / "wiki-trigger-keywords.txt", text)
    return digest(text)


def _names(db: apsw.Connection) -> Iterator[str]:
    for title, aliases, tags in db.execute(_NAMES):
        yield title
        yield from json.loads(aliases)
        yield from json.loads(tags)


def _forms(name: str) -> Iterator[str]:
    """The name, unless it would be found everywhere; one that begins with `#` also without it.

    Hooks differ in what they take for a comment: ours `# `, others every line that begins with `#`. The bare form
    is found by all of them, and as a whole word it is found in `#MeToo` too.
    """
    bare = name.lstrip("# ") if name.startswith("#") else name
    for form in dict.fromkeys((name, bare)):
        one_ascii_character = len(form) == 1 and form.isascii()
        if any(map(str.isalnum, form)) and not one_ascii_character and not form.startswith("# "):
            yield form
