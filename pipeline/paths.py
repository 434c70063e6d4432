"""Concept paths as authors write them, brought to the one form used everywhere: `/entities/openai.md`."""

from __future__ import annotations

import posixpath
import re
from pathlib import PurePath
from urllib.parse import unquote

from retrieval.normal import normal

_NORMAL = re.compile(r"(?:/[A-Za-z0-9_-][A-Za-z0-9_.-]*+)++")
"""A path as nearly all authors write it, which is its normal form already."""


class OutsideBundle(ValueError):
    """The path climbs above the bundle's root."""


def normalize(path: str, folder: str = "/") -> str:
    """`path` as a concept path; relative ones are taken from `folder`.

    The anchor goes, `.` and `..` are resolved, the result is NFC. Raises OutsideBundle when it climbs out.
    """
    if _NORMAL.fullmatch(path):
        return path
    path = normal("NFC", path.partition("#")[0].replace("\\", "/"))
    parts: list[str] = []
    for part in posixpath.join(folder, path).split("/"):
        if part == "..":
            if not parts:
                raise OutsideBundle(path)
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/" + "/".join(parts)


def demand_inside(**files: str) -> None:
    """Refuse settings that name a file beyond the bundle. Raises ValueError."""
    for name, file in files.items():
        try:
            inside = normalize(file) != "/" and not PurePath(file).is_absolute() and "\0" not in file
        except OutsideBundle:
            inside = False
        if not inside:
            raise ValueError(f"{name}: a file in the bundle is needed, not {file!r}")


def concept_reference(text: str) -> str | None:
    """The concept path meant by a frontmatter value beginning with `/`, with `.md` added to a bare OKF id.

    None when the text names something that is no concept (another ending, no leading slash, several lines).
    Raises OutsideBundle.
    """
    if text.endswith(".md") and _NORMAL.fullmatch(text):
        return text
    if not text.startswith("/") or text.startswith("//") or "\n" in text:
        return None
    path = normalize(text)
    name = path.rpartition("/")[2]
    if name.endswith(".md"):
        return path
    return None if "." in name or not name else path + ".md"


def link_target(target: str, page: str) -> str | None:
    """The concept path a markdown link on `page` leads to; None when it leaves the bundle."""
    if _NORMAL.fullmatch(target):
        return target
    folder = posixpath.dirname(page)
    try:
        return normalize(unquote(target.partition("#")[0].partition("?")[0]), folder)
    except OutsideBundle:
        return None
