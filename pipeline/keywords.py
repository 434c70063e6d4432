"""Renders wiki-trigger-keywords.txt: what a prompt hook looks for to know that the wiki may help (seed §12)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import apsw
import orjson

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
            if _telling(keyword):
                spellings.setdefault(keyword.casefold(), keyword)
    text = render(templates, "keywords.txt", keywords=sorted(spellings.values(), key=str.casefold)).encode()
    write(bundle / "wiki-trigger-keywords.txt", text)
    return digest(text)


def _names(db: apsw.Connection) -> Iterator[str]:
    for names in orjson.loads(f"[{','.join(row for row, in db.execute(_NAMES))}]"):
        if isinstance(names, str):
            yield names
        else:
            yield from names


def _forms(name: str) -> tuple[str, ...]:
    """The name; one that begins with `#` also without it.

    Hooks differ in what they take for a comment: ours `# `, others every line that begins with `#`. The bare form
    is found by all of them, and as a whole word it is found in `#MeToo` too.
    """
    return (name, name.lstrip("# ")) if name.startswith("#") else (name,)


def _telling(form: str) -> bool:
    """Whether it would not be found everywhere, nor be taken for a comment."""
    one_ascii_character = len(form) == 1 and form.isascii()
    return any(map(str.isalnum, form)) and not one_ascii_character and not form.startswith("# ")
