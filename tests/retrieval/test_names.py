"""Names are compared without regard to case, diacritics and punctuation; the symbols of C++ and its like stay."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from retrieval.names import fold, join, words
from retrieval.normal import normal
from tests.casefile import cases


@pytest.mark.parametrize("case", cases("retrieval/ranking_names.txt"), ids=str)
def test_fold(case):
    assert fold(case.given) == case.expected


@given(st.text(st.sampled_from("0aBT'’ʼ&.+#ひ㐀。 -_é\u0301´ⅣŸ")) | st.text())
@example("0&㐀")
@example("´&0")
@example(".ʼB")
@example("ひ\u0301&0")
@example("ひ#")
def test_a_folded_name_folds_to_itself(text):
    assert fold(fold(text)) == fold(text)


@given(st.text())
def test_folding_is_joining_the_words(text):
    assert fold(text) == join(words(text))


@given(st.text(), st.integers(0, 5))
def test_a_limit_cuts_the_words_and_changes_none(text, limit):
    assert words(text, limit) == words(text)[:limit]


def test_a_dot_before_a_letter_and_a_character_without_spaces_is_no_part_of_a_name():
    assert fold(".A\U00020000") == "a \U00020000" and fold(".NET") == ".net"


@pytest.mark.parametrize("text", ["0´", "´", "a \u0301 b", "\u0301\u0301"])
def test_an_accent_alone_is_no_word(text):
    assert all(word.text for word in words(text)) and fold(text) == " ".join(fold(text).split())


@given(st.lists(st.sampled_from("a\u0301\u0323\u0328 é가각ᄀ"), max_size=40).map("".join))
def test_normal_forms_are_those_of_unicode(text):
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        assert normal(form, text) == unicodedata.normalize(form, text)
        long = f"{text} " * 60
        assert normal(form, long) == unicodedata.normalize(form, long)


def test_a_million_marks_are_folded():
    """Python's own normal forms take time that grows with the square of their number."""
    assert fold("a" + "\u0301\u0323" * 500_000) == "a"


def test_a_possessive_may_be_left_off_at_the_end():
    assert [(word.text, word.end) for word in words("Lothair II's mother")] == [
        ("lothair", ""), ("iis", "ii"), ("mother", "")]


def test_an_elided_article_may_be_left_off_at_the_beginning():
    assert [(word.text, word.start) for word in words("l'Étranger")] == [("letranger", "etranger")]


@given(st.text(st.characters(max_codepoint=127)))
def test_an_ascii_name_is_folded_by_the_words_it_has(text):
    assert fold(text) == join(words(text))
