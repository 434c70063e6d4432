"""Prints the rows as a table in markdown, each as soon as it is measured."""

from __future__ import annotations

from collections.abc import Iterable

from tests.bench.rows import Row, rows

HEAD = ("concepts", "what", "CPU s", "× floor", "wall s", "peak MB", "file MB")

SIZES = (100, 1_000, 10_000, 50_000)


def sizes_in(given: str, quick: bool) -> list[int]:
    """The sizes to measure, from a list with commas; without one all of them, or the two that take no minutes."""
    return [int(size) for size in given.split(",")] if given else list(SIZES[:2] if quick else SIZES)


def print_table(sizes: Iterable[int], quick: bool) -> None:
    """Measure and print all rows of each size."""
    print(line(HEAD), line(["---:", "---"] + ["---:"] * 5), sep="\n", flush=True)
    for size in sizes:
        for row in rows(size, quick):
            print(line(cells(row)), flush=True)


def cells(row: Row) -> list[str]:
    times = row.cost.cpu / row.floor if row.floor else 0
    return [f"{row.size:,}", row.what, f"{row.cost.cpu:.3f}", *(f"{figure:.{digits}f}" if figure else ""
            for figure, digits in ((times, 2), (row.cost.wall, 2), (row.cost.peak, 0), (row.file, 1)))]


def line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
