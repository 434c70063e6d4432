"""What a plain scalar stands for, and the fault of a block in which nothing can be read.

The core schema of YAML 1.2 (https://yaml.org/spec/1.2.2/#103-core-schema), where PyYAML follows YAML 1.1: there `no` is
false, `12:30` is 750 and `2026-08-09` is a date object.
"""

from __future__ import annotations

import re
from typing import Any

TEXT_KEYS = frozenset({
    "type", "title", "description", "resource", "status", "stale_after", "superseded_by", "superseded_at",
    "supersedes", "aliases", "generated", "verified", "sources", "relations"})
"""Top-level keys below which a plain scalar is text whatever it looks like: a title `1984` is no number."""

_CORE = (
    (re.compile(r"(?:true|True|TRUE)\Z"), lambda text: True),
    (re.compile(r"(?:false|False|FALSE)\Z"), lambda text: False),
    (re.compile(r"[-+]?[0-9]{1,300}\Z"), int),
    (re.compile(r"0o[0-7]{1,300}\Z"), lambda text: int(text[2:], 8)),
    (re.compile(r"0x[0-9a-fA-F]{1,300}\Z"), lambda text: int(text, 16)),
    (re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]{1,3})?\Z"), float),
)
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_MAYBE_TYPED = frozenset("0123456789+-.tTfF")


class FrontmatterError(Exception):
    """The block cannot be read; `line` counts from 1 within the block."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


def resolve(text: str, as_text: bool) -> Any:
    """A plain scalar's value; `as_text` below TEXT_KEYS.

    Numbers that JSON or a person would spell otherwise stay text, and whole ones beyond 64 bits, of which SQL and most
    readers of JSON would round the last digits.
    """
    if text in _NULLS:
        return None
    if as_text or text[0] not in _MAYBE_TYPED:
        return text
    for pattern, value in _CORE:
        if pattern.match(text):
            number = value(text)
            held = -2**63 <= number < 2**63 if isinstance(number, int) else abs(number) < float("inf")
            return number if held else text
    return text
