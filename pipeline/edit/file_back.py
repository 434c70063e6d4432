"""Files an answer worth keeping back into the wiki as a page of its own (seed §7.2)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pipeline.edit.changes import Change, Edit, Refused
from pipeline.edit.concepts import open_concept
from pipeline.edit.log import log
from pipeline.edit.relate import one_line
from pipeline.scalars import flow, scalar
from pipeline.escape import link
from pipeline.links import links_in
from pipeline.parse import parse_page
from pipeline.paths import OutsideBundle, concept_reference, link_target
from pipeline.understand import understand
from retrieval.files import is_concept_path
from retrieval.normal import normal

FOLDER = "/concepts/"
"""Where a page goes that is given no path."""


@dataclass(frozen=True, slots=True)
class Filing:
    """What is filed back."""

    title: str
    body: str
    """Markdown."""
    type: str
    by: str
    """Who wrote it, as an OKF actor: `reference_agent/model`, `human:name`."""
    description: str | None = None
    """One sentence; the body's first when there is none."""
    tags: tuple[str, ...] = ()
    path: str | None = None
    """Concept path; `/concepts/` and the title's words when there is none."""
    linked_from: tuple[str, ...] = ()
    """Concepts, by path or title, that get a link to the page at their end."""


def file_back(bundle: Path, filing: Filing, now: datetime) -> Edit:
    """The new page, the links to it, and the log entry. Raises Refused, also when the page exists."""
    title = one_line(filing.title, "title")
    path = _free_path(bundle, filing.path or FOLDER + slug(title) + ".md")
    text = _page(filing, title, now)
    concept, findings = understand(parse_page(path, text.encode()))
    if concept is None or findings or concept.title != title:
        raise Refused(f"{path[1:]} would not be a sound page ({findings[0] if findings else 'its title is lost'}); nothing was changed.")
    shown = link(title, path)
    linking = {page.file: page for page in (open_concept(bundle, name) for name in filing.linked_from)}  # each once
    links = [page.add_to_body(f"See also {shown}.").change() for page in linking.values()]
    entry = log(bundle, "Filing", f"Filed back {shown}.", now.date())
    page = Change(bundle / path[1:], path[1:], None, text.encode())
    return Edit((page, *links, *entry.changes), tuple(_notes(bundle, path, filing)))


def slug(title: str) -> str:
    """A file name from a title: Latin letters without their accents, letters of other scripts as they are."""
    letters = "".join(_bare(letter) for letter in normal("NFC", title).casefold())
    words = re.findall(r"[^\W_]+", re.sub(r"['’]", "", letters))
    name = "-".join(words)[:80].strip("-")
    if not name:
        raise Refused(f"No file name can be made from the title {title!r}: give one with --path; nothing was changed.")
    return name


def _bare(letter: str) -> str:
    base = unicodedata.normalize("NFKD", letter)[0]
    return base if base.isascii() else letter


def _free_path(bundle: Path, given: str) -> str:
    try:
        path = concept_reference("/" + given.lstrip("/"))
    except OutsideBundle:
        path = None
    if path is None or not is_concept_path(path):
        raise Refused(f"{given} cannot be the path of a new concept: name one within the bundle, as /concepts/x.md; nothing was changed.")
    file = bundle / path[1:]
    if not file.resolve().is_relative_to(bundle.resolve()):
        raise Refused(f"{given} leads out of the bundle; nothing was changed.")
    if file.exists():
        raise Refused(f"{path[1:]} exists already: edit it, or choose another --path; nothing was changed.")
    return path


def _page(filing: Filing, title: str, now: datetime) -> str:
    """The file's text; its own frontmatter, and a heading unless the body begins with one."""
    body = filing.body.replace("\r\n", "\n").strip("\n")
    if not body.strip():
        raise Refused("There is nothing to file back: give the page's text on standard input; nothing was changed.")
    if body.startswith("---\n"):
        raise Refused("The text begins with a frontmatter of its own: give the body alone; nothing was changed.")
    tags = [one_line(tag, "tag") for tag in filing.tags]
    lines = ["---", f"type: {scalar(one_line(filing.type, 'type'))}", f"title: {scalar(title)}",
             f"description: {scalar(one_line(filing.description or _first_sentence(body), 'description'))}",
             *([f"tags: {flow(tags)}"] if tags else []),
             "generated: " + flow({"by": one_line(filing.by, "author"), "at": f"{now:%Y-%m-%dT%H:%M:%SZ}"}, {"by": '"'}), "---", ""]
    heading = [] if body.startswith("#") else [f"# {title}", ""]
    return "\n".join([*lines, *heading, body, ""])


def _first_sentence(body: str) -> str:
    """The first sentence of the first paragraph, without its markup."""
    paragraph = next((part for part in re.split(r"\n\s*\n", body) if not part.lstrip().startswith(("#", "|", "```", "<"))), body)
    plain = re.sub(r"!?\[([^\]]*)\]\([^)]*\)|\[\^[^\]]*\]", r"\1", paragraph)
    plain = " ".join(re.sub(r"[*`]|^\s*[-#>]+", "", plain).split())
    return re.split(r"(?<=[.!?])\s", plain, maxsplit=1)[0][:200]


def _notes(bundle: Path, path: str, filing: Filing) -> list[str]:
    """What lint would say of the page: links to nowhere, and none to it."""
    targets = [link_target(found.target, path) for found in links_in(filing.body) if not found.target.startswith("[[")]
    broken = [target for target in dict.fromkeys(targets) if target and is_concept_path(target) and not (bundle / target[1:]).exists()]
    notes = [f"{path[1:]} links to {target}, which does not exist." for target in broken]
    if not filing.linked_from:
        notes.append(f"No concept links to {path[1:]} yet: name those that should with --linked-from.")
    return notes
