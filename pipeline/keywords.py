"""Renders wiki-trigger-keywords.txt: what a prompt hook looks for to know that the wiki may help (seed §12)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import apsw

from pipeline.escape import one_line
from pipeline.views import digest, render, write

# A concept's names as the items of a JSON list: text, a list and a list.
_NAMES = "select json_quote(title) || ',' || aliases || ',' || tags from concepts order by _path"


def keywords(db: apsw.Connection, bundle: Path, templates: Path) -> str:
    """Writes the keywords when their bytes change; returns the digest of what stands in the file.

    Superseded and deprecated concepts count: what was true before is asked about too.
    """
    spellings: dict[str, str] = {}
    for name in dict.fromkeys(_names(db)):
        for keyword in _forms(one_line(name)):
            spellings.setdefault(keyword.casefold(), keyword)
    text = render(templates, "keywords.txt", keywords=[spellings[key] for key in sorted(spellings)]).encode()
    write(bundle / "wiki-trigger-keywords.txt", text)
    return digest(text)


def _names(db: apsw.Connection) -> Iterator[str]:
    for names in json.loads(f"[{','.join(row for row, in db.execute(_NAMES))}]"):
        if isinstance(names, str):
            yield names
        else:
            yield from names


def _forms(name: str) -> list[str]:
    """The name, unless it would be found everywhere; one that begins with `#` also without it.

    Hooks differ in what they take for a comment: ours `# `, others every line that begins with `#`. The bare form
    is found by all of them, and as a whole word it is found in `#MeToo` too.
    """
    return [form for form in ((name, name.lstrip("# ")) if name.startswith("#") else (name,)) if _telling(form)]


def _telling(form: str) -> bool:
    one_ascii_character = len(form) == 1 and form.isascii()
    return any(map(str.isalnum, form)) and not one_ascii_character and not form.startswith("# ")
