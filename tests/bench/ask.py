"""Asks a synthetic bundle many questions in one process; prints the CPU seconds they took, as JSON.

    python -m tests.bench.ask BUNDLE SIZE QUESTIONS [vectors]
"""

from __future__ import annotations

import json
import random
import sys
import time
from pathlib import Path
from statistics import median, quantiles

from retrieval import Wiki
from tests.bench.bundle import language_of, title_of

FORMS = ("Who is {}?", "What did {} found?", "Who advised {} before 1990?", "What is known about {} and {}?")
"""What is asked of concepts; the rest of a question are words that the bundle does not know."""


def questions(size: int, count: int) -> list[str]:
    """Questions that each name concepts of the bundle; none names a hub."""
    dice, words = random.Random(size), language_of(random.Random(0)).words
    return [FORMS[number % len(FORMS)].format(*(title_of(dice.randrange(3, size), words) for _ in range(2))) for number in range(count)]


def seconds(wiki: Wiki, question: str) -> float:
    started = time.process_time()
    wiki.context_for(question, today="2026-01-01")
    return time.process_time() - started


def main(bundle: Path, size: int, count: int, *vectors: str) -> None:
    embedder = None
    if vectors:
        from tests.bench.vectors import StandIn
        embedder = StandIn()
    wiki = Wiki(bundle, embedder)
    seconds(wiki, questions(size, 1)[0])
    taken = [seconds(wiki, question) for question in questions(size, count)]
    hub = f"What did {title_of(0, language_of(random.Random(0)).words)} found?"
    print(json.dumps({"median": median(taken), "p95": quantiles(taken, n=20)[-1], "hub": median(seconds(wiki, hub) for _ in range(9))}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:4]), *sys.argv[4:])
