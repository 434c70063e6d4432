"""Resolves the sources that facts cite to the lines at the end of the block."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable

import apsw

from retrieval.harmless import VALUE_LIMIT, name, source_name
from retrieval.model import Fact


def cite(db: apsw.Connection, facts: Iterable[Fact]) -> dict[tuple[str, str], str]:
    """The source line for each (subject path, source id) that the subject describes.

    Ids are local to a concept. One that means different documents in different concepts is told apart by the
    subject's title: `- wikipedia (OpenAI): https://en.wikipedia.org/wiki/OpenAI`.
    """
    titles = {(fact.subject_path, fact.source): fact.subject_title for fact in facts if fact.source}
    described = _described(db, {path for path, _ in titles})
    told = {key: _tell(described[key], title) for key, title in titles.items() if key in described}
    meanings = defaultdict(set)
    for (_, source), text in told.items():
        meanings[source].add(text)
    return {
        (path, source): f"- {_told_apart(source, title) if len(meanings[source]) > 1 else source_name(source)}: {text}"
        for (path, source), title in titles.items() if (text := told.get((path, source)))}


def _told_apart(source: str, title: str) -> str:
    return name(f"{source_name(source)} ({name(title)})", VALUE_LIMIT)  # as one: the title must not go on our bracket


def _described(db: apsw.Connection, paths: set[str]) -> dict[tuple[str, str], dict]:
    rows = db.execute(
        "select _path, sources from concepts where _path in (select value from json_each(?))", (json.dumps(sorted(paths)),))
    return {(path, entry["id"]): entry for path, sources in rows for entry in json.loads(sources)
            if isinstance(entry, dict) and isinstance(entry.get("id"), str)}


def _tell(entry: dict, subject_title: str) -> str:
    """Title and address of a source; a title that only repeats the subject's is left out."""
    title, resource = (name(str(entry[key]), VALUE_LIMIT) if entry.get(key) else "" for key in ("title", "resource"))
    if title == name(subject_title) and resource:
        title = ""
    return ", ".join(part for part in (title, resource) if part)
