"""The benchmark measures what it says; how fast anything is, no test says."""

from __future__ import annotations

import re

import pytest

from tests.bench.bundle import FOLDER, HUBS, RELATIONS, write_bundle
from tests.bench.measure import cost_of
from tests.bench.table import print_table, sizes_in

SIZE = 60


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    """All concept files of a small bundle, one after the other."""
    return "".join(file.read_text(encoding="utf-8") for file in write_bundle(tmp_path_factory.mktemp("bundle"), SIZE))


def test_the_same_seed_writes_the_same_bundle(text, tmp_path):
    again, other = ("".join(file.read_text(encoding="utf-8") for file in write_bundle(tmp_path / str(seed), SIZE, seed)) for seed in (0, 1))
    assert again == text != other


def test_a_bundle_is_as_its_figures_say(text):
    assert text.count("---\ntype: ") == SIZE
    assert text.count("predicate:") == 2 * RELATIONS * SIZE
    assert text.count("resource:") == 2 * SIZE
    assert len(re.findall("^status: superseded", text, re.MULTILINE)) == SIZE // 10 - 1
    assert text.count("object: /shelf-000/concept-000000.md") >= min(HUBS[0], SIZE // 10)
    assert SIZE < FOLDER


def test_every_row_is_measured(capsys):
    print_table([SIZE], quick=True)
    lines = [line.split(" | ") for line in capsys.readouterr().out.splitlines()[2:]]
    told = [cells[1] for cells in lines]
    assert len(told) == len(set(told)) == 17
    for what in ("full build", "full build, parse cache warm", "nothing changed", "one file changed: prose", "one file changed: a date",
                 "1 % changed", "all files touched", "doit list", "question, cold process", "question, warm, median",
                 "question, warm, 95th percentile", "question, warm, of a hub", "question with vectors, warm, median"):
        assert what in told
    assert all(float(cells[2]) > 0 for cells in lines)


def test_quick_means_small_bundles_unless_sizes_are_named():
    assert sizes_in("", quick=True) == [100, 1_000] and sizes_in("", quick=False)[-1] == 50_000
    assert sizes_in("60,70", quick=True) == [60, 70]


def test_a_command_that_fails_is_told_with_what_it_said():
    with pytest.raises(RuntimeError, match="no such row"):
        cost_of("-c", "raise SystemExit('no such row')")
