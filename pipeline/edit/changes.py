"""Planned edits of files: shown as a diff, or carried out all together, or not at all."""

from __future__ import annotations

import difflib
import os
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from retrieval.errors import WikiError


class Refused(WikiError):
    """An edit that cannot be made safely; every file is as it was."""


@dataclass(frozen=True, slots=True)
class Change:
    """One file before and after."""

    file: Path
    """Where it lies."""
    name: str
    """How it is called in a diff: its path within the bundle, without a leading slash."""
    before: bytes | None
    """None when the file is new."""
    after: bytes


@dataclass(frozen=True, slots=True)
class Edit:
    """What a writing tool plans to do."""

    changes: tuple[Change, ...]
    notes: tuple[str, ...] = ()
    """What the author should know, one sentence each."""


def diff(changes: Iterable[Change]) -> str:
    """The changes as a unified diff that `patch` and `git apply` understand."""
    return "".join(_diff(change) for change in changes)


def _diff(change: Change) -> str:
    before, after = (_lines(data) for data in (change.before or b"", change.after))
    old = "/dev/null" if change.before is None else f"a/{change.name}"
    lines = difflib.unified_diff(before, after, old, f"b/{change.name}")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _lines(data: bytes) -> list[str]:
    return [line.decode("utf-8", "replace") for line in data.splitlines(keepends=True)]


def carry_out(changes: Iterable[Change]) -> None:
    """Writes every file aside, then puts all in place; when one cannot be, those before it are put back. Raises Refused."""
    written: list[tuple[Change, Path]] = []
    placed: list[Change] = []
    folders: list[Path] = []
    try:
        for change in changes:
            folders += _make_folder(change.file.parent)
            written.append((change, change.file.with_name(f".{change.file.name}.edit")))
            _write_aside(*written[-1])
        for change, aside in written:
            placed.append(change)
            os.replace(aside, change.file)
    except OSError as fault:
        for change in placed:
            _put_back(change)
        raise Refused(f"Nothing was changed, for {fault.filename or 'a file'} cannot be written: {fault.strerror}.") from None
    finally:
        for _, aside in written:
            aside.unlink(missing_ok=True)
        for folder in reversed(folders):
            if not any(folder.iterdir()):
                folder.rmdir()


def _write_aside(change: Change, aside: Path) -> None:
    aside.write_bytes(change.after)
    if change.before is not None:
        shutil.copymode(change.file, aside)


def _make_folder(folder: Path) -> list[Path]:
    """The folders that had to be made, the outermost first."""
    if folder.is_dir():
        return []
    made = _make_folder(folder.parent)
    folder.mkdir()
    return [*made, folder]


def _put_back(change: Change) -> None:
    if change.before is None:
        change.file.unlink(missing_ok=True)
    elif change.file.read_bytes() != change.before:
        change.file.write_bytes(change.before)
