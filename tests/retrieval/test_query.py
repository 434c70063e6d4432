"""A question as understood: its words and their rarity, the names in it, the time it asks about."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.dates import Period
from retrieval.query import FREQUENT_WEIGHT, SMALL, WORD_LIMIT, understand
from tests.retrieval.bundles import case_wiki, wiki_of


def query_of(question, wiki=None):
    snapshot = (wiki or case_wiki("companies"))._snapshot
    return understand(question, snapshot.con, snapshot.tokenizer, "2026-01-01")


def test_grammar_is_no_term():
    assert [term.shown for term in query_of("Who is the boss of OpenAI?").terms] == ["boss", "openai"]


def test_a_word_no_concept_has_is_unknown():
    assert [(term.shown, term.known) for term in query_of("ethanol, OpenAI").terms] == [("ethanol", False), ("openai", True)]


def test_a_rare_word_weighs_more_than_a_frequent_one():
    city, newspaper = query_of("city newspaper").terms
    assert newspaper.weight > city.weight


def test_terms_are_reduced_as_the_index_reduces_them():
    assert query_of("investing").terms[0].text == query_of("invested").terms[0].text


@pytest.mark.parametrize("question, spelled", [
    ("Is Go compiled?", True),
    ("Where did you go?", False),
    ("How do I bake an apple pie?", False),
    ("Does Apple bake?", True),
    ("who is marc andreessen", True),
    ("what is c++ for", True),
])
def test_a_name_may_be_written_as_one_or_be_a_common_word(question, spelled):
    assert [name.spelled for name in query_of(question).names] == [spelled]


def test_names_do_not_overlap_and_the_longest_wins():
    names = query_of("Is the New York Times of New York?").names
    assert [name.name for name in names] == ["new york times", "new york"]


def test_all_concepts_of_one_name_are_found():
    page = "=== /{}.md\n---\ntype: T\ntitle: Mercury\n---\nText.\n"
    names = query_of("What is Mercury?", wiki_of(page.format("planet") + page.format("metal"))).names
    assert names[0].paths == ("/metal.md", "/planet.md")


def test_a_date_inside_a_name_is_no_time_asked_about():
    page = "=== /a.md\n---\ntype: T\ntitle: Summit of 1990\n---\nText.\n"
    wiki = wiki_of(page)
    assert query_of("Who led the Summit of 1990?", wiki).period is None
    assert query_of("Who led it in 1991?", wiki).period == Period("1991-01-01", "1991-12-31")


def test_words_are_quoted_one_by_one():
    assert query_of('OpenAI AND ("Apple" OR *)').match == '"openai" OR "apple"'


@pytest.fixture(scope="module")
def crowd():
    pages = "".join(f"=== /{n:02}.md\n---\ntype: T\ntitle: Page {n:02}\n---\nshared {'often' if n % 4 == 0 else 'else'} "
                    f"{'pairone pairtwo' if n < 2 else ''}\n" for n in range(2 * SMALL))
    return wiki_of(pages)


def test_a_word_of_half_the_concepts_finds_none(crowd):
    (term,) = query_of("shared", crowd).terms
    assert term.common and query_of("shared", crowd).match == ""


def test_a_frequent_word_is_searched_only_when_rarer_ones_are_few(crowd):
    assert query_of("frequently pairone often shared", crowd).match == '"pairone"'
    assert query_of("pairone pairtwo", crowd).match == '"pairone" OR "pairtwo"'
    assert all(term.weight > FREQUENT_WEIGHT for term in query_of("pairone pairtwo", crowd).terms)


@given(st.text())
def test_no_text_raises(text):
    query_of(text)


@pytest.mark.parametrize("text", ["\x00", "\ud800", "a\x00b", '"', "'" * 50, "*" * 50, "(" * 50, "NEAR(", "title:x", "-", "^a"])
def test_hostile_text_is_only_text(text):
    case_wiki("companies").context_for(text)


def test_a_very_long_question_is_read_to_its_limit():
    assert len(query_of("word " * 100_000).words) == WORD_LIMIT
