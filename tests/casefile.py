"""Reads case files: a title, then blocks set off by lines with a single dot, so that a new case needs no Python.

    what the case shows
    .
    the input
    .
    the expected output
    .
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

CASES = Path(__file__).parent / "cases"


class Case(NamedTuple):
    """One case; `str` of it is its title, which names the test."""

    title: str
    given: str
    expected: str

    def __str__(self) -> str:
        return self.title


def cases(name: str) -> list[Case]:
    """The cases of `tests/cases/<name>`."""
    found, blocks = [], [[]]
    for line in (CASES / name).read_text(encoding="utf-8").split("\n"):
        if line == ".":
            blocks.append([])
            if len(blocks) == 4:
                title, given, expected, _ = ("\n".join(block) for block in blocks)
                found.append(Case(title.strip(), given, expected))
                blocks = [[]]
        else:
            blocks[-1].append(line)
    assert len(blocks) == 1, f"{name}: a case is not closed by a line with a dot"
    return found
