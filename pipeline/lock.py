"""A lock on a file: one process has it at a time, and the system takes it back however that process ends."""

from __future__ import annotations

import os
import time
from pathlib import Path

try:
    from fcntl import LOCK_EX, LOCK_NB, flock
except ImportError:  # Windows
    from msvcrt import LK_NBLCK, locking

    def _lock(handle: int) -> None:
        locking(handle, LK_NBLCK, 1)
else:
    def _lock(handle: int) -> None:
        flock(handle, LOCK_EX | LOCK_NB)

_PAUSE = 0.05
"""Seconds between two tries."""


class Taken(Exception):
    """Another process has the lock."""


def lock(path: Path, wait: float = 0) -> int:
    """Lock a file, which is made when it is missing; returns its handle, and closing that frees it.

    Raises Taken when another process has it for more than `wait` seconds, and OSError.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
    until = time.monotonic() + wait
    while True:
        try:
            _lock(handle)
            return handle
        except (BlockingIOError, PermissionError):  # how systems say that it is taken
            if time.monotonic() >= until:
                os.close(handle)
                raise Taken from None
        time.sleep(_PAUSE)
