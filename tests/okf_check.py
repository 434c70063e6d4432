"""A strict check of OKF v0.2 over a folder: all that the text says MUST be, and what it says SHOULD be of each family.

Written from the specification's text alone; shares no code with the build, so that the two cannot err together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from urllib.parse import unquote

import yaml

OKF_STATUSES = {"draft", "stable", "deprecated"}
EXTENDED_STATUSES = OKF_STATUSES | {"superseded"}

_FENCE = re.compile(r"^---[ \t]*$", re.MULTILINE)
_ENTRY = re.compile(r"\* \[(?P<text>(?:[^\[\]\\]|\\.)+)\]\((?P<target>[^()\s<>]+)\)(?: - (?P<description>\S.*)| \((?P<note>.+)\))?$")
_ACTOR = re.compile(r"human:\S+$|process:\S+$|[^\s/:]+/\S+$")
_DATE_HEADING = re.compile(r"## (\d{4}-\d{2}-\d{2})$", re.ASCII)


def okf_problems(bundle: Path, statuses: set[str] = OKF_STATUSES) -> list[str]:
    """What is not conformant, one line each; empty for a bundle as it should be."""
    found = []
    for file in sorted(bundle.rglob("*.md")):
        name = file.relative_to(bundle).as_posix()
        if any(part.startswith(".") for part in name.split("/")):
            continue
        text = file.read_bytes().decode("utf-8")  # §4: every concept is UTF-8
        if file.name == "index.md":
            problems = index_problems(file, text, is_root=file.parent == bundle)
        elif file.name == "log.md":
            problems = log_problems(text)
        else:
            problems = concept_problems(text, statuses)
        found += [f"{name}: {problem}" for problem in problems]
    return found


def concept_problems(text: str, statuses: set[str] = OKF_STATUSES) -> Iterator[str]:
    """§4, §5, §11."""
    front, _ = split(text)
    if front is None:
        yield "§11.1: no frontmatter block"
        return
    try:
        data = yaml.safe_load(front)
    except yaml.YAMLError as fault:
        yield f"§11.1: the frontmatter is no YAML: {fault}"
        return
    if not isinstance(data, dict):
        yield "§11.1: the frontmatter is no mapping"
        return
    if not isinstance(data.get("type"), str) or not data["type"].strip():
        yield "§11.2: no type"
    if not isinstance(data.get("tags", []), list):
        yield "§4.1: tags are no list"
    yield from _sources(data.get("sources"))
    if "generated" in data:
        yield from _event("generated", data["generated"], at_needed=False)
    verified = data.get("verified", [])
    for event in [verified] if isinstance(verified, dict) else verified:
        yield from _event("verified", event, at_needed=True)
    if data.get("status", "stable") not in statuses:
        yield f"§5.4: status {data['status']!r}"
    if "stale_after" in data and not _is_instant(data["stale_after"]):
        yield f"§5: stale_after {data['stale_after']!r} is no datetime with an offset"


def index_problems(file: Path, text: str, is_root: bool) -> Iterator[str]:
    """§8: headings, each over a list of links to what stands there; frontmatter in the root's alone, of one key."""
    front, body = split(text)
    if front is not None:
        data = yaml.safe_load(front)
        if not is_root or not isinstance(data, dict) or set(data) != {"okf_version"}:
            yield "§8: frontmatter"
    heading = False
    for line in re.sub(r"^<!--(?:(?!--).)*-->$", "", body, flags=re.MULTILINE).split("\n"):
        if line.startswith("# ") and line[2:].strip():
            heading = True
        elif line.startswith("* "):
            entry = _ENTRY.match(line)
            if not entry:
                yield f"§8: no entry with a link: {line!r}"
            elif not heading:
                yield f"§8: an entry above the first heading: {line!r}"
            elif not (file.parent / unquote(entry["target"])).exists():
                yield f"§8: leads nowhere: {line!r}"
        elif line.strip():
            yield f"§8: neither heading nor entry: {line!r}"
    if not heading and body.strip() and "* " in body:
        yield "§8: no heading"


def log_problems(text: str) -> Iterator[str]:
    """§9: dates as headings, the newest first, each over a flat list."""
    _, body = split(text)
    before = "9999-12-31"
    dated = False
    for line in body.split("\n"):
        if line.startswith("## "):
            found = _DATE_HEADING.match(line)
            if not found or not _is_date(found[1]):
                yield f"§9: no ISO date: {line!r}"
            elif found[1] > before:
                yield f"§9: not newest first: {line!r}"
            else:
                before, dated = found[1], True
        elif line.startswith(("* ", "- ")) and not dated:
            yield f"§9: an entry without a date: {line!r}"


def split(text: str) -> tuple[str | None, str]:
    """Frontmatter and body; no frontmatter is None (§4)."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    fences = [found.span() for found in _FENCE.finditer(text)][:2]
    if len(fences) < 2 or fences[0][0] != 0:
        return None, text
    return text[fences[0][1] + 1:fences[1][0]], text[fences[1][1] + 1:]


def _sources(sources: object) -> Iterator[str]:
    for source in sources if isinstance(sources, list) else [] if sources is None else [sources]:
        if not isinstance(source, dict) or not source.get("resource"):
            yield f"§5.1: a source without a resource: {source!r}"


def _event(field: str, event: object, at_needed: bool) -> Iterator[str]:
    if not isinstance(event, dict) or not _ACTOR.match(str(event.get("by", ""))):
        yield f"§7: {field} names no actor: {event!r}"
    elif ("at" in event or at_needed) and not _is_instant(event.get("at")):
        yield f"§5.2: {field} has no datetime with an offset: {event!r}"


def _is_instant(value: object) -> bool:
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else value
    except ValueError:
        return False
    return isinstance(moment, datetime) and moment.tzinfo is not None


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
