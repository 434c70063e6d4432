"""Planned edits of files: shown as a diff, or carried out all together, or not at all."""

from __future__ import annotations

import difflib
import os
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pipeline.edit.journal import aside, forget, remember
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


def carry_out(bundle: Path, changes: Sequence[Change], due: Sequence[int] = ()) -> None:
    """Writes every file aside, then puts all in place; when one cannot be, those before it are put back. Raises Refused.

    Call it under the lock. A signal in `due`, which may grow meanwhile, ends it until the first file is put in place.
    """
    placed: list[Change] = []
    folders: list[Path] = []
    changes = _behind_links(bundle, changes)
    _check_free(changes)
    files = {change.file: (change.before, change.after) for change in changes}
    try:
        remember(bundle, files, ready=False)
        for change in changes:
            _check_signals(due)
            folders += _make_folder(change.file.parent)
            _write_aside(change.file, change.after)
        for change in changes:
            _check_unchanged(change)
        remember(bundle, files, ready=True)
        _check_signals(due)
        for change in changes:
            _check_unchanged(change)
            os.replace(aside(change.file), change.file)
            placed.append(change)
    except (OSError, Refused) as fault:
        left = [change.name for change in placed if not _put_back(change)]
        if left:
            raise Refused(f"{', '.join(left)} could not be put back as they were, and the rest is not changed: see what `git diff` shows.") from None
        if isinstance(fault, Refused):
            raise
        raise Refused(f"Nothing was changed, for {fault.filename or 'a file'} cannot be written: {fault.strerror}.") from None
    finally:
        for change in changes:
            _clear(change)
        for folder in reversed(folders):
            if not any(folder.iterdir()):
                folder.rmdir()
        forget(bundle)


def _behind_links(bundle: Path, changes: Iterable[Change]) -> list[Change]:
    """The changes where links lead, so that a link stays one; two names of one file (AGENTS.md, CLAUDE.md) are one change."""
    files: dict[Path, Change] = {}
    for change in changes:
        if change.file.is_symlink():
            change = replace(change, file=change.file.resolve())
            if not change.file.is_relative_to(bundle.resolve()):
                raise Refused(f"{change.name} leads out of the bundle; nothing was changed.")
        files[change.file.resolve()] = change
    return list(files.values())


def _check_free(changes: Iterable[Change]) -> None:
    """What a killed edit left is gone by now: anything that stands where a file would wait is not ours."""
    for change in changes:
        if os.path.lexists(aside(change.file)):
            raise Refused(f"{aside(change.file)} is in the way: move or delete it; nothing was changed.")


def _check_signals(due: Sequence[int]) -> None:
    if due:
        raise Refused("Stopped by a signal; nothing was changed.")


def _check_unchanged(change: Change) -> None:
    """Whoever writes by hand knows no lock."""
    if (change.file.read_bytes() if change.file.exists() else None) != change.before:
        raise Refused(f"{change.name} was changed by someone else just now: try again; nothing was changed.")


def _write_aside(file: Path, content: bytes) -> None:
    aside(file).write_bytes(content)
    if file.exists():
        shutil.copymode(file, aside(file))


def _make_folder(folder: Path) -> list[Path]:
    """The folders that had to be made, the outermost first."""
    if folder.is_dir():
        return []
    made = _make_folder(folder.parent)
    folder.mkdir()
    return [*made, folder]


def _put_back(change: Change) -> bool:
    """Whether the file is as it was."""
    try:
        if change.before is None:
            change.file.unlink(missing_ok=True)
        else:
            _write_aside(change.file, change.before)
            os.replace(aside(change.file), change.file)
    except OSError:
        return False
    return True


def _clear(change: Change) -> None:
    if os.path.lexists(aside(change.file)):
        aside(change.file).unlink()
