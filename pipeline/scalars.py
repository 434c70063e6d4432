"""Values written as YAML: plain where every reader takes them for text, else quoted as their neighbours are."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import yaml

# Characters that mean nothing to YAML, in block and in flow style; a first letter that begins no number.
_PLAIN = re.compile(r"(?:[^\W\d_]|/)[\w./() +-]*(?<! )\Z")
_RESOLVER = yaml.SafeLoader("")


class Verbatim(str):
    """A plain scalar taken over from another file as it stands there: a number stays a number."""

    __slots__ = ()


def scalar(text: str, style: str | None = None) -> str:
    """The text as one scalar; `style` is the quote its neighbours use, if any."""
    if isinstance(text, Verbatim):
        return text
    if style == "'" and text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    return text if style != '"' and _is_plain(text) else json.dumps(text, ensure_ascii=False)


def _is_plain(text: str) -> bool:
    """Whether the bare text is text under YAML 1.1 as well as 1.2: neither `no` nor a date."""
    tag = _RESOLVER.resolve(yaml.ScalarNode, text, (True, False))
    return bool(_PLAIN.match(text)) and tag == "tag:yaml.org,2002:str"


def flow(value: Any, styles: Mapping[str, str | None] | None = None, padded: bool = True) -> str:
    """A value in flow style; `styles` are the quotes by key, `padded` is the space within braces."""
    if isinstance(value, list):
        return "[" + ", ".join(flow(item) for item in value) + "]"
    if not isinstance(value, dict):
        return scalar(value)
    pairs = ", ".join(f"{scalar(key)}: {flow_value(key, item, styles or {})}" for key, item in value.items())
    return f"{{ {pairs} }}" if padded else f"{{{pairs}}}"


def flow_value(key: str, value: Any, styles: Mapping[str, str | None]) -> str:
    """The value of a key as its neighbours are quoted."""
    return scalar(value, styles.get(key)) if isinstance(value, str) else flow(value)


def copied(node: yaml.Node) -> Any:
    """A node of another file as a value that `flow` writes the same way."""
    if isinstance(node, yaml.MappingNode):
        return {text_of(key): copied(value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [copied(item) for item in node.value]
    verbatim = node.style is None and re.fullmatch(r"[\w.+-](?:[\w.+:-]*[\w.])?", node.value)
    return Verbatim(node.value) if verbatim else text_of(node)


def text_of(node: yaml.ScalarNode) -> str:
    """The text of a node, characters escaped as JSON escapes them made whole: this parser leaves them in two halves."""
    text = node.value
    return text if text.isascii() else text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
