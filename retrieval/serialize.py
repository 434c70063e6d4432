"""Writes the context block: what we say stands in lines of ours, what the bundle's prose says is quoted.

Every line of prose begins with "> ", whatever it holds, and names are kept to one line in which no bracket can open
a marker. So no text of a bundle can pass for a fact line, a heading or a source of ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from retrieval.context import Passage
from retrieval.harmless import LINE_END, VALUE_LIMIT, concept_name, name, place, prose, source_name
from retrieval.model import Fact
from retrieval.tokens import count

FACTS, BACKGROUND, SOURCES = "## Facts", "## Background, quoted from the bundle", "## Sources"
GAP = "[…]"


def serialize(facts: Sequence[Fact], passages: Sequence[Passage], sources: Iterable[str], notice: str = "") -> str:
    """The block: notice, facts, quoted prose, sources; a part without content is left out."""
    parts = [[notice] if notice else [], _part(FACTS, [fact_line(fact) for fact in facts]),
             _part(BACKGROUND, prose_lines(passages)), _part(SOURCES, list(sources))]
    return "\n\n".join("\n".join(lines) for lines in parts if lines)


def refuse(reason: str, budget: int, notice: str = "") -> str:
    """What stands in place of the block when the bundle does not cover the question; shorter in a tiny budget."""
    short = "No confident match in this bundle."
    full = f"{short} {reason}"
    return _first_that_fits(budget, *([f"{notice}\n\n{full}"] if notice else []), full, short, "No match.")


def no_room(budget: int) -> str:
    """What stands in place of the block when nothing that answers fits into it."""
    return _first_that_fits(budget, "Something answers this, but nothing of it fits into so few tokens: ask with a larger budget.",
                            "No room: ask with a larger budget.", "No room.")


def _first_that_fits(budget: int, *texts: str) -> str:
    return next((text for text in texts if count(text) <= budget), "")


def fact_line(fact: Fact) -> str:
    """`- Andreessen Horowitz invested_in OpenAI, as of 2021-04-01 (trust: human-reviewed, source: a16z-portfolio)`"""
    return "- " + (fact.text or fact_text(fact))


def fact_text(fact: Fact) -> str:
    """The fact in one line, with what keeps a reader from taking it for more than it is."""
    target = name(fact.object_title or fact.object_path) if fact.object_path else name(fact.object_literal, VALUE_LIMIT)
    text = f"{name(fact.subject_title)} {name(fact.predicate)} {target}"
    if fact.date:
        text += f", as of {name(fact.date)}"
    text += _superseded(fact)
    if fact.stale:
        text += " (stale)"
    source = source_name(fact.source)
    return f"{text} (trust: {fact.trust}{', source: ' + source if source else ''})"


def _superseded(said: Fact | Passage) -> str:
    if not said.superseded_by:
        return ""
    since = f" as of {name(said.superseded_at)}" if said.superseded_at else ""
    return f" (superseded by {place(said.superseded_by)}{since})"


def prose_lines(passages: Sequence[Passage]) -> list[str]:
    """Each concept once, then its passages, quoted line by line."""
    lines: list[str] = []
    for _, group in groupby(passages, lambda passage: passage.path):
        for at, passage in enumerate(group):
            lines += [*([] if at else [concept_line(passage)]), *passage_lines(passage, at == 0)]
    return lines


def concept_line(passage: Passage) -> str:
    """`### George H. W. Bush presidency (/entities/bush-41.md) (superseded by /entities/clinton.md as of 1993-01-20)`"""
    return f"### {concept_name(passage.title, passage.path)}{_superseded(passage)}"


def passage_lines(passage: Passage, first: bool) -> list[str]:
    """The quoted lines; where the passage does not begin with its own heading, a line tells what was left out."""
    skipped = passage.heading if not passage.text.startswith("#") else ""
    lead = [f"> {GAP} {name(skipped)}".rstrip()] if skipped or not first else []
    return lead + quote(passage.text)


def quote(text: str) -> list[str]:
    return [f"> {prose(line)}".rstrip() for line in LINE_END.split(text)]


def _part(heading: str, lines: list[str]) -> list[str]:
    return [heading, *lines] if lines else []
