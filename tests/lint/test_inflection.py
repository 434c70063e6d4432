"""When two spellings of a predicate meet, and when they must not."""

import pytest

from pipeline.lint.inflection import letters, misspellings, stems


def meet(keys, one, other):
    return bool(set(keys(one)) & set(keys(other)))


@pytest.mark.parametrize("one, other", [
    ("invested_in", "invested-in"), ("invested_in", "investedIn"), ("invested_in", "Invested In"), ("invested_in", "investedin")])
def test_separators_and_case(one, other):
    assert meet(letters, one, other)


@pytest.mark.parametrize("one, other", [
    ("invested_in", "invests_in"), ("invested_in", "investing_in"), ("married_to", "marries_to"), ("founded_by", "was_founded_by"),
    ("run_by", "running_by"), ("causes", "caused"), ("parent", "parents"), ("company", "companies")])
def test_inflection(one, other):
    assert meet(stems, one, other)


@pytest.mark.parametrize("one, other", [
    ("founded", "founded_by"), ("born_in", "born_on"), ("has_part", "part_of"), ("founder", "founded"), ("successor", "succeeded"),
    ("secretary", "secretary_of"), ("is", "was"), ("process", "proces_of"), ("use", "us")])
def test_other_words_are_not_inflections(one, other):
    assert not meet(stems, one, other)


@pytest.mark.parametrize("one, other", [
    ("invested_in", "invsted_in"), ("invested_in", "invessted_in"), ("invested_in", "invetsed_in"), ("invested_in", "invasted_in")])
def test_one_letter(one, other):
    assert meet(misspellings, one, other)


@pytest.mark.parametrize("one, other", [
    ("born_in", "born_on"), ("employer", "employee"), ("founder", "founded"), ("works_at", "works_as"), ("head", "heard"), ("invested_in", "ivsted_in")])
def test_grammar_and_short_words_are_no_misspellings(one, other):
    assert not meet(misspellings, one, other)
