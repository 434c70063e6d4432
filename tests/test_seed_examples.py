"""The specification's own examples, asked of the sample bundle with the model that ships (§6, §7.7, §10.3, §10.4)."""

from __future__ import annotations

import re

import pytest

from retrieval import Wiki

TODAY = "2026-12-01"


@pytest.fixture(scope="module")
def ask(sample):
    wiki = Wiki(sample / "bundle")
    return lambda question, **options: wiki.context_for(question, today=TODAY, **options)


def test_the_page_about_a_person_leads_not_one_that_mentions_him(ask):
    """§10.3: BM25 and vectors alone rank pages that mention Marc Andreessen."""
    context = ask("Who is Marc Andreessen?")
    assert context.confident and context.seeds[0].path == "/entities/marc-andreessen.md"
    assert context.seeds[0].signals["title"] == 0


@pytest.mark.parametrize("question", [
    "How do I fix a flat bicycle tire?", "How do I bake an apple pie?", "Where did you go?", "Was AI explained?", "How long ago did we go?"])
def test_a_coincidence_of_words_is_refused(ask, question):
    """§10.4: no facts, no prose, and a text that says so."""
    context = ask(question)
    assert not context.confident and context.facts == () and context.background == ()
    assert context.text.startswith("No confident match in this bundle.")


def test_a_fact_line_reads_as_the_specification_writes_it(ask):
    """§6.5."""
    line = next(fact.text for fact in ask("Has Andreessen Horowitz invested in OpenAI?").facts if fact.predicate == "invested_in")
    assert re.fullmatch(r"Andreessen Horowitz invested_in OpenAI, as of 20\d\d(-\d\d)*"
                        r" \(trust: (human-reviewed|machine-confirmed|unverified), source: [\w-]+\)", line.removeprefix("- "))


@pytest.mark.parametrize("question, predecessor", [
    ("Who was Secretary of State before Antony Blinken?", "/entities/mike-pompeo.md"),
    ("Who was President before Bill Clinton?", "/entities/george-hw-bush.md")])
def test_a_retrospective_question_finds_who_came_before(ask, question, predecessor):
    """§7.7: intent HISTORICAL."""
    context = ask(question)
    assert context.intent == "HISTORICAL"
    assert predecessor in [fact.object_path for fact in context.facts if fact.predicate == "succeeded"][:2]


def test_a_superseded_concept_gives_its_place_to_the_end_of_its_chain(ask):
    """§7.7: no seed is superseded unless the question looks back."""
    seeds = [seed.path for seed in ask("What is the George H. W. Bush presidency?").seeds]
    assert "/entities/george-hw-bush-presidency.md" not in seeds and "/entities/donald-trump-second-presidency.md" in seeds
    looking_back = ask("What was the George H. W. Bush presidency before Bill Clinton?")
    assert "/entities/george-hw-bush-presidency.md" in [seed.path for seed in looking_back.seeds]


def test_facts_of_a_superseded_concept_never_look_current(ask):
    """§7.7: each carries its successor and the date."""
    for question in ("What was the George H. W. Bush presidency before Bill Clinton?", "Who is Bill Clinton?", "Which presidencies has the United States had?"):
        for fact in ask(question, budget=4000).facts:
            past = fact.subject_path.endswith("-presidency.md") and fact.subject_path != "/entities/donald-trump-second-presidency.md"
            assert not past or fact.superseded_by and f"superseded by {fact.superseded_by} as of {fact.superseded_at}" in fact.text


def test_a_stale_fact_says_so(ask):
    facts = [fact for fact in ask("Who released GPT-4o, and when?", budget=4000).facts if fact.subject_path == "/entities/gpt-4o.md"]
    assert facts and all(fact.stale and "stale" in fact.text for fact in facts)


def test_the_fact_in_force_then_comes_first(ask):
    """A year in the question selects among dated facts: the latest not after it."""
    facts = [fact for fact in ask("Who was secretary of state in 1975?", require_confidence=False).facts if fact.predicate.startswith("secretary") and fact.date]
    assert "henry-kissinger" in (facts[0].subject_path + str(facts[0].object_path))
