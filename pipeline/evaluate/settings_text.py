"""Puts one number into the text of wiki.yaml and leaves every other byte as it is: comments, order, style."""

from __future__ import annotations

import yaml

from pipeline.frontmatter import read_frontmatter
from pipeline.yaml_values import FrontmatterError
from retrieval.errors import SettingsError


def with_setting(text: str, section: str, key: str, value: float) -> str:
    """`text` with `section: {key: value}` set. Raises SettingsError when that cannot be done safely."""
    newline = "\r\n" if "\r\n" in text else "\n"
    try:
        before = read_frontmatter(text)[0]
        start, stop, new = _splice(text, section, key, repr(value), newline)
        after = text[:start] + new + text[stop:]
        wanted = {**before, section: {**(before.get(section) or {}), key: value}}
        done = read_frontmatter(after)[0] == wanted
    except (FrontmatterError, yaml.YAMLError, TypeError, AttributeError):
        done = False
    if not done:
        raise SettingsError(f"wiki.yaml is written in a way that cannot be edited safely; set {section}.{key}: {value!r} by hand.")
    return after


def _splice(text: str, section: str, key: str, value: str, newline: str) -> tuple[int, int, str]:
    """Which stretch of the text is replaced, and by what."""
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    node = _value(root, section) if root is not None else None
    if node is None:
        gap = newline if text and not text.endswith("\n") else ""
        return len(text), len(text), f"{gap}{section}:{newline}  {key}: {value}{newline}"
    if isinstance(node, yaml.ScalarNode):  # null: the section is named and empty
        return node.start_mark.index, node.end_mark.index, f"{newline}  {key}: {value}"
    if present := _value(node, key):
        return present.start_mark.index, present.end_mark.index, value if present.end_mark.index > present.start_mark.index else f" {value}"
    if not node.value:
        return node.start_mark.index, node.end_mark.index, f"{{{key}: {value}}}"
    at = node.value[0][0].start_mark.index
    return at, at, f"{key}: {value}" + (", " if node.flow_style else newline + " " * node.start_mark.column)


def _value(mapping: yaml.Node, key: str) -> yaml.Node | None:
    return next((value for name, value in mapping.value if name.value == key), None)
