"""What makes a task out of date: things it was given, and products it made. Plain callables, as doit asks them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from retrieval.files import FileStamp


class Given:
    """Up to date while `digest()`, taken before the task runs, is what it was when the task last succeeded.

    A file_dep of doit's is recorded after the action, and so an edit made meanwhile would count as built.
    """

    def __init__(self, name: str, digest: Callable[[], str]) -> None:
        self.name, self.digest = name, digest

    def __call__(self, task: Any, values: dict[str, Any]) -> bool:
        now = self.digest()
        task.value_savers.append(lambda: {self.name: now})
        return values.get(self.name) == now


class Made(Given):
    """Up to date while `digest()` is what it was right after the task last succeeded: the product is untouched."""

    def __call__(self, task: Any, values: dict[str, Any]) -> bool:
        task.value_savers.append(lambda: {self.name: self.digest()})
        return values.get(self.name) == self.digest()


def manifest(stamps: list[FileStamp]) -> str:
    """A digest of what the file system tells of every candidate file."""
    each = "%s\0" * len(FileStamp._fields)
    return hashlib.sha256("".join([each % stamp for stamp in stamps]).encode("utf-8", "surrogateescape")).hexdigest()


def content(path: Path) -> str:
    """A digest of what stands in a file; a missing one is empty, and one that cannot be read says so by its digest."""
    try:
        data = path.read_bytes() if path.is_file() else b""
    except OSError as fault:
        data = str(fault).encode()
    return hashlib.sha256(data).hexdigest()


def trace(paths: Iterable[Path]) -> str:
    """Size, time and inode of files: any edit, loss or replacement changes it, and no content is read."""
    return repr([_trace(path) for path in paths])


def _trace(path: Path) -> tuple[int, int, int] | None:
    try:
        info = path.stat()
    except OSError:
        return None
    return info.st_size, info.st_mtime_ns, info.st_ino
