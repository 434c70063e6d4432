"""Remembers which files an edit is about to change, so that the next tool finishes or undoes one that was killed."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path

from retrieval.errors import WikiError


class JournalDamaged(WikiError):
    """What a killed edit was about to do cannot be told."""


def aside(file: Path) -> Path:
    """Where the new content of a file waits to take its place."""
    return file.with_name(f".{file.name}.edit")


def remember(bundle: Path, files: Mapping[Path, tuple[bytes | None, bytes]], ready: bool) -> None:
    """Notes the files with their content before the edit (None for a new one) and after it; `ready` once all stand aside whole."""
    root = bundle.resolve()
    noted = {os.path.relpath(file.parent.resolve() / file.name, root): [*map(_digest, contents)] for file, contents in files.items()}
    journal = _journal(bundle)
    journal.parent.mkdir(exist_ok=True)
    new = journal.with_suffix(".new")
    new.write_text(json.dumps({"ready": ready, "files": noted}), encoding="ascii")
    os.replace(new, journal)


def forget(bundle: Path) -> None:
    """The edit is over."""
    _journal(bundle).unlink(missing_ok=True)


def settle(bundle: Path) -> list[str]:
    """Finishes an edit that was killed while its files were put in place; of one killed before that, nothing stays.

    When one of its files was changed since, all stay as they are. Returns what the author should know. Call it under
    the lock, which tells that the edit is dead. Raises JournalDamaged, OSError.
    """
    journal = _journal(bundle)
    if not journal.is_file():
        return []
    ready, files = _read(bundle, journal)
    waiting = [file for file in files if os.path.lexists(aside(file))]
    changed = [file.name for file, (before, after) in files.items()
               if _digest(file.read_bytes() if file.is_file() else None) != (before if file in waiting else after)]
    finish = ready and not changed
    for file in waiting:
        if finish:
            os.replace(aside(file), file)
        else:
            aside(file).unlink()
    forget(bundle)
    if not ready or not waiting:
        return []
    if finish:
        return [f"An edit that was killed half-way is finished now: {len(waiting)} files."]
    return [f"An edit was killed half-way and is not finished, for {', '.join(changed)} was changed since: see what `git diff` shows."]


def _read(bundle: Path, journal: Path) -> tuple[bool, dict[Path, tuple[str | None, str]]]:
    root = bundle.resolve()
    try:
        noted = json.loads(journal.read_bytes())
        files = {root / name: (before, after) for name, (before, after) in noted["files"].items()}
        if all(file.parent.resolve().is_relative_to(root) for file in files):
            return noted["ready"] is True, files
    except (ValueError, KeyError, TypeError, AttributeError):
        pass
    raise JournalDamaged(f"{journal} should tell of an edit that was killed, and cannot be read: "
                         "see what `git status` shows, then delete it; nothing was changed.")


def _journal(bundle: Path) -> Path:
    return bundle / ".wiki" / "edit.json"


def _digest(content: bytes | None) -> str | None:
    return None if content is None else hashlib.sha256(content).hexdigest()
