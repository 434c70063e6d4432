"""Finds a bundle's concept files and what the file system knows of each; reads no content.

Shared by the build, which asks what changed, and by readers, which ask whether the wiki is current.
"""

import os
import stat
import time
import unicodedata
from collections.abc import Iterable
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

RESERVED = frozenset({"index.md", "log.md"})
"""File names that are never concepts, in any directory (OKF §3.1)."""
ROOT_ONLY = frozenset({"timeline.md", "AGENTS.md", "CLAUDE.md", "README.md"})
"""File names that are not concepts in the root of a bundle."""

LINKED_FOLDER = "a link to a folder; links to folders are not followed"
"""The one problem that may be as its author wants it."""

CLOCK_STEP_NS = 20_000_000
"""Longest step of file times on the systems in use (Linux: 4 or 10 ms)."""
SETTLE_TRIES = 5
"""Scans before a file that is rewritten all the time is taken as it is."""


class FileStamp(NamedTuple):
    """What a directory listing tells of one candidate file, or of a folder that could not be entered."""

    path: str
    """Concept path; for a folder it ends with a slash."""
    name: str
    """Path below the bundle as the file system spells it."""
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    problem: str
    """Why the file cannot be read as a concept; empty when it can."""


def concept_path(name: str) -> str:
    """The concept path of a bundle-relative file name: `/entities/openai.md`."""
    return "/" + (name if name.isascii() else unicodedata.normalize("NFC", name)).replace(os.sep, "/")


def is_concept_path(path: str) -> bool:
    """Whether a file at this concept path would be a concept (by its name alone)."""
    folders, _, name = path.lstrip("/").rpartition("/")
    return (name.endswith(".md") and name not in RESERVED and (bool(folders) or name not in ROOT_ONLY)
            and "/." not in path and not path.startswith("."))


def scan(bundle: Path) -> list[FileStamp]:
    """Every candidate concept file of `bundle`, sorted by concept path.

    Hidden files and folders are passed over. Entries that look like concepts but are none (a folder named x.md, a
    link out of the bundle, a name that is not UTF-8) and folders not entered come with a `problem`.
    """
    stamps: list[FileStamp] = []
    root = os.path.realpath(bundle)
    pending = [""]
    while pending:
        folder = pending.pop()
        try:
            entries = list(os.scandir(os.path.join(root, folder)))
        except OSError as fault:
            if not folder:
                raise
            stamps.append(_unread(f"{folder}/", f"cannot be read: {fault.strerror}"))
            continue
        for entry in entries:
            name = entry.name
            if name.startswith("."):
                continue
            relative = f"{folder}/{name}" if folder else name
            is_folder = entry.is_dir(follow_symlinks=False)
            if is_folder:
                pending.append(relative)
            if name.endswith(".md") and name not in RESERVED and (folder or name not in ROOT_ONLY):
                stamps.append(_stamp(entry, relative, root, is_folder))
            elif entry.is_symlink() and os.path.isdir(entry.path):
                stamps.append(_unread(f"{relative}/", LINKED_FOLDER))
    return sorted(_without_twins(stamps), key=itemgetter(0))


def settled_scan(bundle: Path) -> list[FileStamp]:
    """A scan in which no file was written within the clock's last tick.

    File times come in steps of some milliseconds: a second edit in the same step would not show. Waiting the
    step out makes a stamp tell for good; a file stamped in the future, or for ever rewritten, is not waited for.
    """
    for _ in range(SETTLE_TRIES):
        now = time.time_ns()
        stamps = scan(bundle)
        if not any(0 <= now - stamp.ctime_ns < CLOCK_STEP_NS for stamp in stamps):
            break
        time.sleep(CLOCK_STEP_NS / 1e9)
    return stamps


def _stamp(entry: os.DirEntry, name: str, root: str, is_folder: bool) -> FileStamp:
    try:
        info = entry.stat(follow_symlinks=False)
        problem = "" if stat.S_ISREG(info.st_mode) else "a folder, not a file" if is_folder else "not a regular file"
        if stat.S_ISLNK(info.st_mode):
            info, problem = _follow(entry, root, info)
    except OSError as fault:
        return _unread(name, f"cannot be read: {fault.strerror}")
    path = concept_path(name)
    if not path.isascii() and _utf8(path) != path:
        path, problem = _utf8(path), "the file name is not UTF-8"
    if is_folder:
        return FileStamp(path, name, 0, 0, 0, info.st_ino, problem)
    return FileStamp(path, name, info.st_size, info.st_mtime_ns, info.st_ctime_ns, info.st_ino, problem)


def _unread(name: str, problem: str) -> FileStamp:
    return FileStamp(_utf8(concept_path(name)), name, 0, 0, 0, 0, problem)


def _follow(entry: os.DirEntry, root: str, info: os.stat_result) -> tuple[os.stat_result, str]:
    target = os.path.realpath(entry.path)
    if not target.startswith(root + os.sep):
        return info, "a link that leads out of the bundle"
    try:
        followed = os.stat(target)
    except OSError:
        return info, "a link to nowhere"
    return followed, "" if stat.S_ISREG(followed.st_mode) else "a link to something that is not a file"


def _utf8(text: str) -> str:
    """Bytes that are no UTF-8, which Python carries as lone surrogates, spelt out: SQLite and people cannot read those."""
    return text if text.isascii() else os.fsencode(text).decode("utf-8", "backslashreplace")


def _without_twins(stamps: list[FileStamp]) -> Iterable[FileStamp]:
    """Two names that differ only in Unicode composition are one concept path: the composed spelling keeps it.

    The other one is told under its own spelling.
    """
    kept: dict[str, FileStamp] = {}
    for stamp in stamps:
        twin = kept.setdefault(stamp.path, stamp)
        if twin is not stamp:
            first, second = sorted((twin, stamp), key=lambda s: (concept_path(s.name) != "/" + s.name, s.name))
            kept[stamp.path] = first
            spelt = _utf8("/" + second.name)
            kept[spelt] = second._replace(
                path=spelt, problem=f"another file is also named {stamp.path} (the same name in another Unicode form)")
    return kept.values()
