"""Where and how a new item goes into a YAML list, so that it looks like its neighbours.

The answers are splices: (start, stop, new text), positions in the text that the nodes were composed from.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

from pipeline.scalars import flow, flow_value, scalar

Splice = tuple[int, int, str]
Item = str | dict[str, Any]


def begin_list(text: str, node: yaml.Node, item: Item, newline: str, column: int) -> list[Splice]:
    """Makes a list of an empty value (`key:`, `key: ~`, `key: []`); a comment behind it stays on its line."""
    start, stop = len(text[:node.start_mark.index].rstrip(" \t")), node.end_mark.index
    if isinstance(item, str):
        return [(start, stop, f" [{scalar(item)}]")]
    at = line_end(text, stop)
    return [(start, stop, ""), (at, at, new_list(item, newline, column).removeprefix(newline) + newline)]


def new_list(item: Item, newline: str, column: int) -> str:
    """A list of one item, from behind the key's colon: texts in brackets, mappings one a line."""
    return f" [{scalar(item)}]" if isinstance(item, str) else f"{newline}{' ' * column}- {flow(item)}"


def add_to_flow(text: str, node: yaml.SequenceNode, item: Item, newline: str) -> list[Splice]:
    """Adds to `[a, b]`, on one line or over several, with or without a comma after the last item."""
    if not node.value:
        at = node.start_mark.index + 1
        return [(at, at, flow(item))]
    last, closing = node.value[-1], node.end_mark.index - 1
    end = node_end(last)
    comma = re.match(r"\s*,", text[end:closing])
    new, indent = _like_others(text, item, node), " " * last.start_mark.column
    own_line = not text[:last.start_mark.index].rpartition("\n")[2].strip()
    at = line_end(text, end)
    if own_line and at <= closing:
        return [(end, end, "" if comma else ","), (at, at, indent + new + ("," if comma else "") + newline)]
    gap = newline + indent if own_line else " "
    at = end + len(comma[0]) if comma else end
    return [(at, at, ("" if comma else ",") + gap + new)]


def add_to_block(text: str, node: yaml.SequenceNode, item: Item, newline: str) -> list[Splice]:
    """Adds below the last `- item`, as a block of keys when that is one."""
    last = node.value[-1]
    dash = " " * node.start_mark.column + "-" + " " * max(1, last.start_mark.column - node.start_mark.column - 1)
    new = _like_others(text, item, node)
    if isinstance(item, dict) and isinstance(last, yaml.MappingNode) and not last.flow_style:
        lines = [f"{key}: {flow_value(key, value, _styles(node))}" for key, value in item.items()]
        new = (newline + " " * len(dash)).join(lines)
    at = line_end(text, node_end(last))
    return [(at, at, dash + new + newline)]


def add_keys(text: str, node: yaml.SequenceNode, number: int, after: str, pairs: dict[str, str], newline: str) -> list[Splice]:
    """Adds keys to one mapping of a list, behind its key `after`, quoted as in the others."""
    entry = node.value[number]
    end = next(node_end(value) for key, value in entry.value if key.value == after)
    written = [f"{key}: {flow_value(key, value, _styles(node))}" for key, value in pairs.items()]
    if entry.flow_style:
        return [(end, end, "".join(f", {pair}" for pair in written))]
    at, indent = line_end(text, end), " " * entry.value[0][0].start_mark.column
    return [(at, at, "".join(indent + pair + newline for pair in written))]


def _like_others(text: str, item: Item, node: yaml.SequenceNode) -> str:
    """An item in flow style, quoted and padded as the others are."""
    if isinstance(item, str):
        return scalar(item, getattr(node.value[-1], "style", None))
    flows = [other for other in node.value if isinstance(other, yaml.MappingNode) and other.flow_style]
    return flow(item, _styles(node), padded=not flows or text[flows[-1].start_mark.index + 1].isspace())


def _styles(node: yaml.SequenceNode) -> dict[str, str | None]:
    """How the last item that has a key quotes its value, by key."""
    return {key.value: value.style for item in node.value if isinstance(item, yaml.MappingNode)
            for key, value in item.value if isinstance(value, yaml.ScalarNode)}


def node_end(node: yaml.Node) -> int:
    """Where a node's own text ends: the mark of a block collection stands behind the comments that follow it."""
    if isinstance(node, yaml.ScalarNode) or node.flow_style or not node.value:
        return node.end_mark.index
    last = node.value[-1]
    return node_end(last[1] if isinstance(last, tuple) else last)


def line_end(text: str, index: int) -> int:
    """The beginning of the line after the one on which a node ends; a block scalar ends on it already."""
    if index and text[index - 1] == "\n":
        return index
    found = text.find("\n", index)
    return found + 1 if found >= 0 else len(text)
