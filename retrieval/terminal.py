"""Programs on any terminal: words in every encoding, output that may find no room or no reader, an end by a signal."""

from __future__ import annotations

import codecs
import io
import os
import sys

from retrieval.errors import WikiError


class OutputLost(WikiError):
    """Standard output takes no more: the disk it goes to is full, or worse."""


def take_any_encoding() -> None:
    """Spell out what standard output and standard error cannot show, where Python would raise, as JSON spells it.

    Where one of them is closed, what is written to it is gone, and no file that is opened later takes its place.
    """
    codecs.register_error("spelt", _spelt)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            stream = open(os.devnull, "w", encoding="utf-8")
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)
        elif isinstance(getattr(sys, name), io.TextIOWrapper):
            getattr(sys, name).reconfigure(errors="spelt")


def _spelt(fault: UnicodeError) -> tuple[str, int]:
    if not isinstance(fault, UnicodeEncodeError):
        raise fault
    units = fault.object[fault.start:fault.end].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at:at + 2].hex()}" for at in range(0, len(units), 2)), fault.end


def typed(argument: str) -> str:
    """An argument as the person wrote it: in UTF-8, whatever the locale took it for."""
    return os.fsencode(argument).decode("utf-8", "surrogateescape")


def put(text: str) -> None:
    """Write all of `text` to standard output. A reader who has gone has seen enough. Raises OutputLost."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as fault:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what is still to be flushed at the end
        if not isinstance(fault, BrokenPipeError):
            raise OutputLost(f"Standard output cannot be written ({fault.strerror}): send it where there is room.") from None


def complain(sentence: str) -> None:
    """Write a line to standard error, if it takes one."""
    try:
        print(sentence, file=sys.stderr, flush=True)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def end_at_once(last_words: str) -> None:
    """From now on Ctrl-C and a polite kill end the process with one line and no traceback.

    For programs whose every write is a transaction or a rename, so that there is nothing to tidy up.
    """
    import signal  # here, for its enumerations take long to make and a question has no use for them

    def end(number: int, frame: object) -> None:
        os.write(2, f"\n{last_words}\n".encode())
        os._exit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) != signal.SIG_IGN:  # as nohup sets it
            signal.signal(number, end)


def end_with_the_reader(yes: bool) -> None:
    """Whether the process ends, in silence, when who reads its output has gone."""
    import signal

    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL if yes else signal.SIG_IGN)
