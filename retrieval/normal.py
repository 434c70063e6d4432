"""Unicode's normal forms, in time that grows with the text.

Python sorts a run of combining marks in time that grows with the square of its length: half a megabyte of them, in
one title, would take minutes.
"""

from __future__ import annotations

import re
import unicodedata

_LONG = 1000
"""Characters beyond ASCII that are looked at together; a longer run of them, without one blank, is cut there."""
_PART = re.compile(rf"[\0-\x7f]*[^\0-\x7f]{{0,{_LONG}}}")  # nothing before a character of ASCII depends on it


def normal(form: str, text: str) -> str:
    """`text` in the normal form `form`: NFC, NFD, NFKC or NFKD."""
    if len(text) <= _LONG:
        return unicodedata.normalize(form, text)
    return "".join(unicodedata.normalize(form, part) for part in _PART.findall(text))
