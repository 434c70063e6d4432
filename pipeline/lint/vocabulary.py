"""Reads the predicate vocabulary: the tables `| predicate | inverse | meaning |` of AGENTS.md (seed §8)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pipeline.beside import UnreadableFile, read_beside

FILES = ("AGENTS.md", "CLAUDE.md")
"""Where a bundle documents its predicates; the first file with a table counts."""

_CELLS = re.compile(r"(?<!\\)\|")
_QUOTED = re.compile(r"`([^`]+)`")
_ASIDE = re.compile(r"\([^()]*\)")
_BETWEEN = re.compile(r"[,;/]|\bor\b")
_NOTHING = frozenset({"", "-", "–", "—", "none", "n/a"})
_ITSELF = frozenset({"itself", "self", "same", "symmetric"})


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The documented predicates."""

    file: str
    """The file they stand in; AGENTS.md when there are none."""
    inverses: Mapping[str, frozenset[str]]
    """Each predicate with its documented inverses: usually one, sometimes none."""

    def is_pair(self, one: str, other: str) -> bool:
        """Whether the two are documented as each other's inverse."""
        return other in self.inverses.get(one, ()) or one in self.inverses.get(other, ())


def read_vocabulary(bundle: Path) -> Vocabulary:
    """The vocabulary of a bundle; empty when no file documents one."""
    for name in FILES:
        try:
            text = read_beside(bundle / name, errors="replace") or ""
        except UnreadableFile:
            continue
        if inverses := vocabulary_in(text):
            return Vocabulary(name, inverses)
    return Vocabulary(FILES[0], {})


def vocabulary_in(text: str) -> dict[str, frozenset[str]]:
    """Predicates and their inverses from the tables in `text`.

    A name that stands only in the inverse column is documented too, and has the row's predicate for its inverse.
    """
    rows = [(name, _names(cells[1])) for cells in _rows(text) for name in _names(cells[0])]
    documented = dict(rows)
    inverses = {name: set() for name in documented}
    for name, others in rows:
        inverses[name].update(name if other in _ITSELF else other for other in others)
    for name, others in rows:
        for other in others:
            if other not in _ITSELF and other not in documented:
                inverses.setdefault(other, set()).add(name)
    return {name: frozenset(others) for name, others in inverses.items()}


def _rows(text: str) -> Iterator[tuple[str, str]]:
    """The cells under `predicate` and `inverse` of every table that begins with these two columns."""
    inside = False
    for line in text.splitlines():
        cells = [cell.strip() for cell in _CELLS.split(line.strip().strip("|"))]
        if "|" not in line:
            inside = False
        elif len(cells) > 1 and [cell.strip("*` ").casefold() for cell in cells[:2]] == ["predicate", "inverse"]:
            inside = True
        elif inside and len(cells) > 1 and set(cells[0]) - set("-: "):
            yield cells[0], cells[1]


def _names(cell: str) -> list[str]:
    """The predicates in a cell: one, or several with a comma or slash between; none for a dash."""
    names = _QUOTED.findall(cell) or _BETWEEN.split(_ASIDE.sub("", cell))
    return [name.strip(" *") for name in names if name.strip(" *").casefold() not in _NOTHING]
