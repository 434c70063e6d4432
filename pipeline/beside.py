"""Reads the files that people keep beside the concepts (settings, questions, conventions), whatever stands there."""

from __future__ import annotations

import os
from pathlib import Path

from pipeline.parse import MAX_BYTES
from retrieval.errors import WikiError


class UnreadableFile(WikiError):
    """Something stands at the path that cannot be read as text."""


def read_beside(path: Path, errors: str = "strict") -> str | None:
    """The text of a file; None when nothing stands there. Raises UnreadableFile.

    Neither a pipe, which would have it wait for ever, nor a device, which never ends, is opened.
    """
    try:
        if not os.path.lexists(path):
            return None
        if not path.is_file():
            raise UnreadableFile(f"{path} is not a file: put one there, or take it away.")
        if path.stat().st_size > MAX_BYTES:
            raise UnreadableFile(f"{path} has more than {MAX_BYTES // 2**20} MB and is not read: make it shorter.")
        return path.read_text(encoding="utf-8-sig", errors=errors)
    except OSError as fault:
        raise UnreadableFile(f"{path} cannot be read ({fault.strerror}): give read permission.") from None
    except UnicodeDecodeError as fault:
        raise UnreadableFile(f"{path} cannot be read ({fault}): save it as UTF-8.") from None
