"""Readers while a build goes on: no error, no mixture of two wikis, and the new one with the next question."""

from __future__ import annotations

import re
import threading
from contextlib import closing
from pathlib import Path

import apsw

from retrieval import Wiki
from tests.build import build

READERS = 20
ROUNDS = 4
PERSON = ("---\ntype: Person\ntitle: Person {number}\nrelations:\n  - {{ predicate: likes, object: tea {round} }}\n"
          "  - {{ predicate: knows, object: /p{next}.md }}\n---\nPerson {number} likes tea {round}, and has for years.\n")


def compile_round(bundle: Path, round: int) -> str:
    """All forty people like the tea of this round; returns the generation of the wiki that says so."""
    for number in range(40):
        (bundle / f"p{number}.md").write_text(PERSON.format(number=number, round=round, next=(number + 1) % 40))
    build(bundle)
    with closing(apsw.Connection(str(bundle / "wiki.db"), flags=apsw.SQLITE_OPEN_READONLY)) as db:
        return db.execute("select value from meta where key = 'generation'").get


class Reader(threading.Thread):
    """Asks one open wiki over and over, and keeps what went wrong and which tea each generation told of."""

    def __init__(self, bundle: Path, number: int, published: list[str]) -> None:
        super().__init__(daemon=True)
        self.wiki, self.question, self.published = Wiki(bundle), f"What does Person {number} like?", published
        self.on, self.errors, self.answers = True, [], []
        self.start()

    def run(self) -> None:
        while self.on:
            newest = len(self.published)
            try:
                context = self.wiki.context_for(self.question)
            except Exception as fault:  # whatever it is, it is what the test looks for
                self.errors.append(repr(fault))
                continue
            self.answers.append((newest, context.generation, frozenset(re.findall(r"tea (\d)", str(context)))))


def test_twenty_readers_meet_no_error_and_no_mixture(tmp_path):
    published = [compile_round(tmp_path, 0)]
    readers = [Reader(tmp_path, number, published) for number in range(READERS)]
    for round in range(1, ROUNDS):
        published.append(compile_round(tmp_path, round))
    asked = [len(reader.answers) for reader in readers]
    while any(len(reader.answers) < before + 2 for reader, before in zip(readers, asked)) and not any(reader.errors for reader in readers):
        threading.Event().wait(0.01)
    for reader in readers:
        reader.on = False
        reader.join()
    assert [reader.errors for reader in readers] == [[]] * READERS
    round_of = {generation: number for number, generation in enumerate(published)}
    for reader in readers:
        for newest, generation, teas in reader.answers:
            assert teas == {str(round_of[generation])}, "an answer tells of one wiki"
            assert round_of[generation] >= newest - 1, "a wiki published before the question is the one asked"
        assert reader.answers[-1][1] == published[-1]
    assert len({generation for reader in readers for _, generation, _ in reader.answers}) > 2
