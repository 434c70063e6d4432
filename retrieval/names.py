"""Folds names and questions into comparable words: case, diacritics and punctuation do not matter, C++ stays C++.

A name matches a question when its words stand there whole and in order. The words of scripts written without
spaces cannot be told apart, so there each character counts as one.
"""

import re
from typing import NamedTuple

from retrieval.normal import normal
from retrieval.segment import UNSPACED_RUN

# Scripts whose vowel signs Python's \w leaves out (Devanagari to Sinhala), without their full stops.
_INDIC = "\u0900-\u0963\u0966-\u0dff"
_LETTER = rf"[^\W_ʼ]|[{_INDIC}]"
_RUN = rf"(?:{_LETTER})(?:{_LETTER}|[\u0300-\u036f])*"  # an accent goes with a letter before it
_FORM = (
    r"(?<![\w.])\.(?={two}){run}"  # .NET
    r"|{run}(?:[{joints}]{run})*"  # O'Brien, Lothair's, Q&A
    r"(?:(?<=[^\W\d_])(?:\+\+?|\#)(?!\w))?"  # C++, C#, Disney+
)
_ASCII_WORD = re.compile(_FORM.format(two=r"[^\W\d_]{2}", run=r"[^\W_]+", joints="'&"))
# Text of other scripts is rarer, and its patterns take milliseconds to compile: `re` does so when they are first used.
_WORD = _FORM.format(two=rf"(?:(?!{UNSPACED_RUN})[^\W\d_ʼ]){{2}}", run=_RUN, joints="'’ʼ&")
_APOSTROPHE = "['’ʼ]"
_EDGES = "^[\u0300-\u036f'’ʼ&]+|['’ʼ&]+$"
"""What belongs to no word, once the letters on its one side belong to another."""
_ACCENTS = "[\u0300-\u036f]"
# Letters that look like an accented one but do not decompose into it.
_STROKES = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe"})


class Word(NamedTuple):
    """One word of a text, or one character of a script without spaces."""

    text: str
    """Folded."""
    shown: str
    """As written."""
    unspaced: bool
    """Whether it is a single character of a script without spaces."""
    start: str = ""
    """Folded form a name may begin with here: without an elided article (l'Étranger); empty when there is none."""
    end: str = ""
    """Folded form a name may end with here: without a possessive (Lothair's); empty when there is none."""


def fold(text: str) -> str:
    """The form in which names are compared; empty when the text has no letter or digit."""
    if text.isascii() and "'" not in text:  # as nearly all titles are: their words need no look from near
        return " ".join(_ASCII_WORD.findall(text)).lower()
    return join(words(text))


def words(text: str, limit: int | None = None) -> list[Word]:
    """The words of a text in order, at most `limit` of them."""
    found: list[Word] = []
    text = normal("NFKC", text)
    for match in _ASCII_WORD.finditer(text) if text.isascii() else re.finditer(_WORD, text):
        if limit is not None and len(found) >= limit:
            break
        found.extend(word for word in _split(match.group()) if word.text)  # an accent alone is none
    return found[:limit]


def join(parts: list[Word]) -> str:
    """Words as one name: a space between two, except between two characters of a script without spaces."""
    name = ""
    for at, word in enumerate(parts):
        glued = not at or (word.unspaced and parts[at - 1].unspaced)
        name += word.text if glued else " " + word.text
    return name


def _split(token: str) -> list[Word]:
    """One word, or several where scripts with and without spaces touch: iPhone手机."""
    if token.isascii():
        return [_word(token)]
    parts: list[Word] = []
    at = 0
    for run in re.finditer(UNSPACED_RUN, token):
        if run.start() > at:
            parts += _between(token[at:run.start()])
        parts.extend(Word(_fold_word(char), char, True) for char in run.group())
        at = run.end()
    if at < len(token):
        parts += _between(token[at:])
    return parts


def _between(text: str) -> list[Word]:
    """The word before or after characters of a script without spaces; none where only marks stand there."""
    text = re.sub(_EDGES, "", text)
    return [_word(text)] if any(map(str.isalnum, text)) else []


def _word(token: str) -> Word:
    pieces = token.split("'") if token.isascii() else re.split(_APOSTROPHE, token)
    start = end = ""
    if len(pieces) > 1 and pieces[-1] in ("s", "S"):
        end = _fold_word("".join(pieces[:-1]))
    if len(pieces) > 1 and len(pieces[0]) <= 2:
        start = _fold_word("".join(pieces[1:]))
    return Word(_fold_word("".join(pieces)), token, False, start, end)


def _fold_word(token: str) -> str:
    if token.isascii():
        return token.lower()
    bare = re.sub(_ACCENTS, "", normal("NFKD", token.casefold()))
    return normal("NFC", bare).translate(_STROKES)
