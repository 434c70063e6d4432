"""Fit: the words of a question that a text holds, read as the full-text index reads them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.fit import Fit
from retrieval.query import understand
from retrieval.stems import stems_of
from tests.retrieval.bundles import wiki_of

BUNDLE = ("=== /telescope.md\n---\ntype: Thing\ntitle: Telescope\n---\nA telescope is ground in Zürich.\n"
          "=== /tower.md\n---\ntype: Place\ntitle: 东京塔\n---\n东京塔很高。\n")


@pytest.fixture(scope="module")
def snapshot():
    return wiki_of(BUNDLE)._current()


@pytest.mark.parametrize("question, text, held", [
    ("How is a telescope ground?", "Telescopes, ground by hand.", {"telescope", "ground"}),
    ("How is a telescope ground?", "A background of telescopes.", {"telescope"}),
    ("Who lives in Zurich?", "in ZÜRICH", {"zurich"}),
    ("东京塔有多高？", "我在东京。", {"东京"}),
    ("What is a widget telescope?", "A widget telescope", {"telescope"}),
    ("How is a telescope ground?", "", set()),
])
def test_the_words_that_a_text_holds(snapshot, question, text, held):
    query = understand(question, snapshot.con, snapshot.tokenizer, "2026-01-01")
    fit = Fit(query, snapshot.tokenizer)
    assert fit.held_by(text) == fit.those(term for term in query.terms if term.shown in held)
    assert held <= {term.shown for term in query.terms}


@given(st.from_regex(r"[a-z]{1,7}(s|es|ies|y|ied|ed|ing|ings|eed|ation|ational|izer|ability|ibility|iveness|fulness|ously|alism|icate|ical|ful|ness|ment|ence|ency|tional)?", fullmatch=True))
def test_a_stem_begins_every_word_that_is_reduced_to_it_but_for_its_last_letter(snapshot, word):
    """What a text is first looked through for, so that most need not be reduced."""
    (stem,) = stems_of(word, snapshot.tokenizer)
    assert word.startswith(stem[:-1])
