"""Reads evaluate.json, the labelled questions of a bundle, and tells every fault in it at once.

Each row is one question: `question` and `in_bundle`; for a question the bundle covers `expected` (concept paths),
and optionally `first_seed`, `expected_facts` ({subject title, predicate, object, date?}) and `gold_paragraphs` (text
of a body); for one it does not cover optionally a `tier`, to count such questions by kind. Other keys are the
author's own notes.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import Any

import apsw

from pipeline.beside import UnreadableFile, read_beside
from pipeline.model import Finding
from pipeline.paths import OutsideBundle, normalize

KEYS = ("id", "question", "in_bundle", "expected", "first_seed", "expected_facts", "gold_paragraphs", "tier")
FACT_KEYS = ("subject", "predicate", "object", "date")
UNNAMED_TIER = "out"


@dataclass(frozen=True, slots=True)
class ExpectedFact:
    """A fact the context must state."""

    subject: str
    """Title of the subject's concept."""
    predicate: str
    object: str
    """Concept path or literal."""
    date: str | None
    """ISO 8601; None when any date will do."""

    def __str__(self) -> str:
        return f"{self.subject} {self.predicate} {self.object}" + (f", as of {self.date}" if self.date else "")


@dataclass(frozen=True, slots=True)
class Question:
    """A question with what is known of its answer."""

    id: str
    """The row's id, else the question itself."""
    text: str
    in_bundle: bool
    expected: tuple[str, ...] = ()
    """Concept paths the answer needs."""
    first_seed: str | None = None
    """Concept path that must seed first; None when any of `expected` may."""
    facts: tuple[ExpectedFact, ...] = ()
    paragraphs: tuple[str, ...] = ()
    """Passages of which one must stand in the context."""
    tier: str = ""
    """Kind of out-of-bundle question; empty for the others."""


@dataclass(frozen=True, slots=True)
class Questions:
    """What a question file holds."""

    rows: tuple[Question, ...]
    """The usable ones, in their order."""
    findings: tuple[Finding, ...]
    """What is wrong with the file."""


def read_questions(path: Path, db: apsw.Connection) -> Questions:
    """The labelled questions of a file, checked against the concepts in `db`; a row that cannot be used is left out."""
    reader = _Reader(path.name, db)
    try:
        text = read_beside(path) or ""
    except UnreadableFile as fault:
        reader.tell("", str(fault))
        text = "[]"
    questions: dict[str, Question] = {}
    for row in reader.rows(text):
        question = reader.question(row)
        if question and question.id in questions:
            reader.tell("id", f"another row has the id {question.id!r}; this one is left out")
        elif question:
            questions[question.id] = question
    return Questions(tuple(questions.values()), tuple(sorted(reader.findings)))


class _Reader:
    """Typed getters over the rows; each tells what is wrong and returns what can be used."""

    def __init__(self, file: str, db: apsw.Connection) -> None:
        self.file = file
        self.paths = {path for path, in db.execute("select _path from concepts")}
        self.titles = {squash(title): title for title, in db.execute("select title from concepts order by _path")}
        self.predicates = {predicate for predicate, in db.execute("select distinct predicate from edges")}
        self.findings: list[Finding] = []
        self.place = ""
        self.line = 0

    def tell(self, field: str, message: str, level: str = "error") -> None:
        at = f"{self.place}.{field}" if self.place and field else self.place or field
        self.findings.append(Finding(self.file, self.line, "evaluate", level, at, message))

    def rows(self, text: str) -> Iterator[Any]:
        """Each row of a JSON list, or of the list under `questions` of a mapping; sets where it stands."""
        try:
            whole = json.loads(text)
        except (ValueError, RecursionError) as fault:
            self.tell("", f"is no JSON: {fault}")
            return
        rows = whole.get("questions") if isinstance(whole, dict) else whole
        if not isinstance(rows, list):
            self.tell("", "a list of questions is needed")
            return
        lines = _lines(text) if rows is whole else repeat(0)
        for number, (row, line) in enumerate(zip(rows, lines)):
            self.place, self.line = f"[{number}]", line
            yield row
        self.place, self.line = "", 0

    def question(self, row: Any) -> Question | None:
        if not isinstance(row, dict):
            self.tell("", "a mapping with a question is needed")
            return None
        if not _is_text(row):
            self.tell("", "holds half of a surrogate pair, which is no text")
            return None
        self._known(row, KEYS, "")
        text, inside = row.get("question"), row.get("in_bundle")
        if not isinstance(text, str) or not text.strip():
            self.tell("question", "missing")
        if not isinstance(inside, bool):
            self.tell("in_bundle", "true or false is needed")
        if not isinstance(text, str) or not text.strip() or not isinstance(inside, bool):
            return None
        question = Question(
            str(row.get("id") or text), text, inside, self._paths(row), self._path(row.get("first_seed"), "first_seed"),
            self._facts(row), self._texts(row, "gold_paragraphs"), "" if inside else str(row.get("tier") or UNNAMED_TIER))
        labelled = question.expected or question.first_seed or question.facts or question.paragraphs
        if inside and not labelled:
            self.tell("expected", "nothing is expected, so only its acceptance is counted", "warning")
        if not inside and labelled:
            self.tell("expected", "is not looked at: the question is marked as out of the bundle", "warning")
        return question

    def _known(self, row: dict[str, Any], keys: tuple[str, ...], place: str) -> None:
        for key in row:
            close = difflib.get_close_matches(key, keys, 1, 0.8) if key not in keys else []
            if close:
                self.tell(f"{place}{key}", f"unknown; did you mean {close[0]!r}?")

    def _paths(self, row: dict[str, Any]) -> tuple[str, ...]:
        found = (self._path(path, f"expected[{number}]") for number, path in enumerate(self._list(row, "expected")))
        return tuple(path for path in found if path)

    def _path(self, value: Any, field: str) -> str | None:
        """A concept path in its one form; one that no concept lies at is told, and stays expected."""
        if value is None:
            return None
        try:
            path = normalize(value if value.endswith(".md") else value + ".md")
        except (AttributeError, OutsideBundle):
            self.tell(field, f"a concept path is needed, not {value!r}")
            return None
        if path not in self.paths:
            self.tell(field, f"no such concept: {path}")
        return path

    def _facts(self, row: dict[str, Any]) -> tuple[ExpectedFact, ...]:
        facts = []
        for number, fact in enumerate(self._list(row, "expected_facts")):
            field = f"expected_facts[{number}]"
            if isinstance(fact, dict) and all(isinstance(fact.get(key), str) for key in FACT_KEYS[:3]):
                self._known(fact, FACT_KEYS, field + ".")
                if self._can_be_stated(fact, field):
                    facts.append(ExpectedFact(*(fact[key] for key in FACT_KEYS[:3]), str(fact.get("date") or "") or None))
            else:
                self.tell(field, "subject, predicate and object are needed")
        return tuple(facts)

    def _can_be_stated(self, fact: dict[str, str], field: str) -> bool:
        """Whether the bundle has the subject and the predicate of a fact; else no context could ever state it."""
        subject, predicate = squash(fact["subject"]), fact["predicate"]
        if subject not in self.titles:
            close = [self.titles[title] for title in difflib.get_close_matches(subject, self.titles, 1)]
            self.tell(f"{field}.subject", f"no concept has the title {fact['subject']!r}{_hint(close)}")
        if predicate not in self.predicates:
            self.tell(f"{field}.predicate", f"no relation has the predicate {predicate!r}{_hint(difflib.get_close_matches(predicate, self.predicates, 1))}")
        return subject in self.titles and predicate in self.predicates

    def _texts(self, row: dict[str, Any], field: str) -> tuple[str, ...]:
        texts = self._list(row, field)
        for number, text in enumerate(texts):
            if not isinstance(text, str):
                self.tell(f"{field}[{number}]", f"text is needed, not {text!r}")
        return tuple(text for text in texts if isinstance(text, str))

    def _list(self, row: dict[str, Any], field: str) -> list[Any]:
        value = row.get(field)
        if value is None or isinstance(value, list):
            return value or []
        self.tell(field, f"a list is needed, not {value!r}")
        return []


def squash(text: str) -> str:
    """Text as compared: white space and case do not matter."""
    return " ".join(text.split()).casefold()


def _hint(close: list[str]) -> str:
    return f"; did you mean {close[0]!r}?" if close else ""


def _is_text(row: dict[str, Any]) -> bool:
    """Whether all of it can be written down: JSON can escape what no encoding has."""
    try:
        json.dumps(row, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _lines(text: str) -> Iterator[int]:
    """The line each item of a JSON list begins on."""
    decode, at, line = json.JSONDecoder().raw_decode, text.index("[") + 1, 1
    counted = 0
    while True:
        while text[at] in " \t\r\n,":
            at += 1
        line += text.count("\n", counted, at)
        counted = at
        yield line
        at = decode(text, at)[1]
