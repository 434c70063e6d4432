"""Keys under which two spellings of one predicate meet: equal keys mean alike names."""

from __future__ import annotations

import re

from retrieval.normal import normal

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_GAP = re.compile(r"[\W_]+")
_AUXILIARY = frozenset({"is", "are", "was", "were", "be", "been"})
_DOUBLED = re.compile(r"([bdgklmnprt])\1\Z")
_MISSPELT = 6
"""Letters a word must have before a changed one is taken for a slip; `in` and `on`, head and heard are two words."""
_LEFT = 3
"""Letters an ending must leave: `has` is not the plural of `ha`."""


def words(predicate: str) -> tuple[str, ...]:
    """The words of a predicate, whatever joins them: snake_case, kebab-case, camelCase."""
    text = _HUMP.sub("_", normal("NFKC", predicate))
    return tuple(word for word in _GAP.split(text.casefold()) if word)


def letters(predicate: str) -> list[str]:
    """The predicate without separators and case."""
    return ["".join(words(predicate))]


def stems(predicate: str) -> list[tuple[str, ...]]:
    """The words without English endings and without forms of *to be*."""
    found = words(predicate)
    return [tuple(_stem(word) for word in found if word not in _AUXILIARY or len(found) == 1)]


def misspellings(predicate: str) -> list[tuple[str, ...]]:
    """The words, as they stand and with any one inner letter of a longer word left out.

    Two names a letter apart share a key: dropped, added, replaced or swapped with its neighbour. First and last
    letters stay, for what differs there is grammar: employer and employee.
    """
    found = words(predicate)
    return [found] + [
        (*found[:place], word[:at] + word[at + 1:], *found[place + 1:])
        for place, word in enumerate(found) if len(word) >= _MISSPELT for at in range(1, len(word) - 1)]


def _stem(word: str) -> str:
    for ending, instead in (("ies", "y"), ("ied", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", "")):
        if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) + len(instead) >= _LEFT:
            word = word.removesuffix(ending) + instead
            break
    return _DOUBLED.sub(r"\1", word.removesuffix("e") if len(word) > _LEFT else word)
