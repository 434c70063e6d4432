"""Reads a YAML frontmatter block under the core schema of YAML 1.2, with the line of every key."""

from __future__ import annotations

from typing import Any

from pipeline.plain_yaml import Intricate, read_plain


def read_frontmatter(text: str) -> tuple[dict[str, Any], dict[str, int], list[tuple[str, str, int]]]:
    """Read the text between the fences.

    Returns the mapping, the lines (from 1, within `text`) of keys and list entries by address (`relations[2].date`;
    see `line_of`), and faults that do not prevent reading, as (check, message, line).
    Raises FrontmatterError when there is no mapping to be had.
    """
    try:
        return *read_plain(text), []
    except Intricate:
        from pipeline.full_yaml import read_full  # with the parser, which most builds never need
        return read_full(text)


def line_of(address: str, lines: dict[str, int]) -> int:
    """The line of a key or entry; 0 for one that is not there, nor anything around it.

    What stands on the line of the mapping around it, or is missing, has no line of its own.
    """
    while address and address not in lines:
        address = address[:max(address.rfind("["), address.rfind("."), 0)]
    return lines.get(address, 0)
