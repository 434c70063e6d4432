"""Ctrl-C and a polite kill while files are put in place: they wait until all is in order."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def held_back() -> Iterator[list[int]]:
    """The signals that have come so far, as a list that grows; the first of them takes effect at the end."""
    due: list[int] = []
    handlers = {}
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            if signal.getsignal(number) not in (signal.SIG_IGN, None):
                handlers[number] = signal.signal(number, lambda number, frame: due.append(number))
    try:
        yield due
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        if due:
            signal.raise_signal(due[0])
