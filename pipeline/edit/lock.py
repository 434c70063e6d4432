"""One edit of a bundle at a time: whoever comes second waits, and reads what the first has written."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipeline.edit.changes import Refused
from pipeline.lock import Taken, lock
from pipeline.store import Store

WAIT = 30
"""Seconds that an edit waits for others; the longest, a predicate renamed in 10,000 files, takes less."""


@contextmanager
def edit_lock(bundle: Path) -> Iterator[None]:
    """Holds `.wiki/edit.lock`; a build has a lock of its own. Raises Refused, also where it cannot be had."""
    store = Store(bundle)
    try:
        store.make_folder()
        handle = lock(store.folder / "edit.lock", WAIT)
    except Taken:
        raise Refused(f"Another edit of {bundle} goes on since {WAIT} seconds: try again when it has ended; nothing was changed.") from None
    except OSError as fault:
        raise Refused(f"{store.folder} cannot be written ({fault.strerror}), and without its lock two edits could undo each other: "
                      "give write permission; nothing was changed.") from None
    try:
        yield
    finally:
        os.close(handle)
