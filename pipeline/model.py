"""The values that cross stages: a page as written, a concept and its edges as understood, a finding."""

from __future__ import annotations

from typing import Any, NamedTuple

from pipeline.escape import visible

LEVELS = ("error", "warning", "info")


class Finding(NamedTuple):
    """One fault or remark about a bundle, told to its author; in order of place."""

    path: str
    """Bundle-relative path without a leading slash, as editors understand it: `entities/openai.md`."""
    line: int
    """Line in that file, from 1; 0 when the whole file is meant."""
    check: str
    """Stable id of the rule: `relation-date`."""
    level: str
    """error | warning | info."""
    field: str
    """Where in the frontmatter: `relations[2].date`; empty when not about a field."""
    message: str
    """What is wrong, with the value."""

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        text = f"{place}: {self.field + ': ' if self.field else ''}{self.message} [{self.check}]"
        return visible(text)  # a file name can hold an escape code

    def to_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("check", "level", "path", "line", "field", "message")}


class WrittenLink(NamedTuple):
    """A link in prose as written, not resolved."""

    target: str
    """Target as written: `../x.md#y`, `[[Title#heading]]` with its brackets."""
    text: str
    """Link text as shown."""
    sentence: str
    """The sentence it stands in, at most 300 characters."""
    line: int
    """Line in the file, from 1."""


class Page(NamedTuple):
    """What one file says; nothing judged."""

    path: str
    """Concept path."""
    content_hash: str
    """SHA-256 of the file's bytes."""
    frontmatter: dict[str, Any] | None
    """The YAML mapping under core-schema rules; None when there is none that can be read."""
    lines: dict[str, int]
    """Lines of keys and list entries: `relations`, `relations[2]`, `relations[2].date`; read by `line_of`."""
    body: str
    """Markdown after the frontmatter, newlines as \\n."""
    links: tuple[WrittenLink, ...]
    """Links in prose, in order."""
    faults: tuple[Finding, ...]
    """What kept the file, or a part of it, from being read."""


class Relation(NamedTuple):
    """One valid entry of `relations`, as understood. A bundle has many: a tuple is made in a third of a dataclass's time."""

    predicate: str
    object_path: str | None
    """Concept path; None when the object is a literal."""
    object_literal: str | None
    date: str | None
    """ISO 8601 year, year-month or date."""
    source: str | None
    """Joins sources[].id."""
    line: int

    def to_dict(self) -> dict[str, str]:
        """The entry as an author writes it."""
        entry = {"predicate": self.predicate, "object": self.object_path or self.object_literal}
        if self.date:
            entry["date"] = self.date
        if self.source:
            entry["source"] = self.source
        return entry


class Concept(NamedTuple):
    """What we believe of one file: every field valid, or replaced by its default and told in a finding."""

    path: str
    type: str
    title: str
    description: str | None
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    sources: tuple[dict[str, Any], ...]
    relations: tuple[Relation, ...]
    generated: dict[str, Any] | None
    verified: tuple[dict[str, Any], ...]
    trust_tier: str
    status: str
    stale_after: str | None
    superseded_by: str | None
    superseded_at: str | None
    supersedes: tuple[str, ...]
    extra: dict[str, Any]
    body: str
    content_hash: str
