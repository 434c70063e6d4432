"""A concept file as text that is edited in one place while all else stays, byte for byte."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from pipeline.edit.changes import Change, Refused
from pipeline.edit.items import Item, Splice, add_keys, add_to_block, add_to_flow, begin_list, line_end, new_list, node_end
from pipeline.scalars import scalar
from pipeline.model import Page
from pipeline.parse import parse_page

_OPENING = re.compile(r"\ufeff?---[ \t]*\r?\n")
_CLOSING = re.compile(r"^---[ \t]*\r?$", re.MULTILINE)
_NULL = "tag:yaml.org,2002:null"
_BLANK_LIST = re.compile(r"\[[ \t]*\]")


@dataclass(frozen=True, slots=True)
class Document:
    """A concept file, with the edits made to it so far."""

    file: Path
    page: Page
    """What it says on disk."""
    before: bytes
    """Its bytes on disk."""
    head: str
    """Its opening fence."""
    text: str
    """Its frontmatter."""
    tail: str
    """Its closing fence and its body."""
    data: dict[str, Any]
    """What the frontmatter has to say after the edits."""

    @property
    def newline(self) -> str:
        """How its lines end."""
        return "\r\n" if self.head.endswith("\r\n") else "\n"

    @property
    def changed(self) -> bool:
        """Whether it has been edited."""
        return (self.head + self.text + self.tail).encode() != self.before

    def put(self, key: str, value: str, after: str = "") -> Document:
        """Gives a key a text; a new key comes below the key `after`, or last."""
        node = self.node(key)
        if node is None:
            above = self.node(after)
            at = line_end(self.text, node_end(above)) if above else len(self.text)
            return self._spliced({key: value}, [(at, at, f"{key}: {scalar(value)}{self.newline}")])
        if not isinstance(node, yaml.ScalarNode) or node.style in ("|", ">"):
            raise self.refused(f"holds more than one line under {key}: edit it by hand")
        start, stop = node.start_mark.index, node.end_mark.index
        return self._spliced({key: value}, [(start, stop, ("" if stop > start else " ") + scalar(value, node.style))])

    def append(self, key: str, item: Item) -> Document:
        """Adds an item to a list, or begins the list."""
        node = self.node(key)
        data = {key: [*(self.data.get(key) or []), item]}
        if node is None:
            at = len(self.text)
            return self._spliced(data, [(at, at, key + ":" + new_list(item, self.newline, self._column()) + self.newline)])
        if self._is_empty(node):
            return self._spliced(data, begin_list(self.text, node, item, self.newline, self._column()))
        if not isinstance(node, yaml.SequenceNode):
            raise self.refused(f"holds no list under {key}: make it one by hand")
        self._check_anchors(key, node)
        add = add_to_flow if node.flow_style else add_to_block
        return self._spliced(data, add(self.text, node, item, self.newline))

    def complete(self, key: str, number: int, after: str, pairs: dict[str, str]) -> Document:
        """Adds keys that it lacks to one mapping of a list, behind its key `after`."""
        node = self.node(key)
        self._check_anchors(key, node)
        items = list(self.data[key])
        items[number] = {**items[number], **pairs}
        return self._spliced({key: items}, add_keys(self.text, node, number, after, pairs, self.newline))

    def rename(self, key: str, field: str, names: dict[str, str]) -> Document:
        """Replaces values of a field in the mappings of a list, as `names` says."""
        node = self.node(key)
        found = [value for item in getattr(node, "value", ()) if isinstance(item, yaml.MappingNode)
                 for name, value in item.value if name.value == field and _words(value.value) in names]
        if not found:
            return self
        self._check_anchors(key, node)
        items = [{**item, field: names[_words(item[field])]} if isinstance(item, dict) and _words(item.get(field)) in names else item
                 for item in self.data[key]]
        return self._spliced({key: items}, [
            (value.start_mark.index, value.end_mark.index, scalar(names[_words(value.value)], value.style)) for value in found])

    def add_to_body(self, paragraph: str) -> Document:
        """Adds a paragraph at the end; a missing last newline stays missing."""
        body = self.tail.rstrip()
        last = self.newline if self.tail.endswith("\n") else ""
        return replace(self, tail=body + self.newline * 2 + paragraph + last)

    def change(self) -> Change:
        """The edits as one change, once the new text reads as it should. Raises Refused when it does not."""
        after = (self.head + self.text + self.tail).encode()
        page, rest = parse_page(self.page.path, after), parse_page(self.page.path, (self.head + self.tail).encode())
        if (page.frontmatter, page.body, len(page.faults)) != (self.data, rest.body, len(self.page.faults)):
            raise self.refused("is written in a way that these tools cannot edit safely: edit it by hand")
        return Change(self.file, self.page.path[1:], self.before, after)

    def node(self, key: str) -> yaml.Node | None:
        """The value of a top-level key, with its place in the text. Raises Refused when there are two."""
        found = [value for name, value in self._root() if name.value == key]
        if len(found) > 1:
            raise self.refused(f"holds the key {key} twice: remove one first")
        return found[0] if found else None

    def refused(self, reason: str) -> Refused:
        """The error that says why this file is not edited."""
        return Refused(f"{self.page.path[1:]} {reason}; nothing was changed.")

    def _root(self) -> list[tuple[yaml.Node, yaml.Node]]:
        try:
            root = yaml.compose(self.text, Loader=yaml.SafeLoader)
        except yaml.YAMLError:
            raise self.refused("has a frontmatter that not every reader of YAML understands: mend it first") from None
        if root is None:
            return []
        if not isinstance(root, yaml.MappingNode) or root.flow_style:
            raise self.refused("has a frontmatter that is not lines of `key: value`: edit it by hand")
        return root.value

    def _spliced(self, data: dict[str, Any], splices: list[Splice]) -> Document:
        text = self.text
        for start, stop, new in sorted(splices, reverse=True):
            text = text[:start] + new + text[stop:]
        return replace(self, text=text, data={**self.data, **data})

    def _is_empty(self, node: yaml.Node) -> bool:
        """Whether it is null, or an empty list on one line."""
        shown = self.text[node.start_mark.index:node.end_mark.index]
        return node.tag == _NULL or isinstance(node, yaml.SequenceNode) and bool(_BLANK_LIST.fullmatch(shown))

    def _column(self) -> int:
        """The column of the dashes in the file's other lists."""
        lists = [value for _, value in self._root() if isinstance(value, yaml.SequenceNode) and not value.flow_style]
        return lists[0].start_mark.column if lists else 2

    def _check_anchors(self, key: str, node: yaml.Node) -> None:
        start, stop = node.start_mark.index, node_end(node)
        for token in yaml.scan(self.text, Loader=yaml.SafeLoader):
            if isinstance(token, (yaml.AnchorToken, yaml.AliasToken)) and start <= token.start_mark.index <= stop:
                raise self.refused(f"uses YAML anchors under {key}: edit it by hand")


def _words(value: Any) -> str | None:
    """A text as the build reads it: runs of whitespace are one space."""
    return " ".join(value.split()) if isinstance(value, str) else None


def read_document(file: Path, path: str) -> Document:
    """The document of a concept file. Raises Refused when it is not there or cannot be edited safely."""
    file = file.resolve()  # behind a link, so that the link stays one
    try:
        before = file.read_bytes()
        text = before.decode("utf-8")
    except OSError as fault:
        raise Refused(f"{path[1:]} cannot be read ({fault.strerror}); nothing was changed.") from None
    except UnicodeDecodeError:
        raise Refused(f"{path[1:]} is not UTF-8 throughout: mend it first; nothing was changed.") from None
    page = parse_page(path, before)
    opening = _OPENING.match(text)
    closing = _CLOSING.search(text, opening.end()) if opening else None
    if page.frontmatter is None or closing is None:
        reason = f"line {page.faults[0].line}: {page.faults[0].message}" if page.faults else "has a frontmatter that cannot be told from its body"
        raise Refused(f"{path[1:]} cannot be edited ({reason}): mend it first; nothing was changed.")
    return Document(file, page, before, text[:opening.end()], text[opening.end():closing.start()], text[closing.start():], page.frontmatter)
