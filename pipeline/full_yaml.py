"""Reads frontmatter of any YAML there is.

PyYAML's C parser does the parsing; of it only the events are taken, since the resolving of scalars is ours.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

from pipeline.yaml_faults import explain
from pipeline.yaml_values import TEXT_KEYS, FrontmatterError, resolve

_Parser = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

MAX_NODES = 500_000
"""Values a frontmatter may hold with its aliases expanded; a bomb of aliases has billions."""
TEXT_PER_NODE = 32
"""Characters of a text that weigh as much as a value, so that an alias for a long text is no bomb either."""
MAX_DEPTH = 100
"""Levels of nesting read before giving up, its aliases expanded."""
ADDRESSED = 3
"""Levels whose keys and entries have a line: that of `relations[2].date`, where findings point."""
_UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
"""What an escape in double quotes can write though neither a line nor UTF-8 holds it: NUL, escape codes, lone surrogates."""
_PAIR = re.compile(r"(?<!\\)((?:\\\\)*)\\(u[dD][89abAB][0-9a-fA-F]{2})\\(u[dD][c-fC-F][0-9a-fA-F]{2})")
"""A character beyond U+FFFF as JSON escapes it: in two halves, of which YAML knows nothing."""


def read_full(text: str) -> tuple[dict[str, Any], dict[str, int], list[tuple[str, str, int]]]:
    """The mapping, lines and faults in the text between the fences; see `read_frontmatter`. Raises FrontmatterError."""
    return _Reader(text).read()


class _Reader:
    """Builds values from the parser's events; a recursive descent in which each `_x` consumes one node."""

    def __init__(self, text: str) -> None:
        self._stand_in = ""
        if "\\ud" in text or "\\uD" in text:
            # A sign of private use in place of the backslash keeps every column, and can be taken back.
            self._stand_in = next(sign for sign in map(chr, range(0xE000, 0xF8FF)) if sign not in text)
            text = _PAIR.sub(rf"\1{self._stand_in}\2{self._stand_in}\3", text)
        self.text = text
        self.parser = _Parser(text)
        self._next = self._next_with_pairs if self._stand_in else self.parser.get_event
        self.lines: dict[str, int] = {}
        self.faults: list[tuple[str, str, int]] = []
        self.anchors: dict[str, tuple[Any, int, int]] = {}
        self.nodes = 0
        self.deepest = 0

    def read(self) -> tuple[dict[str, Any], dict[str, int], list[tuple[str, str, int]]]:
        try:
            self._next()
            first = self._next()
            if isinstance(first, yaml.StreamEndEvent):
                return {}, self.lines, self.faults
            value = self._node(self._next(), "", 0, False, 0)
            self._next()
            trailing = self._next()
            if not isinstance(trailing, yaml.StreamEndEvent):
                raise FrontmatterError("more than one YAML document", trailing.start_mark.line + 1)
        except yaml.MarkedYAMLError as fault:
            raise FrontmatterError(*explain(fault, self.text)) from None
        except yaml.YAMLError as fault:
            raise FrontmatterError(f"not valid YAML: {str(fault).splitlines()[0]}", 1) from None
        finally:
            self.parser.dispose()
        if value is None:
            return {}, self.lines, self.faults
        if not isinstance(value, dict):
            raise FrontmatterError(f"a mapping of keys is needed, this is a {_kind(value)}", 1)
        return value, self.lines, self.faults

    def _next_with_pairs(self) -> Any:
        """The next event: pairs are one character in double quotes, and elsewhere what they look like."""
        event = self.parser.get_event()
        if isinstance(event, yaml.ScalarEvent) and self._stand_in in event.value:
            event.value = (re.sub(f"{self._stand_in}u(....){self._stand_in}u(....)", _joined, event.value)
                           if event.style == '"' else event.value.replace(self._stand_in, "\\"))
        return event

    def _node(self, event: Any, address: str, at: int, as_text: bool, depth: int) -> Any:
        """The value that begins with `event`, for the key or entry `address` in line `at`."""
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise FrontmatterError(f"holds more than {MAX_NODES:,} values", event.start_mark.line + 1)
        kind = type(event)
        if kind is yaml.ScalarEvent:
            text = event.value
            if event.style or event.tag or not event.implicit[0]:
                value = self._seen(event)
            else:
                value = resolve(text, as_text)
            if len(text) >= TEXT_PER_NODE or event.anchor:
                weight = len(text) // TEXT_PER_NODE
                self.nodes += weight
                if event.anchor:
                    self.anchors[event.anchor] = value, 1 + weight, 0
            return value
        line = event.start_mark.line + 1
        if kind is yaml.AliasEvent:
            return self._alias(event.anchor, line, depth)
        if depth == MAX_DEPTH:
            raise FrontmatterError(f"is nested more than {MAX_DEPTH} levels deep", line)
        before, beside = self.nodes, self.deepest
        build = self._sequence if kind is yaml.SequenceStartEvent else self._mapping
        self.deepest = depth + 1
        value = build(address, at, as_text, depth + 1)
        if event.anchor:
            self.anchors[event.anchor] = value, self.nodes - before, self.deepest - depth
        self.deepest = max(beside, self.deepest)
        return value

    def _alias(self, name: str, line: int, depth: int) -> Any:
        if name not in self.anchors:
            raise FrontmatterError(f"the alias *{name} refers to itself or to nothing", line)
        value, size, height = self.anchors[name]
        if depth + height > MAX_DEPTH:
            raise FrontmatterError(f"is nested more than {MAX_DEPTH} levels deep, its aliases expanded", line)
        self.deepest = max(self.deepest, depth + height)
        self.nodes += size
        if self.nodes > MAX_NODES:
            raise FrontmatterError(f"its aliases stand for more than {MAX_NODES:,} values", line)
        return value

    def _sequence(self, address: str, at: int, as_text: bool, depth: int) -> list[Any]:
        values: list[Any] = []
        place, line = "", 0
        while type(event := self._next()) is not yaml.SequenceEndEvent:
            if depth <= ADDRESSED:
                place, line = f"{address}[{len(values)}]", event.start_mark.line + 1
                if line != at:
                    self.lines[place] = line
            values.append(self._node(event, place, line, as_text, depth))
        return values

    def _mapping(self, address: str, at: int, as_text: bool, depth: int) -> dict[str, Any]:
        values: dict[str, Any] = {}
        place, line = "", 0
        while type(event := self._next()) is not yaml.MappingEndEvent:
            if type(event) is not yaml.ScalarEvent:
                raise FrontmatterError("a key must be plain text", event.start_mark.line + 1)
            key = self._seen(event) if event.style else event.value
            if depth <= ADDRESSED:
                place, line = f"{address}.{key}" if address else key, event.start_mark.line + 1
                if line != at:
                    self.lines.setdefault(place, line)
            twice = key in values
            value = self._node(self._next(), place, line, as_text or (depth == 1 and key in TEXT_KEYS),
                               max(depth, ADDRESSED) if twice else depth)  # beyond, nothing has a line: the first keeps its own
            if twice:
                self.faults.append(("duplicate-key", f"the key {key!r} stands twice; the first is used", event.start_mark.line + 1))
            else:
                values[key] = value
        return values

    def _seen(self, event: Any) -> str:
        """The text of a scalar, without what nobody could see or store."""
        text = event.value
        if event.style == '"' and not text.isprintable() and _UNSEEN.search(text):
            self.faults.append(("encoding", "holds a control character, read as \ufffd", event.start_mark.line + 1))
            text = _UNSEEN.sub("\ufffd", text)
        return text


def _joined(pair: re.Match) -> str:
    high, low = (int(half, 16) for half in pair.groups())
    return chr(0x10000 + (high - 0xD800 << 10) + (low - 0xDC00))


def _kind(value: Any) -> str:
    return "list" if isinstance(value, list) else "single value"
