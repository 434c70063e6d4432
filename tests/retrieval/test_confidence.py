"""Whether the bundle covers a question: several signals together (seed §6.1, §7.5, §10.4)."""

from dataclasses import replace

import pytest

from retrieval.confidence import WEIGHTS, Signals, weigh
from tests.casefile import cases
from tests.retrieval.bundles import case_wiki, wiki_of

NOTHING = Signals(coverage=0.0, page=0.0, named=0.0, agreement=0.0, substance=0.0, cosine=0.8, lead=0.0)


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
@pytest.mark.parametrize("signal", ["coverage", "page", "named", "agreement", "substance", "cosine", "lead"])
def test_no_signal_speaks_against_the_bundle(embedder, signal):
    more = replace(NOTHING, **{signal: getattr(NOTHING, signal) + 0.1})
    assert weigh(more, WEIGHTS[embedder]) >= weigh(NOTHING, WEIGHTS[embedder])


@pytest.mark.parametrize("embedder", WEIGHTS)
@pytest.mark.parametrize("signal", ["coverage", "page", "named", "agreement", "substance"])
def test_no_signal_is_enough(embedder, signal):
    assert weigh(replace(NOTHING, **{signal: 1.0}), WEIGHTS[embedder]) < 0.5


def test_a_near_vector_alone_is_not_enough():
    assert weigh(replace(NOTHING, cosine=0.88), WEIGHTS["local"]) < 0.5


@pytest.mark.parametrize("threshold, confident", [(0.0, True), (1.0, False)])
def test_the_threshold_is_a_setting(threshold, confident):
    page = "=== /a.md\n---\ntype: T\ntitle: Alder Notes\n---\nText.\n"
    wiki = wiki_of(page, settings=f"retrieval: {{ confidence_threshold: {threshold} }}\n")
    assert wiki.context_for("What are the Alder Notes of oak?").confident is confident
