"""Programs on any terminal: output in every encoding, and an end by a signal that is no error message."""

from __future__ import annotations

import io
import os
import signal
import sys


def take_any_encoding() -> None:
    """Spell out what standard output and standard error cannot show, where Python would raise."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def end_at_once(last_words: str) -> None:
    """From now on Ctrl-C and a polite kill end the process with one line and no traceback.

    For programs whose every write is a transaction or a rename, so that there is nothing to tidy up.
    """
    def end(number: int, frame: object) -> None:
        os.write(2, f"\n{last_words}\n".encode())
        os._exit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) != signal.SIG_IGN:  # as nohup sets it
            signal.signal(number, end)
