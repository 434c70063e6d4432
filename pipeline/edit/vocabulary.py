"""The predicate vocabulary in AGENTS.md: what it lacks, and how a name in it is changed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from pipeline.edit.changes import Change
from pipeline.lint.vocabulary import FILES, read_vocabulary

_ROW = re.compile(r"^[ \t]*\|.*$", re.MULTILINE)
_CELL = re.compile(r"(?<!\\)\|")
_NAME = re.compile(r"[\w.+-]+")


def undocumented(bundle: Path, predicates: Iterable[str]) -> tuple[str, ...]:
    """A note on each predicate that the vocabulary does not explain yet."""
    known = read_vocabulary(bundle)
    return tuple(f"{predicate} is not in the vocabulary of {known.file} yet: add its row there."
                 for predicate in dict.fromkeys(predicates) if predicate not in known.inverses)


def rename_in_vocabulary(bundle: Path, names: Mapping[str, str]) -> list[Change]:
    """The files whose vocabulary tables hold one of the names, with the new ones in their place."""
    changes = []
    for name in FILES:
        file = bundle / name
        if file.is_file():
            before = file.read_bytes()
            after = _renamed(before.decode("utf-8", "surrogateescape"), names).encode("utf-8", "surrogateescape")
            changes += [Change(file, name, before, after)] if after != before else []
    return changes


def _renamed(text: str, names: Mapping[str, str]) -> str:
    """The text with the names changed in the first two columns of its tables; a row that would stand twice goes."""
    rows = [match[0] for match in _ROW.finditer(text)]
    explained = {_first_name(row) for row in rows}
    lines = []
    for line in text.splitlines(keepends=True):
        first = _first_name(line) if _ROW.match(line) else ""
        if first in names and names[first] in explained:
            continue
        lines.append(_row(line, names) if first else line)
    return "".join(lines)


def _first_name(row: str) -> str:
    cells = _CELL.split(row)
    return cells[1].strip().strip("`") if len(cells) > 2 else ""


def _row(line: str, names: Mapping[str, str]) -> str:
    cells = re.split(r"((?<!\\)\|)", line)
    for column in (2, 4):  # the first two cells: every other part is a bar
        if column < len(cells):
            cells[column] = _NAME.sub(lambda match: names.get(match[0], match[0]), cells[column])
    return "".join(cells)
