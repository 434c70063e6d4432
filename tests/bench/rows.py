"""The rows of the table: what is done to a bundle of one size, one thing after the other, and what each costs."""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.bench.bundle import HUBS
from tests.bench.measure import Cost, cost_of, median_of

EMBEDDED = 1_000
"""Concepts up to which the real model embeds them; more take too long."""


class Row(NamedTuple):
    """One line of the table."""

    size: int
    """Concepts in the bundle."""
    what: str
    cost: Cost
    floor: float
    """CPU seconds of the floor it is compared with; 0 when there is none."""
    file: float
    """Megabytes of the database there is then; 0 when the row makes none."""


class Trial(NamedTuple):
    """A bundle under trial."""

    bundle: Path
    files: list[Path]
    runs: int
    """How often a short thing is done, of which the median is told."""
    builds: int
    """How often all is built from nothing, the floor beside it each time."""

    def doit(self, *words: str) -> Cost:
        return cost_of("-m", "doit", f"bundle={self.bundle}", *words)

    def megabytes(self) -> float:
        return (self.bundle / "wiki.db").stat().st_size / 1e6


def rows(size: int, quick: bool) -> Iterator[Row]:
    """All rows of one size; `quick` does each thing once and leaves the model out."""
    with tempfile.TemporaryDirectory() as folder:
        bundle = Path(folder, "bundle")
        cost_of("-m", "tests.bench.bundle", str(bundle), str(size))
        trial = Trial(bundle, sorted(bundle.rglob("concept-*.md")), *((1, 1) if quick else (5, 3)))
        yield from builds(size, trial, Path(folder, "floor.db"))
        yield from questions(size, trial, Path(folder, "floor.db"))
        if size <= EMBEDDED and not quick:
            forget(trial.bundle)
            yield Row(size, "full build, local model", trial.doit("embedding=local"), 0, trial.megabytes())


def builds(size: int, trial: Trial, database: Path) -> Iterator[Row]:
    floor, full, cached = map(median_of, zip(*(from_nothing(trial, database) for _ in range(trial.builds))))
    yield Row(size, "floor: read, hash, YAML, insert, FTS", floor, floor.cpu, database.stat().st_size / 1e6)
    yield Row(size, "full build", full, floor.cpu, trial.megabytes())
    yield Row(size, "full build, parse cache warm", cached, floor.cpu, trial.megabytes())
    yield Row(size, "nothing changed", median_of([trial.doit() for _ in range(trial.runs)]), 0, 0)
    yield Row(size, "doit list", median_of([trial.doit("list") for _ in range(trial.runs)]), 0, 0)
    yield Row(size, "one file changed: prose", median_of([after(trial, add_prose, 1) for _ in range(trial.runs)]), floor.cpu, 0)
    yield Row(size, "one file changed: a date", median_of([after(trial, change_date, 1) for _ in range(trial.runs)]), floor.cpu, 0)
    yield Row(size, "1 % changed", after(trial, add_prose, max(1, size // 100)), floor.cpu, 0)
    yield Row(size, "all files touched", after(trial, os.utime, size), floor.cpu, 0)


def from_nothing(trial: Trial, database: Path) -> tuple[Cost, Cost, Cost]:
    """The floor, a full build and one with the pages of the first, one right after the other: a machine has slow minutes."""
    database.unlink(missing_ok=True)
    floor = cost_of("tests/bench/floor.py", "build", str(trial.bundle), str(database))
    forget(trial.bundle)
    full = trial.doit()
    keep_pages(trial.bundle)
    return floor, full, trial.doit()


def questions(size: int, trial: Trial, database: Path) -> Iterator[Row]:
    text = trial.files[-1].read_text(encoding="utf-8")
    title = re.search("^title: (.*)", text, re.MULTILINE)[1]
    floor = median_of([cost_of("tests/bench/floor.py", "ask", str(database), title.split()[0]) for _ in range(trial.runs)])
    cold = median_of([cost_of("-m", "retrieval", "--bundle", str(trial.bundle), f"Who is {title}?") for _ in range(trial.runs)])
    yield Row(size, "floor: FTS query, bare process", floor, floor.cpu, 0)
    yield Row(size, "question, cold process", cold, floor.cpu, 0)
    yield from warm(size, trial, "question", floor.cpu)
    cost_of("-m", "tests.bench.embed", str(trial.bundle))
    yield from warm(size, trial, "question with vectors", floor.cpu, "vectors")


def warm(size: int, trial: Trial, what: str, floor: float, *words: str) -> Iterator[Row]:
    """Rows of one process that answers many questions; its memory stands in each."""
    asked = cost_of("-m", "tests.bench.ask", str(trial.bundle), str(size), str(40 * trial.runs), *words)
    for figure, name in (("median", "warm, median"), ("p95", "warm, 95th percentile"), ("hub", "warm, of a hub")):
        cpu = json.loads(asked.said)[figure]
        yield Row(size, f"{what}, {name}", Cost(cpu, 0, asked.peak, ""), floor, trial.megabytes())


def after(trial: Trial, edit, count: int) -> Cost:
    """A build after an edit of `count` files, evenly spread and none of them a hub."""
    for file in trial.files[len(HUBS)::max(1, len(trial.files) // count)][:count] if count < len(trial.files) else trial.files:
        edit(file)
    return trial.doit()


def add_prose(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    file.write_text(f"{text}\nAddendum {len(text)}.\n", encoding="utf-8")


def change_date(file: Path) -> None:
    """Put the first dated relation a year later."""
    text = file.read_text(encoding="utf-8")
    file.write_text(re.sub(r'(?<=date: ")\d{4}', lambda year: str(int(year[0]) + 1), text, count=1), encoding="utf-8")


def forget(bundle: Path) -> None:
    """Leave the build nothing that it has made."""
    shutil.rmtree(bundle / ".wiki", ignore_errors=True)
    (bundle / "wiki.db").unlink(missing_ok=True)


def keep_pages(bundle: Path) -> None:
    """Leave the build the pages that it has parsed, and nothing else."""
    for name in (".wiki/build.db", ".wiki/doit.db", "wiki.db"):
        (bundle / name).unlink()
