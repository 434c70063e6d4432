"""Turns the bytes of a concept file into a Page: what the text says, with lines; nothing is judged.

Also the incremental stage over a bundle: only files whose bytes changed are parsed and understood again.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

import apsw

from pipeline.conflicts import REMEDY, conflicts, has_marks
from pipeline.digest import digest_of
from pipeline.frontmatter import read_frontmatter
from pipeline.links import blank_fences, links_in
from pipeline.model import Finding, Page
from pipeline.pages import forget_pages, keep_page, keep_without
from pipeline.understand import understand
from pipeline.yaml_values import FrontmatterError
from retrieval.files import LINKED_FOLDER, FileStamp

MAX_BYTES = 16 * 2**20
"""Largest file read as a concept; anything larger is a dump, and its finding says so."""

_CLOSING = re.compile(r"\n---[ \t]*$", re.MULTILINE)
"""The newline before a fence, and the fence; begins with known characters, so that it is found fast."""
_UTF16 = re.compile(rb"\xff\xfe|\xfe\xff|(?:-\0){3}|(?:\0-){3}")
"""How a file in UTF-16 begins: with a byte order mark, or with a fence in characters of two bytes."""
_NEW = ("",) * 6
"""A row of `seen` for what was not."""


def parse_page(path: str, data: bytes, digest: str = "") -> Page:
    """Read one concept file's bytes. Never raises: what cannot be read is told in `faults`.

    `digest` is the SHA-256 of the bytes, where the caller has it.
    """
    faults: list[Finding] = []

    def fault(check: str, message: str, line: int = 0, level: str = "error") -> None:
        faults.append(Finding(path.lstrip("/"), line, check, level, "", message))

    digest = digest or hashlib.sha256(data).hexdigest()
    if _UTF16.match(data):
        fault("encoding", "is UTF-16: save it as UTF-8", 1)
        return Page(path, digest, None, {}, "", (), tuple(faults))
    text = _decode(data, fault)
    if not text.startswith("---"):
        fault("no-frontmatter", _why_not_begun(text), 1)
        return Page(path, digest, None, {}, text, (), tuple(faults))
    opening = text.find("\n")
    closing = _CLOSING.search(text, opening) if opening > 0 and not text[3:opening].strip() else None
    if closing is None:
        fault("no-frontmatter", "the frontmatter block is not closed by a line ---", 1)
        return Page(path, digest, None, {}, text, (), tuple(faults))
    body = text[closing.end() + 1:]
    body_line = text.count("\n", 0, closing.end()) + 2
    frontmatter, lines = None, {}
    try:
        frontmatter, lines, remarks = read_frontmatter(text[opening + 1:closing.start() + 1])
        lines = {place: line + 1 for place, line in lines.items()}
        for check, message, line in remarks:
            fault(check, message, line + 1, "warning")
    except FrontmatterError as error:
        fault("frontmatter", str(error), error.line + 1)
    if has_marks(text):
        head = text[:closing.end() + 1] if frontmatter is not None else "\n" * (body_line - 1)
        for line in conflicts(head + blank_fences(body)):
            fault("merge-conflict", REMEDY, line, "warning")
    return Page(path, digest, frontmatter, lines, body, links_in(body, body_line), tuple(faults))


def _why_not_begun(text: str) -> str:
    if 1 in conflicts(text):
        return REMEDY
    if _CLOSING.match("\n" + text.lstrip()):
        return "blank lines stand before the --- that opens the frontmatter: remove them"
    return "does not begin with a frontmatter block fenced by ---"


def _decode(data: bytes, fault) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("utf-8-sig", "replace")
        bad = next(number for number, line in enumerate(data.split(b"\n"), 1) if not _is_utf8(line))
        fault("encoding", "is not UTF-8 here; the byte reads as \ufffd", bad, "warning")
    if "\0" in text:
        fault("encoding", "holds a NUL byte, read as \ufffd", text.count("\n", 0, text.find("\0")) + 1, "warning")
        text = text.replace("\0", "\ufffd")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def parse(cache: apsw.Connection, bundle: Path, stamps: list[FileStamp], progress=lambda done, total: None) -> str:
    """Bring the page cache in line with the files behind `stamps`; returns a digest of all that was read.

    Only files whose stamp differs from the cached one are opened, and only those whose bytes differ are
    parsed and understood. The stamps must have been taken before the call: an edit made meanwhile then shows next time.
    """
    known = {row[0]: row for row in cache.execute("select path, size, mtime_ns, ctime_ns, inode, content_hash from seen")}
    stamps = [*stamps, *_hidden(known, stamps)]
    fresh = {stamp.path for stamp in stamps}
    # Size, times and inode, as they stand in both.
    changed = [stamp for stamp in stamps if stamp.problem or known.get(stamp.path, _NEW)[1:5] != stamp[2:6]]
    gone = [path for path in known if path not in fresh]
    with cache:
        cache.executemany("delete from seen where path = ?", [(path,) for path in gone])
        forget_pages(cache, gone)
        seen = []
        for done, stamp in enumerate(changed, 1):
            seen.append(_refresh(cache, bundle, stamp, known.get(stamp.path, _NEW)[5]))
            progress(done, len(changed))
        cache.executemany(
            "replace into seen(path, size, mtime_ns, ctime_ns, inode, content_hash, problem) values (?,?,?,?,?,?,?)", seen)
    return digest_of(cache, "seen", "path", "content_hash", "problem")


def _hidden(known: Iterable[str], stamps: list[FileStamp]) -> list[FileStamp]:
    """The files known to lie below folders that cannot be entered today: they are not gone, so their rows stay."""
    closed = tuple(stamp.path for stamp in stamps if stamp.problem and stamp.path.endswith("/") and stamp.problem != LINKED_FOLDER)
    return [FileStamp(path, "", 0, 0, 0, 0, "its folder cannot be read")
            for path in known if path.startswith(closed) and path not in closed] if closed else []


def _refresh(cache: apsw.Connection, bundle: Path, stamp: FileStamp, known_hash: str) -> tuple[str | int, ...]:
    """Read a file again; returns its row of `seen`."""
    data, problem = _read(bundle, stamp)
    digest = "" if problem else hashlib.sha256(data).hexdigest()
    if problem:
        keep_without(cache, stamp.path, (_unreadable(stamp.path, problem),))
    elif digest != known_hash:
        page = parse_page(stamp.path, data, digest)
        keep_page(cache, page, *understand(page))
    return stamp.path, stamp.size, stamp.mtime_ns, stamp.ctime_ns, stamp.inode, digest, problem


def _unreadable(path: str, problem: str) -> Finding:
    return Finding(path.lstrip("/"), 0, "unreadable", "warning" if problem == LINKED_FOLDER else "error", "", problem)


def _read(bundle: Path, stamp: FileStamp) -> tuple[bytes, str]:
    if stamp.problem:
        return b"", stamp.problem
    if stamp.size > MAX_BYTES:
        return b"", f"is {stamp.size / 2**20:.0f} MB; concepts of more than {MAX_BYTES // 2**20} MB are not read"
    try:
        with open(f"{bundle}/{stamp.name}", "rb", buffering=0) as file:
            data = file.read(stamp.size + 1)
            if len(data) > stamp.size:  # it has grown since
                data += file.read(MAX_BYTES + 1 - len(data))
    except OSError as error:
        return b"", f"cannot be read: {error.strerror}"
    return (data, "") if len(data) <= MAX_BYTES else (b"", "grew while it was being read")
