"""Whether the bundle covers a question: several signals together (seed §6.1, §7.5, §10.4)."""

import pytest

from retrieval.confidence import ALONE, WEIGHTS, Signals, weigh
from tests.casefile import cases
from tests.retrieval.bundles import case_wiki, wiki_of

NOTHING = Signals(passage=0.0, named=0.0, titled=0.0, ahead=0.0, time=0.0, cosine=0.8, lead=0.0)


@pytest.mark.parametrize("case", cases("retrieval/ranking_confidence.txt"), ids=str)
def test_by_words_alone(case):
    bundle, question = case.given.split(": ", 1)
    context = case_wiki(bundle).context_for(question)
    assert ("yes" if context.confident else "no") == case.expected, context.reason


def test_a_refusal_holds_no_fact_and_no_prose_and_says_so():
    context = case_wiki("companies").context_for("How do I bake an apple pie?")
    assert not context.facts and not context.background
    assert context.text.startswith("No confident match in this bundle.")


@pytest.mark.parametrize("embedder", WEIGHTS)
@pytest.mark.parametrize("signal", ["passage", "named", "titled", "ahead", "time", "cosine", "lead", "near"])
def test_no_signal_speaks_against_the_bundle(embedder, signal):
    more = NOTHING._replace(**{signal: getattr(NOTHING, signal) + 0.1})
    assert weigh(more, WEIGHTS[embedder]) >= weigh(NOTHING, WEIGHTS[embedder])


@pytest.mark.parametrize("embedder", WEIGHTS)
@pytest.mark.parametrize("signal", ["passage", "named", "titled", "ahead", "time"])
def test_no_signal_is_enough(embedder, signal):
    assert weigh(NOTHING._replace(**{signal: 1.0}), WEIGHTS[embedder]) < 0.5


def test_a_near_vector_alone_is_not_enough():
    assert weigh(NOTHING._replace(cosine=0.88), WEIGHTS["local"]) < 0.5


@pytest.mark.parametrize("threshold, confident", [(0.0, True), (1.0, False)])
def test_the_threshold_is_a_setting(threshold, confident):
    page = "=== /a.md\n---\ntype: T\ntitle: Alder Notes\n---\nText.\n"
    wiki = wiki_of(page, settings=f"retrieval: {{ confidence_threshold: {threshold} }}\n")
    assert wiki.context_for("What are the Alder Notes of oak?").confident is confident


def signals_of(pages, question):
    return wiki_of(pages).context_for(question).verdict.signals


def long_page(*passages):
    """A page on the Alder Works whose passages are too long to share a piece."""
    filler = "Nothing of note is told here, and it is told at some length. " * 12
    body = "\n\n".join(f"{passage} {filler}" for passage in passages)
    return f"=== /works.md\n---\ntype: T\ntitle: Alder Works\n---\n{body}\n"


def test_words_in_one_passage_say_more_than_words_scattered_over_a_page():
    question = "Which copper kettle did the Alder Works polish?"
    together = signals_of(long_page("A copper kettle is what they polish.", "More of it.", "The end."), question)
    scattered = signals_of(long_page("The roof is of copper.", "A kettle hung there.", "They polish floors."), question)
    assert together.passage == pytest.approx(1) and scattered.passage < together.passage


@pytest.mark.parametrize("question, time", [
    ("Who led the Alder Works?", 0), ("Who led the Alder Works in 1987?", 1), ("Who led the Alder Works in 1950?", -1)])
def test_whether_the_time_asked_about_is_spoken_of(question, time):
    assert signals_of("=== /works.md\n---\ntype: T\ntitle: Alder Works\n---\nLed by Ada Vell, 1985–1990.\n", question).time == time


def test_the_date_of_a_fact_speaks_of_a_time_too():
    page = ('=== /works.md\n---\ntype: T\ntitle: Alder Works\nrelations:\n'
            '  - { predicate: led_by, object: Ada Vell, date: "1987-03" }\n---\nA factory.\n')
    assert signals_of(page, "Who led the Alder Works in 1987?").time == 1


def test_a_page_is_ahead_when_no_other_matches_nearly_as_well():
    alone = "".join(f"=== /{name}.md\n---\ntype: T\ntitle: {name}\n---\n{text}\n" for name, text in (
        ("oak", "The keeper of the old lighthouse."), ("elm", "The keeper of bees."), ("ash", "The keeper of goal.")))
    alike = alone.replace("bees", "the old lighthouse").replace("goal", "the old lighthouse")
    question = "Who was keeper of the old lighthouse?"
    assert signals_of(alone, question).ahead > 0.2 > abs(signals_of(alike, question).ahead)


@pytest.mark.parametrize("question, titled", [("Who runs the Alder Works?", 1), ("Who runs the factory?", 0)])
def test_whether_the_question_names_the_best_page(question, titled):
    assert signals_of("=== /works.md\n---\ntype: T\ntitle: Alder Works\n---\nA factory.\n", question).titled == titled


def test_a_page_that_alone_has_the_words_is_ahead_by_half():
    assert signals_of("=== /works.md\n---\ntype: T\ntitle: Alder Works\n---\nA factory.\n", "Who runs the factory?").ahead == ALONE
