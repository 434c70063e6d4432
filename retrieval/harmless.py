"""Makes names and prose of a bundle harmless: nothing in them can pass for what we say ourselves.

A marker of ours is a bracket with one of our words behind it, so no name keeps a bracket before such a word, or before
its end, where the next name would go on. A square one takes its place, which no marker of ours begins with.
"""

from __future__ import annotations

import re
import unicodedata

NAME_LIMIT, VALUE_LIMIT = 160, 400
"""Characters of a name or of a literal that are shown; a whole page smuggled into a title must not eat the budget."""

_UNSEEN = "\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f"
CONTROL = f"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff{_UNSEEN}]"
"""Pattern of characters that show nothing, or make a line show otherwise than it reads. Rare patterns are compiled by `re` when first used."""
LINE_END = re.compile("\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]")

_SIGN = re.compile(r"[^\w\s\x00-')-;=-Z\\-z|-\x7f]")
"""What may open a bracket: of ASCII only ( < [ {."""
_BRACKETS = "<\ufd3e\u239b\u239d"
"""What opens a bracket, though Unicode does not call it so."""
_BLANKS = "\u115f\u1160\u2800"
"""What shows nothing, though Unicode calls it a letter or a symbol."""
_COLON = "[:\u02d0\u02f8\u05c3\u0589\u2236\ua789]"
_MARK = rf"\s*(?:$|(?:trust|source)\s*(?:$|{_COLON})|(?:stale|superseded)\b)"
_MARK_OR_PATH = rf"{_MARK}|\s*[/\u2044\u2215]"
_MARK_IN_ID = rf"\b(?:trust|source)\s*{_COLON}|\b(?:stale|superseded)\b"


def name(text: str | None, limit: int = NAME_LIMIT) -> str:
    """A name, literal or path as one harmless line."""
    return _unbracketed(_line(text, limit), _MARK)


def place(text: str) -> str:
    """A name or path that stands beside a path of ours in brackets, and holds none itself."""
    return _unbracketed(_line(text, NAME_LIMIT), _MARK_OR_PATH)


def concept_name(title: str, path: str, note: str = "") -> str:
    """`George Marshall (/entities/george-marshall.md)`"""
    return f"{place(title)} ({place(path)}{note})"


def source_name(source: str | None) -> str:
    """The id of a source, which stands inside a marker: as words alone where it would go on as another one."""
    line = name(source)
    return re.sub(r"[^\w./-]+", "_", line) if re.search(_MARK_IN_ID, _as_read(line)) else line


def prose(line: str) -> str:
    """A line of prose without the characters that show nothing."""
    return line if line.isprintable() else re.sub(CONTROL, "", line)


def _line(text: str | None, limit: int) -> str:
    text = text or ""
    if not text.isprintable():  # then it may hold what does not show; most names do not
        text = re.sub(CONTROL, "", LINE_END.sub(" ", text))
    line = " ".join(text.split())
    return line if len(line) <= limit else line[:limit - 1] + "…"


def _unbracketed(line: str, mark: str) -> str:
    """The line with a square bracket for each that opens before a mark."""
    for found in _SIGN.finditer(line):
        if (found[0] in _BRACKETS or unicodedata.category(found[0]) == "Ps") and re.match(mark, _as_read(line[found.end():])):
            line = f"{line[:found.start()]}[{line[found.end():]}"
    return line


def _as_read(text: str) -> str:
    """Text as a reader takes it: letters without their forms and accents, nothing that does not show."""
    if text.isascii() and text.isprintable():
        return text.lower()
    shown = (char for char in unicodedata.normalize("NFKD", text) if unicodedata.category(char)[0] not in "CM" and char not in _BLANKS)
    return "".join(shown).casefold()
