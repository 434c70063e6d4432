"""Finds keys that are misspelt ones of ours. An unknown key is legal (OKF §4.1), so only one that nearly is a missing known key."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterator

ORDINARY = frozenset({"descriptive", "generate", "generates", "states", "statue", "stats", "superseded", "tape", "tile", "titles", "verifier"})
"""Words that an author may well mean as they stand, though they lie near a key of ours."""
_ALIKE, _ALIKE_IF_SHORT = 0.8, 0.75
"""Least likeness, as difflib measures it: about two letters of ten, and one of four."""


def misspelt(keys: Collection[str], known: Collection[str]) -> Iterator[tuple[str, str]]:
    """The keys of one mapping that are close to a known one which the mapping lacks, each with that one."""
    unknown = [key for key in keys if key not in known]
    missing = {_plain(name): name for name in known if name not in keys} if unknown else {}
    for key in unknown:
        if close := _closest(_plain(key), missing):
            yield key, missing[close]


def _plain(key: str) -> str:
    """A key without what is most often written otherwise: capitals, hyphens, underscores."""
    return re.sub(r"[-_\s]", "", key.casefold())


def _closest(key: str, missing: Collection[str]) -> str | None:
    if key in missing:
        return key
    near = [name for name in missing if key[:1] == name[0] and (abs(len(key) - len(name)) < 2 or key + "es" == name)]
    close = difflib.get_close_matches(key, near, 1, _ALIKE_IF_SHORT if len(key) < 5 else _ALIKE)
    return close[0] if close and key not in ORDINARY else None
