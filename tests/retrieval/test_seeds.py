"""What the question names comes first; words and vectors follow; ranks are fused (seed §6.1, §7.7, §10.3)."""

import pytest

from retrieval.intent import detect_intent
from retrieval.query import understand
from retrieval.seeds import RRF_K, find_seeds
from tests.casefile import cases
from tests.retrieval.bundles import case_wiki
from tests.stub_embedder import vector


def seeds_of(bundle, question, embedded=None):
    snapshot = case_wiki(bundle, vectors=embedded is not None)._snapshot
    query = understand(question, snapshot.con, snapshot.tokenizer, "2026-01-01")
    return find_seeds(query, detect_intent(question), embedded, snapshot.vectors, snapshot.con, snapshot.settings)


@pytest.mark.parametrize("case", cases("retrieval/ranking_seeds.txt"), ids=str)
def test_the_concepts_a_question_names(case):
    bundle, question = case.given.split(": ", 1)
    named = [seed for seed in seeds_of(bundle, question) if seed.signals["title"] is not None]
    named.sort(key=lambda seed: seed.signals["title"])
    assert "\n".join(seed.path for seed in named) == case.expected.replace("none", "")


def test_a_named_concept_is_the_first_seed():
    assert seeds_of("companies", "Who is Marc Andreessen?")[0].path == "/entities/marc-andreessen.md"


def test_fusion_counts_the_title_twice():
    seed = seeds_of("companies", "Who is Marc Andreessen?", vector("Who is Marc Andreessen?"))[0]
    assert set(seed.signals) == {"title", "bm25", "vector"}
    ranks = [seed.signals[name] for name in ("title", "title", "bm25", "vector")]
    assert seed.score == pytest.approx(sum(1 / (RRF_K + rank + 1) for rank in ranks))


def test_a_signal_that_did_not_find_it_has_no_rank():
    seed = seeds_of("companies", "Who is Marc Andreessen?")[0]
    assert seed.signals["vector"] is None and seed.cosine is None


def test_a_stand_in_tells_whom_it_stands_for():
    seeds = {seed.path: seed for seed in seeds_of("presidencies", "Tell me about the George H. W. Bush presidency")}
    assert "/entities/bush-41.md" not in seeds
    assert seeds["/entities/bush-43.md"].stands_for == ("/entities/bush-41.md",)


def test_a_question_without_words_finds_nothing():
    assert seeds_of("companies", "?!") == ()
