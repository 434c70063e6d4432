"""Finds the marks that git leaves where two versions of a text could not be merged."""

from __future__ import annotations

import re
from collections.abc import Iterator

REMEDY = "a merge conflict stands here: keep what is right and remove the lines <<<<<<<, ======= and >>>>>>>"
_MARK = re.compile(r"^(?:<{7}|>{7}) ", re.MULTILINE)


def has_marks(text: str) -> bool:
    """Whether there may be any; told faster than where they are, and fastest where even a mark's first character is missing."""
    return ("<" in text and "<<<<<<< " in text
            or ">" in text and ">>>>>>> " in text and "\n=======\n" in text)  # the last alone may be a deep quote


def conflicts(text: str) -> Iterator[int]:
    """The line, from 1, of each conflict: its first mark, or its last one when the first is gone."""
    if not has_marks(text):
        return
    inside = False
    for mark in _MARK.finditer(text):
        opens = mark[0][0] == "<"
        if opens or not inside:
            yield text.count("\n", 0, mark.start()) + 1
        inside = opens
