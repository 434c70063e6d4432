"""The estimate of tokens: never more than a tenth too low, additive over lines, bounded in time and memory."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.tokens import at_least, count

CASES = Path(__file__).parents[1] / "cases/retrieval/context_tokens.txt"


def cases():
    """Title, measured counts, text."""
    for block in CASES.read_text(encoding="utf-8").split("\n=== ")[1:]:
        head, text = block.split("\n", 1)
        title, *counts = head.split(" | ")
        yield pytest.param([int(each.split()[-1]) for each in counts], text.rstrip("\n"), id=title)


@pytest.mark.parametrize("measured, text", list(cases()))
def test_never_a_tenth_below_a_real_tokenizer_nor_a_third_above(measured, text):
    assert 0.9 * max(measured) <= count(text) <= 1.34 * max(measured)


def test_lines_can_be_counted_one_by_one():
    text = "First line of some words\n\n- 1993–2001 : Bill Clinton\n    return {'a': 1}\n东京的人口"
    lines = text.split("\n")
    assert count(text) == sum(map(count, lines)) + len(lines) - 1


@given(st.text(st.sampled_from("aAbÉß_-.,'12三あ\u0e01 \t\n\u00a0\u2028"), max_size=60))
def test_it_never_costs_less_than_the_least(text):
    assert at_least(text) <= count(text)


def test_nothing_costs_nothing():
    assert count("") == 0


@pytest.mark.parametrize("text", ["x" * 1_000_000, "-" * 1_000_000, " " * 1_000_000, "界" * 1_000_000, "9" * 1_000_000])
def test_giant_runs_are_counted_by_their_length(text):
    assert count(text) >= len(text) / 100


def test_more_text_never_costs_less():
    text = "The office was held by Eadwig, then by Æthelred until 1016; see [[Danegeld]] and 'C++'."
    counts = [count(text[:stop]) for stop in range(len(text) + 1)]
    assert all(later >= earlier - 1 for earlier, later in zip(counts, counts[1:]))


def test_characters_no_encoding_can_hold_are_counted_too():
    assert count("\ud800\x00\x1b") >= 1

