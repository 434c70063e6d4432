"""Reads frontmatter as nearly everybody writes it, several times faster than a parser of all of YAML.

One key a line, with a value on the line, or a list or mapping below it one level deep, as in OKF's own examples. Whatever is
written otherwise, or wrongly, is left to the parser: what is read here, the parser would read the same way.
"""

from __future__ import annotations

import re
from typing import Any

from pipeline.yaml_values import TEXT_KEYS, resolve

LONGEST = 100_000
"""Characters of a block that is read here; so many cannot hold more values than a frontmatter may."""

_KEY = r"[A-Za-z_][\w-]{0,99}"
_LINE = re.compile(rf"^( *)(- +)?(?:({_KEY}):(?: +|$))?(.*)$", re.MULTILINE)
"""Indent, dash, key and value; on a line of another kind, all that follows the indent is its value."""
_QUOTED = re.compile(r'"[^"\\]*+(?:\\["\\][^"\\]*+)*+"')
_ESCAPE = re.compile(r'\\(["\\])')
_BEGINS_PLAIN = re.compile(r"[\w/.(+~]")
_FLOW = (r"""(?:"([^"\\]*+)"|'([^']*+)'|([\w/.(+~][^,\[\]{}:#?]*+(?::(?=[\w/])[^,\[\]{}:#?]*+)*+)) *(?:, *|$)|(.+)""")
"""A value inside brackets or braces up to the next: in double quotes, in single ones, or plain; or else all the rest."""
_ITEM = re.compile(_FLOW)
_PAIR = re.compile(rf"({_KEY}): +{_FLOW}")


class Intricate(Exception):
    """The block holds what only the parser can read."""


def read_plain(text: str) -> tuple[dict[str, Any], dict[str, int]]:
    """The mapping in the text between the fences, and the lines of its keys and entries; see `read_frontmatter`.

    Raises Intricate.
    """
    if len(text) > LONGEST or not text.replace("\n", "").isprintable():
        raise Intricate
    values: dict[str, Any] = {}
    lines: dict[str, int] = {}
    top, as_text = "", False  # the key whose value stands below it
    entries: list[Any] | None = None
    mapping: dict[str, Any] | None = None  # that below the key, or the entry at hand
    place, at, column = "", 0, 0
    for number, (indent, dash, key, value) in enumerate(_LINE.findall(text), 1):
        if dash:
            if not top or mapping is not None and entries is None:
                raise Intricate
            if entries is None:
                entries = values[top] = []
                at = len(indent)
            elif len(indent) != at:
                raise Intricate
            place = f"{top}[{len(entries)}]"
            lines[place] = number
            if key:
                mapping = {key: _value(value, as_text)}
                entries.append(mapping)
                column = at + len(dash)
            else:
                mapping = None
                entries.append(_value(value, as_text))
        elif not key:
            if value and value[0] != "#":
                raise Intricate
        elif not indent:
            if key in values:
                raise Intricate
            lines[key] = number
            as_text = key in TEXT_KEYS
            top, place, entries, mapping = "" if value else key, key, None, None
            values[key] = _value(value, as_text) if value else None
        else:
            if mapping is None:
                if not top or entries is not None:
                    raise Intricate
                mapping = values[top] = {}
                column = len(indent)
            if len(indent) != column or key in mapping:
                raise Intricate
            lines[f"{place}.{key}"] = number
            mapping[key] = _value(value, as_text)
    return values, lines


def _value(text: str, as_text: bool) -> Any:
    """The value that the rest of a line stands for."""
    text = text.rstrip(" ")
    first, last = text[:1], text[-1:]
    if first == "{" and last == "}":
        return _mapping(text[1:-1].strip(" "), as_text)
    if first == "[" and last == "]":
        return _sequence(text[1:-1].strip(" "), as_text)
    if first == '"':
        if not _QUOTED.fullmatch(text):
            raise Intricate
        return _ESCAPE.sub(r"\1", text[1:-1]) if "\\" in text else text[1:-1]
    if first == "'":
        if last != first or text.count(first) != 2:
            raise Intricate
        return text[1:-1]
    if not _BEGINS_PLAIN.match(text) or last == ":" or ": " in text or " #" in text:
        raise Intricate
    return resolve(text, as_text)


def _mapping(text: str, as_text: bool) -> dict[str, Any]:
    """What stands between braces."""
    values: dict[str, Any] = {}
    for key, double, single, plain, rest in _PAIR.findall(text):
        if rest or key in values:
            raise Intricate
        values[key] = resolve(plain.rstrip(" "), as_text) if plain else double or single
    return values


def _sequence(text: str, as_text: bool) -> list[Any]:
    """What stands between brackets."""
    values = []
    for double, single, plain, rest in _ITEM.findall(text):
        if rest:
            raise Intricate
        values.append(resolve(plain.rstrip(" "), as_text) if plain else double or single)
    return values
