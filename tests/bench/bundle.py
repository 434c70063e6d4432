"""Writes a synthetic bundle of any size, the same bytes for the same seed.

    python -m tests.bench.bundle FOLDER SIZE
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

RELATIONS = 3
"""Facts a concept asserts of others; each is told from its object's side too, so a concept has twice as many."""
WORDS = 300
"""Words of a body."""
VOCABULARY = 20_000
"""Words a language has, the n-th of them used 1/n times as often as the first (Zipf)."""
FOLDER = 1_000
"""Concepts in one folder."""
HUBS = (10_000, 1_000, 1_000)
"""Facts that others tell of each of the first concepts; at the most, a tenth as many as there are concepts."""
SUPERSEDED = 10
"""One concept in so many has a successor."""

TYPES = ("Person", "Organization", "Product", "Place", "Event", "Concept")
PREDICATES = (("founded", "founded_by"), ("member_of", "has_member"), ("located_in", "location_of"),
              ("wrote", "written_by"), ("advised", "advised_by"), ("acquired", "acquired_by"))
"""Each with its inverse."""
SYLLABLES = [start + vowel + end for start in ("b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v")
             for vowel in "aeiou" for end in ("", "n", "r", "s")]


class Language(NamedTuple):
    """The words that bodies are made of."""

    words: list[str]
    """The most frequent first."""
    weights: list[float]
    """How often the words up to each are used, added up."""


def write_bundle(folder: Path, size: int, seed: int = 0) -> list[Path]:
    """Write `size` concepts below `folder`; returns their files, in order of number."""
    dice = random.Random(f"{seed} {size}")
    language = language_of(random.Random(seed))
    relations = relations_of(size, dice)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "wiki.yaml").write_text("embedding: { backend: none }\n", encoding="utf-8")
    files = []
    for number in range(size):
        file = folder / path_of(number)[1:]
        file.parent.mkdir(exist_ok=True, parents=True)
        file.write_text(concept(number, size, relations[number], language, dice), encoding="utf-8")
        files.append(file)
    return files


def language_of(dice: random.Random) -> Language:
    """Different words of one to three syllables, the frequent ones short: a body has the bytes of an English one."""
    words: dict[str, None] = {}
    while len(words) < VOCABULARY:
        syllables = 1 + (len(words) > 100) + (dice.random() < 0.3)
        words["".join(dice.choices(SYLLABLES, k=syllables))] = None
    return Language(list(words), list(accumulate(1 / rank for rank in range(1, VOCABULARY + 1))))


def path_of(number: int) -> str:
    return f"/shelf-{number // FOLDER:03}/concept-{number:06}.md"


def title_of(number: int, words: list[str]) -> str:
    """Two words and a number in letters: different for every concept, and such as a question would name."""
    return f"{words[number % 997 + 1000]} {words[number % 9973 + 5000]} {words[number // 997 + 300]}".title()


def relations_of(size: int, dice: random.Random) -> list[list[str]]:
    """For every concept the lines of its relations; the first concepts are the hubs."""
    lines: list[list[str]] = [[] for _ in range(size)]

    def assert_fact(subject: int, object: int) -> None:
        there, back = dice.choice(PREDICATES)
        date = f', date: "{dice.randrange(1950, 2026)}-{dice.randrange(1, 13):02}-{dice.randrange(1, 29):02}"' if dice.random() < 0.5 else ""
        source = f", source: s{dice.randrange(1, 3)}"
        lines[subject].append(f"  - {{ predicate: {there}, object: {path_of(object)}{date}{source} }}")
        lines[object].append(f"  - {{ predicate: {back}, object: {path_of(subject)}{date}{source} }}")

    told = 0
    for hub, most in enumerate(HUBS):
        for subject in dice.sample(range(len(HUBS), size), min(most, size // 10)):
            assert_fact(subject, hub)
            told += 1
    for fact in range(RELATIONS * size - told):
        assert_fact(fact % size, (fact + dice.randrange(1, size)) % size)
    return lines


def concept(number: int, size: int, relations: list[str], language: Language, dice: random.Random) -> str:
    """The text of one concept file."""
    title = title_of(number, language.words)
    first, second = dice.choices(language.words[200:], k=2)
    lines = [
        "---", f"type: {TYPES[number % len(TYPES)]}", f"title: {title}", f"description: {title} of {first} and {second}.",
        f"tags: [{first}, {second}]", *lifecycle(number, size),
        "relations:", *relations,
        'generated: { by: "bench/1", at: "2026-01-01T00:00:00Z" }', *verification(number),
        "sources:",
        f'  - {{ id: s1, resource: "references/{number}.html", title: "{first.title()} Review" }}',
        f'  - {{ id: s2, resource: "https://example.org/{number}", title: "{second.title()} Archive" }}',
        "---", "", f"# {title}", "", *paragraphs(language, size, dice)]
    return "\n".join(lines) + "\n"


def lifecycle(number: int, size: int) -> list[str]:
    """Every tenth concept was superseded by the one after it."""
    last = number % SUPERSEDED == SUPERSEDED - 1
    if last and number + 1 < size:
        return ["status: superseded", f"superseded_by: {path_of(number + 1)}", 'superseded_at: "2025-06-01"']
    return [f"supersedes: [{path_of(number - 1)}]"] if number and number % SUPERSEDED == 0 else []


def verification(number: int) -> list[str]:
    """Of three concepts one is reviewed by a person, one confirmed by a machine, one neither."""
    actor = (None, "process:checker", "human:ana")[number % 3]
    return [f'verified: {{ by: "{actor}", at: "2026-01-02T00:00:00Z" }}'] if actor else []


def paragraphs(language: Language, size: int, dice: random.Random) -> Iterator[str]:
    """Three sections of sentences of ten words; each section links to another concept."""
    for heading in ("Origins", "Work", "Later"):
        drawn = dice.choices(language.words, cum_weights=language.weights, k=WORDS // 3)
        sentences = [" ".join(drawn[at:at + 10]).capitalize() + "." for at in range(0, len(drawn), 10)]
        target = dice.randrange(size)
        yield from (f"## {heading}", "", " ".join(sentences[:5]), "",
                    f"[{title_of(target, language.words)}]({path_of(target)}) " + " ".join(sentences[5:]), "")


if __name__ == "__main__":
    write_bundle(Path(sys.argv[1]), int(sys.argv[2]))
