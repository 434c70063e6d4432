"""Estimates how many tokens a text costs, without a tokenizer: close on English, seldom too low on anything.

The numbers are hundredths of a token, fitted to the larger of the counts of two byte-pair vocabularies in wide use
(100,000 and 200,000 entries) over prose in English, German and Chinese and code in two languages. Such vocabularies
hold most English words whole, cut words of other languages and names every three to five letters, take digits by
three, and spell rare scripts byte by byte.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache

_LOWER, _UPPER = "a-z\u00df-\u00f6\u00f8-\u00ff\u0100-\u024f", "A-Z\u00c0-\u00d6\u00d8-\u00de"
_PART = re.compile(
    # A Latin word, or one hump of a camelCase one, with the blank before it, at which all else would be tried in vain.
    rf" ?[{_UPPER}]?[{_LOWER}]{{1,60}}| ?[{_UPPER}]{{1,60}}(?![{_LOWER}])"
    r"| ?[0-9]{1,60}| ?[^\w\s]{1,60}|_{1,60}"
    r"|(?<=\S)\s{2,80}|\s{80}"  # indentation is joined to the line's end
    rf"|[^\s{_LOWER}{_UPPER}0-9]{{1,60}}")
"""Parts are short, whatever the text, so that remembering their costs takes bounded memory."""

_ENGLISH = frozenset("the of and to that with from by for which his her were are has it this you not is".split())
_ENGLISH_SHARE = 8
"""A line is English when at least one word in so many is one of the above."""

REMEMBERED = 2_000
"""Characters of the longest line whose cost is remembered: a block is counted several times while it is put together."""

_PER_CHARACTER = (
    (0x024F, 40), (0x036F, 100), (0x03FF, 115), (0x052F, 75), (0x058F, 170), (0x06FF, 110), (0x08FF, 200), (0x0E7F, 135),
    (0x10FF, 215), (0x11FF, 300), (0x1FFF, 300), (0x206F, 100), (0x2BFF, 150), (0x303F, 100), (0x30FF, 115), (0x33FF, 200),
    (0x4DBF, 280), (0x9FFF, 125), (0xABFF, 300), (0xD7AF, 140), (0xFEFF, 280), (0xFFEF, 150), (0x10FFFF, 300))
"""Last code point of a range, and what one of its characters costs outside of Latin words."""
_LAST = [last for last, _ in _PER_CHARACTER]


def count(text: str) -> int:
    """Tokens of `text`. What joins lines costs one each, so lines can be counted one by one and summed."""
    lines = text.split("\n")
    return sum(_line(line) if len(line) <= REMEMBERED else _line.__wrapped__(line) for line in lines) + len(lines) - 1


def at_least(text: str) -> int:
    """Fewer tokens than this `text` cannot have: each of its words costs one, but for underscores. Told in a tenth of the time."""
    return len(text.split()) - text.count("_")


@lru_cache(2_000)
def _line(line: str) -> int:
    english = sum(map(_ENGLISH.__contains__, line.split(" "))) * _ENGLISH_SHARE > line.count(" ")
    cost = _english_part if english else _other_part
    return (sum(map(cost, _PART.findall(line))) + 50) // 100


@lru_cache(20_000)
def _english_part(part: str) -> int:
    """Words in a line of English: a long one is mostly known as a whole, unless it is a name."""
    return _part(part, lower=(5, 6), capital=(3, 23))


@lru_cache(20_000)
def _other_part(part: str) -> int:
    return _part(part, lower=(4, 35), capital=(3, 30))


def _part(part: str, lower: tuple[int, int], capital: tuple[int, int]) -> int:
    """A Latin word with the blank before it, a number, a run of marks or of another script.

    `lower` and `capital`: the letters a word has for one token, and what each further letter costs.
    """
    if part.isspace():
        return 100
    if part[-1].isalpha():
        part = part.lstrip(" ")
    length = len(part)
    if part.isascii() and part[-1].isdigit():
        return 100 * ((length + 2) // 3)
    if part[0].isalpha() and part[0] < "\u0250":
        accents = 0 if part.isascii() else 50 * sum(letter > "\x7f" for letter in part)
        if part.isupper() and length > 1:
            return max(100, 50 * length) + accents
        free, each = lower if part.islower() else capital
        return 100 + accents + each * max(0, length - free)
    if part.isascii():
        return 40 if part == "_" else 100 + 35 * max(0, len(part.lstrip()) - 2)
    return max(100, sum(_PER_CHARACTER[bisect_left(_LAST, ord(character))][1] for character in part))
