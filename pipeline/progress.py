"""Tells how far a long piece of work is, on standard error: a bar on a terminal, now and then a line elsewhere."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from typing import TextIO

_QUIET = 1.0
"""Seconds before anything is said: what is over by then needs no bar."""
_REDRAW = 0.1
_LINES = 15.0
"""Seconds between two lines where there is no terminal."""
_BAR = 24


class Progress:
    """Called with what is done, of how much; used in a `with` block, which ends the bar's line.

    A stream that cannot be written to silences it: no work fails for want of a bar.
    """

    def __init__(self, label: str, stream: TextIO | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._label = label
        self._stream = stream
        self._clock = clock
        self._redraws = _is_terminal(stream)
        self._began: float | None = None
        self._before = 0
        self._next = 0.0
        self._last = ""

    def __enter__(self) -> Progress:
        return self

    def __call__(self, done: int, total: int, share: float | None = None) -> None:
        """`share` is the part of the work that is over, where the items are not of equal weight."""
        now = self._clock()
        if self._began is None:
            self._began, self._before, self._next = now, done, now + (_QUIET if self._redraws else _LINES)
        if now >= self._next or (done >= total and self._last):
            self._next = now + (_REDRAW if self._redraws else _LINES)
            self._write(self._line(done, total, done / total if share is None else share, now - self._began))

    def __exit__(self, *_: object) -> None:
        if self._redraws and self._last:
            self._put("\n")

    def _line(self, done: int, total: int, share: float, seconds: float) -> str:
        rate = (done - self._before) / seconds if seconds else 0.0
        bar = f"[{'#' * int(_BAR * share):.<{_BAR}}] " if self._redraws else ""
        line = f"{self._label}  {bar}{done:,} of {total:,}"
        if done < total:
            left = f", {_clock_time(seconds / share - seconds)} left" if share else ""
            return f"{line}  {rate:.1f}/s{left}"
        return f"{line} in {_clock_time(seconds)}"

    def _write(self, line: str) -> None:
        if line == self._last:
            return
        if not self._redraws:
            self._put(line + "\n")
        else:
            width = shutil.get_terminal_size().columns - 1
            self._put("\r" + line[:width].ljust(width))
        self._last = line

    def _put(self, text: str) -> None:
        try:
            if self._stream:
                self._stream.write(text)
                self._stream.flush()
        except (OSError, ValueError):
            self._stream = None


def _is_terminal(stream: TextIO | None) -> bool:
    try:
        return bool(stream and stream.isatty()) and os.environ.get("TERM") != "dumb"
    except ValueError:  # closed
        return False


def _clock_time(seconds: float) -> str:
    """1:05 or 2:00:07."""
    minutes, second = divmod(round(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"
