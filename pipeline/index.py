"""Renders index.md of every directory that leads to concepts (OKF §8), between our marks and nowhere else."""

from __future__ import annotations

import os
import posixpath
import re
import unicodedata
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import apsw

from pipeline.escape import Safe, inline, link
from pipeline.json_text import json_text
from pipeline.model import Finding
from pipeline.views import digest, render, write
from retrieval.errors import WikiError

BEGIN, END = b"<!-- wiki:begin -->", b"<!-- wiki:end -->"
ROOT = b'---\nokf_version: "0.2"\n---\n\n'

_MARKS = re.compile(rb"^[ \t]*(" + BEGIN + b"|" + END + rb")[ \t]*(\r?\n|\Z)", re.MULTILINE)

_ENTRIES = """
select c._path, c.type, c.title, c.description, c.status, c.superseded_by, c.superseded_at, s.title
from concepts c left join concepts s on s._path = c.superseded_by order by c._path
"""


class ViewsUnwritten(WikiError):
    """Some index.md could not be written."""


class Entry(NamedTuple):
    """A concept as its directory lists it, as markdown."""

    link: Safe
    description: str | None
    note: Safe
    """What to know before opening it: its successor, or a status other than stable; often empty."""


class Folder(NamedTuple):
    """A sub-directory as its parent lists it, as markdown."""

    link: Safe
    summary: str
    """How many concepts it leads to, by type."""


@dataclass(slots=True)
class Listing:
    """What one directory has to show, as rows of the wiki."""

    rows: list[tuple] = field(default_factory=list)
    """The concepts in it, by concept path."""
    folders: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """Name of each sub-directory that leads to concepts, and how many of each type."""


@dataclass(frozen=True, slots=True)
class Indexes:
    """What the stage returns."""

    state: dict[str, list[str]]
    """Per directory (`/`, `/entities`): the digest of what it shows, the digest of its index.md as written."""
    findings: tuple[Finding, ...]
    """The files that were left alone."""


def index(db: apsw.Connection, bundle: Path, templates: Path, previous: dict[str, list[str]] | None = None) -> Indexes:
    """Brings the index.md files up to date; `previous` is the last run's state, and saves rendering what stands.

    Raises ViewsUnwritten, once all that can be written is.
    """
    folders = _folders(bundle)
    listings = _listings(db)
    stamp = digest((templates / "index.md.j2").read_bytes())
    state: dict[str, list[str]] = {}
    findings: list[Finding] = []
    unwritten: list[str] = []
    for place, listing in sorted(listings.items()):
        path = folders.get(place, bundle / place[1:]) / "index.md"
        shown = digest(json_text([stamp, listing.rows, sorted(listing.folders.items())]).encode())
        try:
            before = path.read_bytes() if path.is_file() else b""
            if (previous or {}).get(place) == [shown, digest(before)]:
                state[place] = [shown, digest(before)]
                continue
            after = _fill(before, lambda: _block(listing, templates), ROOT if place == "/" else b"")
            if after is None:
                findings.append(_unmanaged(place))
                continue
            write(path, after)
            state[place] = [shown, digest(after)]
        except OSError as fault:
            unwritten.append(f"{path} ({fault.strerror})")
    for place, folder in folders.items():
        if place not in listings:
            _empty(folder / "index.md")
    if unwritten:
        raise ViewsUnwritten(f"the other index.md are written, but not: {', '.join(unwritten)}; give write permission and room.")
    return Indexes(state, tuple(findings))


def _folders(bundle: Path) -> dict[str, Path]:
    """Where each directory of the bundle lies; a file system may spell a name in another Unicode form."""
    found: dict[str, Path] = {}
    for folder, names, _ in os.walk(bundle):
        names[:] = [name for name in names if not name.startswith(".")]
        place = Path(folder).relative_to(bundle).as_posix()
        found[unicodedata.normalize("NFC", "/" if place == "." else "/" + place)] = Path(folder)
    return found


def _listings(db: apsw.Connection) -> dict[str, Listing]:
    """Each directory that holds concepts, or whose sub-directories do, and the root."""
    listings = defaultdict(Listing, {"/": Listing()})
    for row in db.execute(_ENTRIES):
        listings[row[0].rpartition("/")[0] or "/"].rows.append(row)
    types = {place: Counter(row[1] for row in listing.rows) for place, listing in listings.items()}
    for place, counts in types.items():
        while place != "/":
            place, name = posixpath.split(place)
            listings[place].folders[name].update(counts)
    return listings


def _block(listing: Listing, templates: Path) -> bytes:
    """The generated text, as bytes with LF."""
    rows = sorted(listing.rows, key=lambda row: (row[1], row[2].casefold(), row[0]))
    groups = [(type, [_entry(*row) for row in group]) for type, group in groupby(rows, key=lambda row: row[1])]
    folders = [Folder(link(name, name + "/index.md"), _summary(counts)) for name, counts in sorted(listing.folders.items())]
    text = render(templates, "index.md", folders=folders, groups=groups)
    return (text if text.endswith("\n") else text + "\n").encode()


def _entry(path: str, type: str, title: str, description: str | None, status: str,
           successor: str | None, at: str | None, successor_title: str | None) -> Entry:
    note = "" if status == "stable" else inline(status)
    if status == "superseded" and successor:
        note += " by " + (link(successor_title, successor) if successor_title else inline(successor))
        note += f" as of {inline(at)}" if at else ""
    return Entry(link(title, path.rpartition("/")[2]), description, Safe(note))


def _summary(counts: Counter[str]) -> str:
    """`3 concepts: 2 Person, 1 Place`, the most frequent type first."""
    total = counts.total()
    by_type = ", ".join(f"{count} {type}" for type, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])))
    return f"{total} concept{'s' if total != 1 else ''}: {by_type}"


def _fill(text: bytes, block, head: bytes) -> bytes | None:
    """The file with its block renewed; None when it is not ours to write. A blank file is a new one."""
    if not text.strip():
        return head + BEGIN + b"\n" + block() + END + b"\n"
    marks = _marked(text)
    if marks is None:
        return None
    begin, end = marks
    newline = b"\r\n" if text[:begin].endswith(b"\r\n") else b"\n"
    return text[:begin] + block().replace(b"\n", newline) + text[end:]


def _marked(text: bytes) -> tuple[int, int] | None:
    """From where to where the file is ours: after the line of the one begin mark, up to that of the one end mark."""
    marks = list(_MARKS.finditer(text))
    if [mark[1] for mark in marks] != [BEGIN, END]:
        return None
    return marks[0].end(), marks[1].start()


def _unmanaged(place: str) -> Finding:
    path = posixpath.join(place, "index.md")[1:]
    return Finding(path, 0, "unmanaged-index", "info", "", (
        f"was written by hand and is left alone; to have the listing kept up to date in it, add the lines "
        f"{BEGIN.decode()} and {END.decode()} where it shall stand"))


def _empty(path: Path) -> None:
    """Takes our block out of the index.md of a directory without concepts; a file that held nothing else goes."""
    text = path.read_bytes() if path.is_file() else b""
    marks = _marked(text)
    if marks is None:
        return
    begin, end = marks
    rest = text[:begin] + text[end:]
    if _MARKS.sub(b"", rest).strip():
        write(path, rest)
    else:
        path.unlink()
