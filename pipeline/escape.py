"""Text of unknown authors made safe for one line of markdown, a link's target, a plain list, a shell word or a terminal."""

from __future__ import annotations

import re
import shlex
from functools import lru_cache
from urllib.parse import quote


class Safe(str):
    """Markdown that was put together from escaped parts and must not be escaped again."""

    __slots__ = ()


# Whitespace of every kind, control characters, and the marks that reorder the text after them.
_BREAK = r"\s\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069"
_BREAKS = re.compile(f"[{_BREAK}]+")

# Text that needs no escape, as most does: words without any character of markup, the first no number of a list.
_WORD = rf"[^{_BREAK}\\`*\[\]|~_#&<>]"
_PLAIN = re.compile(rf"(?!\d+[.)])[^\W_]{_WORD}*(?: {_WORD}+)*")

# What begins a construct anywhere in a line; `_` between letters stays, as in invested_in; `#` only opens a word.
_INLINE = re.compile(r"[\\`*\[\]|~]|(?<![^\W_])_|_(?![^\W_])|(?<!\S)#|&(?=#?\w+;)")

# What would open a list or a heading's underline, were it the first thing of a line.
_OPENING = re.compile(r"(?:(?=[-+=])|^(\d{1,9})(?=[.)]))")

# Characters that end a target, start a query, a fragment or an entity, make a scheme, or cannot be seen. Letters of
# ASCII are named although they are words' too: a set looks them up before it asks what a character is.
_UNSAFE_IN_URL = re.compile(r"[^A-Za-z0-9\w/\-.~!$'*+,;=@]")


def one_line(text: str) -> str:
    """The text with every run of whitespace and control characters as one space."""
    if text.isprintable() and "  " not in text:  # of all that breaks a line, only a space is printable
        return text.strip()
    return _BREAKS.sub(" ", text).strip()


def visible(text: str, keep: str = "") -> str:
    """The text for a terminal: what does not print, or reorders what does, is spelt out, but for the characters to keep."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in keep else repr(char)[1:-1] for char in text)


@lru_cache(maxsize=2**16)
def inline(text: str) -> str:
    """The text so that it shows as itself inside a line of markdown, also as the text of a link."""
    if _PLAIN.fullmatch(text):
        return text
    line = _INLINE.sub(lambda match: "\\" + match[0], one_line(text))
    line = _OPENING.sub(lambda match: (match[1] or "") + "\\", line, count=1) if _OPENING.match(line) else line
    return line.replace("<", "&lt;").replace(">", "&gt;")


def url(path: str) -> str:
    """A path as a link's target; letters of other scripts stay readable."""
    return _UNSAFE_IN_URL.sub(lambda match: quote(match[0], safe=""), path)


def link(title: str, path: str) -> Safe:
    """A markdown link that shows the title."""
    return Safe(f"[{inline(title)}]({url(path)})")


def markdown(value: object) -> str:
    """What a template of markdown puts out for a value."""
    return value if isinstance(value, Safe) else inline(str(value))


def shell(value: object) -> str:
    """What a template of a shell script puts out for a value: one word, whatever it holds."""
    return shlex.quote(str(value))
