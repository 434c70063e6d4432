"""Names are compared without regard to case, diacritics and punctuation; the symbols of C++ and its like stay."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.names import fold, join, words
from tests.casefile import cases


@pytest.mark.parametrize("case", cases("retrieval/ranking_names.txt"), ids=str)
def test_fold(case):
    assert fold(case.given) == case.expected


@given(st.text())
def test_a_folded_name_folds_to_itself(text):
    assert fold(fold(text)) == fold(text)


@given(st.text())
def test_folding_is_joining_the_words(text):
    assert fold(text) == join(words(text))


@given(st.text(), st.integers(0, 5))
def test_a_limit_cuts_the_words_and_changes_none(text, limit):
    assert words(text, limit) == words(text)[:limit]


def test_a_possessive_may_be_left_off_at_the_end():
    assert [(word.text, word.end) for word in words("Lothair II's mother")] == [
        ("lothair", ""), ("iis", "ii"), ("mother", "")]


def test_an_elided_article_may_be_left_off_at_the_beginning():
    assert [(word.text, word.start) for word in words("l'Étranger")] == [("letranger", "etranger")]
