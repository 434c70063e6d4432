"""Gives a predicate another name everywhere at once: files, vocabulary, settings and labelled questions (seed §7.4)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from pipeline.edit.changes import Change, Edit, Refused
from pipeline.edit.document import Document, read_document
from pipeline.edit.relate import one_line
from pipeline.scalars import scalar
from pipeline.edit.vocabulary import rename_in_vocabulary, undocumented
from retrieval.files import scan


def rename_predicate(bundle: Path, names: Mapping[str, str]) -> Edit:
    """Renames each predicate in `names`, old to new, in every place that speaks of it. Raises Refused."""
    names = {one_line(old, "predicate"): one_line(new, "predicate") for old, new in names.items()}
    for old, new in names.items():
        if old == new or new in names:
            raise Refused(f"{old} cannot become {new}: the new name must be another one; nothing was changed.")
    documents = list(_renamed(bundle, names))
    if not documents:
        raise Refused(f"No relation uses {' or '.join(names)}; nothing was changed.")
    changes = [document.change() for document in documents]
    vocabulary = rename_in_vocabulary(bundle, names)
    notes = tuple(note for document in documents for note in _twice(document))
    notes += () if vocabulary else undocumented(bundle, names.values())
    return Edit((*changes, *vocabulary, *_settings(bundle, names), *_questions(bundle, names)), notes)


def _renamed(bundle: Path, names: Mapping[str, str]) -> Iterator[Document]:
    """The documents that use one of the names, with the new ones; the others are not even parsed."""
    mentions = re.compile("|".join(re.escape(word) for old in names for word in [max(old.split(), key=len)]).encode())
    for stamp in scan(bundle):
        if not stamp.problem and mentions.search((bundle / stamp.name).read_bytes().partition(b"\n---")[0]):
            document = read_document(bundle / stamp.name, stamp.path).rename("relations", "predicate", dict(names))
            if document.changed:
                yield document


def _twice(document: Document) -> Iterator[str]:
    """A note on each relation that stands twice now."""
    seen: list[Any] = []
    for item in document.data["relations"]:
        if item in seen:
            yield f"{document.page.path[1:]} now says {item['predicate']} {item['object']} twice: remove one."
        seen.append(item)


def _settings(bundle: Path, names: Mapping[str, str]) -> list[Change]:
    """wiki.yaml with the predicates renamed wherever it names them."""
    file = bundle / "wiki.yaml"
    if not file.is_file():
        return []
    before = file.read_bytes()
    try:
        text = before.decode("utf-8")
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except (UnicodeDecodeError, yaml.YAMLError):
        raise Refused("wiki.yaml cannot be read: mend it first; nothing was changed.") from None
    nodes = {node.start_mark.index: node for node in _scalars(root) if node.value in names}
    for start in sorted(nodes, reverse=True):
        text = text[:start] + scalar(names[nodes[start].value], nodes[start].style) + text[nodes[start].end_mark.index:]
    after = text.encode()
    if yaml.load(after, Loader=yaml.BaseLoader) != _renamed_values(yaml.load(before, Loader=yaml.BaseLoader), names):
        raise Refused("wiki.yaml has settings for the old and the new name: make them one by hand; nothing was changed.")
    return [Change(file, "wiki.yaml", before, after)] if after != before else []


def _scalars(node: yaml.Node | None) -> Iterator[yaml.ScalarNode]:
    if isinstance(node, yaml.ScalarNode):
        yield node
    for child in getattr(node, "value", ()) if isinstance(node, yaml.CollectionNode) else ():
        for part in child if isinstance(child, tuple) else (child,):
            yield from _scalars(part)


def _renamed_values(value: Any, names: Mapping[str, str]) -> Any:
    """The settings with the names changed; a key that two would share stays, so that the comparison fails."""
    if isinstance(value, list):
        return [_renamed_values(item, names) for item in value]
    if isinstance(value, dict):
        renamed = {names.get(key, key): _renamed_values(item, names) for key, item in value.items()}
        return renamed if len(renamed) == len(value) else value
    return names.get(value, value) if isinstance(value, str) else value


def _questions(bundle: Path, names: Mapping[str, str]) -> list[Change]:
    """evaluate.json with the predicates of its expected facts renamed."""
    file = bundle / "evaluate.json"
    if not file.is_file():
        return []
    before = file.read_bytes()
    text = before.decode("utf-8", "surrogateescape")
    for old, new in names.items():
        shown = re.compile(r'("predicate"\s*:\s*)' + re.escape(json.dumps(old, ensure_ascii=False)))
        text = shown.sub(lambda match: match[1] + json.dumps(new, ensure_ascii=False), text)
    after = text.encode("utf-8", "surrogateescape")
    return [Change(file, "evaluate.json", before, after)] if after != before else []
