"""Understands one page: the concept it describes, every field valid, and every fault told at once.

OKF v0.2 (§4, §5, §11) and this project's extensions. An *error* means that something the author wrote is not
in the wiki; a *warning*, that it was read in the likeliest way.
"""

from __future__ import annotations

import json
import posixpath
import re
import unicodedata
from collections.abc import Set
from typing import Any

from pipeline.dates import WRITE_DATE, WRITE_INSTANT, fact_date, instant
from pipeline.frontmatter import line_of
from pipeline.model import Concept, Finding, Page, Relation
from pipeline.paths import OutsideBundle, concept_reference
from pipeline.spelling import misspelt

STATUSES = ("draft", "stable", "deprecated", "superseded")
KNOWN_KEYS = frozenset(Concept._fields) - {"path", "trust_tier", "extra", "body", "content_hash"}
EVENT_KEYS = frozenset({"by", "at"})
ENTRY_KEYS = {"relations": frozenset({"predicate", "object", "date", "source"}), "sources": frozenset({"id", "resource", "title"}),
              "verified": EVENT_KEYS}
"""The keys we know in the entries of each list."""
WRITE_PATH = "a concept path begins with /"
RAW_MATERIAL = "/references/"
"""Below this folder a file without frontmatter, or without a type, is mirrored material and no fault (OKF §6.3)."""


def understand(page: Page) -> tuple[Concept | None, tuple[Finding, ...]]:
    """The concept a page describes, or None when it describes none; with all findings, in order of line."""
    if page.path.startswith(RAW_MATERIAL) and not (page.frontmatter or {}).get("type"):
        return None, ()
    if page.frontmatter is None:
        return None, page.faults
    reader = _Fields(page)
    concept = reader.concept()
    return concept, tuple(sorted((*page.faults, *reader.findings)))


class _Fields:
    """Typed getters over one page's frontmatter; each gathers its findings and returns a valid value."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.data = page.frontmatter
        self.findings: list[Finding] = []

    def tell(self, field: str, message: str, level: str = "warning", check: str = "") -> None:
        line = line_of(field, self.page.lines) or 1
        check = check or re.split(r"[\[.]", field)[0].replace("_", "-")
        self.findings.append(Finding(self.page.path.lstrip("/"), line, check, level, field, message))

    def spelling(self, place: str, mapping: dict[str, Any], known: Set[str]) -> None:
        """Tells the keys that lose what they hold for want of a letter."""
        if mapping.keys() <= known:
            return
        for key, meant in misspelt(mapping, known):
            line = line_of(f"{place}.{key}" if place else key, self.page.lines) or 1
            self.findings.append(Finding(self.page.path.lstrip("/"), line, "unknown-key", "warning", place,
                                         f"unknown key {show(key)}; did you mean {meant!r}?"))

    def concept(self) -> Concept | None:
        self.spelling("", self.data, KNOWN_KEYS)
        kind = self.text("type")
        if kind is None:
            if isinstance(self.data.get("type", ""), str | None):
                self.findings.append(Finding(self.page.path.lstrip("/"), 1, "type", "error", "type", "missing or empty, and every concept needs one"))
            return None
        verified = self.verified()
        return Concept(
            path=self.page.path, type=kind, title=self.title(), description=self.text("description"),
            tags=self.words("tags"), aliases=self.words("aliases"), sources=self.sources(), relations=self.relations(),
            generated=self.generated(), verified=verified, trust_tier=trust_tier(verified), status=self.status(),
            stale_after=self.moment("stale_after"), superseded_by=self.reference("superseded_by", self.data.get("superseded_by")),
            superseded_at=self.date("superseded_at", self.data.get("superseded_at")), supersedes=self.supersedes(), extra=self.extra(),
            body=self.page.body, content_hash=self.page.content_hash)

    def text(self, field: str) -> str | None:
        value = self.data.get(field)
        if value is None:
            return None
        if not isinstance(value, str):
            self.tell(field, f"text is needed, not {show(value)}", "error" if field == "type" else "warning")
            return None
        return " ".join(value.split()) if value[:1].isalnum() or any(map(is_visible, value)) else None

    def title(self) -> str:
        title = self.text("title")
        if title is None and isinstance(self.data.get("title"), str):
            self.tell("title", "is blank; the file name stands in for it")
        return title or title_from(self.page.path)

    def words(self, field: str) -> tuple[str, ...]:
        value = self.data.get(field)
        if value is None:
            return ()
        if isinstance(value, str):
            if field == "tags" and value:
                self.tell(field, f"a list is needed; read as comma-separated: {show(value)}")
            value = value.split(",") if field == "tags" else [value]
        if not isinstance(value, list):
            self.tell(field, f"a list of texts is needed, not {show(value)}")
            return ()
        texts = [" ".join(item.split()) for item in value if isinstance(item, str)]
        if len(texts) < len(value):
            for number, item in enumerate(value):
                if isinstance(item, (dict, list)):
                    self.tell(f"{field}[{number}]", f"text is needed, not {show(item)}")
        return tuple(dict.fromkeys(filter(None, texts)))

    def mappings(self, field: str, main_key: str) -> list[tuple[str, dict[str, Any]]]:
        """The entries of a list of mappings, each with its address; a bare mapping is a list of one."""
        value = self.data.get(field)
        if value is None:
            return []
        if isinstance(value, dict):
            if field != "verified":
                self.tell(field, "a list is needed; the one mapping is read as its only entry")
            self.spelling(field, value, ENTRY_KEYS[field])
            return [(field, value)]
        if not isinstance(value, list):
            self.tell(field, f"a list of mappings is needed, not {show(value)}")
            return []
        entries = []
        for number, entry in enumerate(value):
            place = f"{field}[{number}]"
            if isinstance(entry, dict):
                self.spelling(place, entry, ENTRY_KEYS[field])
                entries.append((place, entry))
            elif entry is not None:
                level = "error" if field == "relations" else "warning"
                self.tell(place, f"a mapping with {main_key!r} is needed, not {show(entry)}", level)
        return entries

    def sources(self) -> tuple[dict[str, Any], ...]:
        entries, ids = [], set()
        for place, entry in self.mappings("sources", "resource"):
            if not isinstance(entry.get("resource"), str) or not entry["resource"].strip():
                self.tell(f"{place}.resource", "missing; a source names what it is (OKF §5.1)")
            name = entry.get("id")
            if name is not None and not isinstance(name, str):
                self.tell(f"{place}.id", f"text is needed, not {show(name)}")
            elif name is not None and name in ids:
                self.tell(f"{place}.id", f"a second source has the id {show(name)}")
            else:
                ids.add(name)
            entries.append(entry)
        return tuple(entries)

    def generated(self) -> dict[str, Any] | None:
        value = self.data.get("generated")
        if value is None:
            return None
        if not isinstance(value, dict):
            self.tell("generated", f"a mapping {{by, at}} is needed, not {show(value)}")
            return None
        self.spelling("generated", value, EVENT_KEYS)
        self.event("generated", value)
        return value

    def verified(self) -> tuple[dict[str, Any], ...]:
        return tuple(entry for place, entry in self.mappings("verified", "by") if self.event(place, entry))

    def event(self, place: str, entry: dict[str, Any]) -> bool:
        """Whether a {by, at} entry names an actor; its date is checked too."""
        when = entry.get("at")
        if when is not None and not (isinstance(when, str) and instant(when)):
            self.tell(f"{place}.at", f"not an ISO 8601 date or instant: {show(when)}; {WRITE_INSTANT}")
        if isinstance(entry.get("by"), str) and entry["by"].strip():
            return True
        self.tell(f"{place}.by", "an actor is needed: human:<id>, process:<id> or <producer>/<version>")
        return False

    def status(self) -> str:
        status = self.text("status")
        if status is None:
            return "stable"
        if status not in STATUSES:
            self.tell("status", f"must be one of {', '.join(STATUSES)}, so {show(status)} is read as stable")
            return "stable"
        return status

    def moment(self, field: str) -> str | None:
        value = self.data.get(field)
        if value is None:
            return None
        moment = instant(value) if isinstance(value, str) else None
        if moment is None:
            self.tell(field, f"not an ISO 8601 date or instant: {show(value)}; {WRITE_INSTANT}")
        return moment

    def date(self, field: str, value: Any, check: str = "") -> str | None:
        if value is None:
            return None
        date = fact_date(value) if isinstance(value, str) else None
        if date is None:
            self.tell(field, f"not an ISO date: {show(value)}; {WRITE_DATE}", check=check)
        return date

    def reference(self, field: str, value: Any) -> str | None:
        if value is None:
            return None
        try:
            path = concept_reference(value) if isinstance(value, str) else None
        except OutsideBundle:
            path = None
        if path is None:
            self.tell(field, f"a concept path beginning with / is needed: {show(value)}")
        return path

    def supersedes(self) -> tuple[str, ...]:
        value = self.data.get("supersedes")
        if value is None:
            return ()
        if isinstance(value, str):
            value = [value]
        if not isinstance(value, list):
            self.tell("supersedes", f"a list of concept paths is needed, not {show(value)}")
            return ()
        paths = (self.reference(f"supersedes[{number}]", item) for number, item in enumerate(value))
        return tuple(dict.fromkeys(path for path in paths if path))

    def relations(self) -> tuple[Relation, ...]:
        return tuple([found for place, entry in self.mappings("relations", "predicate") if (found := self.relation(place, entry))])

    def relation(self, place: str, entry: dict[str, Any]) -> Relation | None:
        predicate = entry.get("predicate")
        if not isinstance(predicate, str) or not predicate.strip():
            self.tell(f"{place}.predicate", "missing" if predicate in (None, "") else f"text is needed, not {show(predicate)}", "error", "relation-predicate")
            return None
        value = entry.get("object")
        if not isinstance(value, str) or not value.strip():
            hint = f"; {WRITE_PATH}" if _is_link(show(value)) else ""
            self.tell(f"{place}.object", "missing" if value in (None, "") else f"one path or value is needed, not {show(value)}{hint}",
                      "error", "relation-object")
            return None
        try:
            path = concept_reference(value.strip())
        except OutsideBundle:
            self.tell(f"{place}.object", f"leads out of the bundle: {show(value)}", "error", "relation-object")
            return None
        if path is None and re.fullmatch(r"[^\s:]+\.md(#.*)?", value.strip()) and not value.startswith("/"):
            self.tell(f"{place}.object", f"{WRITE_PATH}, so this is read as a literal: {show(value)}", check="relation-object")
        if path is None and _is_link(value.strip()):
            self.tell(f"{place}.object", f"a link here is read as a literal; {WRITE_PATH}: {show(value)}", check="relation-object")
        source = entry.get("source")
        if source is not None and not isinstance(source, str):
            self.tell(f"{place}.source", f"the id of one source is needed, not {show(source)}", check="relation-source")
            source = None
        date = self.date(f"{place}.date", entry.get("date"), "relation-date")
        return Relation(" ".join(predicate.split()), path, None if path else " ".join(value.split()), date, source,
                        line_of(place, self.page.lines) or 1)

    def extra(self) -> dict[str, Any]:
        extra = {key: value for key, value in self.data.items() if key not in KNOWN_KEYS}
        tags = self.data.get("tags")
        untyped = [tag for tag in tags if not isinstance(tag, (str, dict, list))] if isinstance(tags, list) else []
        return {**extra, "tags": untyped} if untyped else extra


def _is_link(text: str) -> bool:
    """Whether all of a text is a wikilink or a markdown link, as prose has them."""
    return bool(re.fullmatch(r"\[\[.+\]\]|\[[^\]]*\]\([^()]*\)", text))


def trust_tier(verified: tuple[dict[str, Any], ...]) -> str:
    """OKF §5.3: by whom a concept was confirmed."""
    if not verified:
        return "unverified"
    return "human-reviewed" if any(str(entry["by"]).startswith("human:") for entry in verified) else "machine-confirmed"


def title_from(path: str) -> str:
    """A title for a file that has none: its name, with hyphens and underscores as spaces."""
    name = posixpath.basename(path).removesuffix(".md")
    words = " ".join(re.split(r"[\s\x00-\x1f\x7f-\x9f_-]+", name)).strip() or name
    return words[:1].upper() + words[1:]


def is_visible(char: str) -> bool:
    """Whether a character shows; white space, controls and marks that only join or reorder others do not."""
    return not char.isspace() and unicodedata.category(char) not in ("Cc", "Cf")


def show(value: Any) -> str:
    """A value as a finding quotes it, short."""
    text = repr(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 80 else text[:77] + "…"
