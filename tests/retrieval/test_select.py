"""Selection: best first, never over the room, trust and freshness before mere presence."""

from hypothesis import given
from hypothesis import strategies as st

from retrieval.select import select, told
from retrieval.serialize import serialize
from retrieval.tokens import count
from tests.retrieval.made import fact


def objects(facts, room=1_000):
    return [one.object_literal for one in select(told(facts), room, {}).facts]


def test_best_first():
    assert objects([fact(object_literal="low", score=.1), fact(object_literal="high", score=.9)]) == ["high", "low"]


def test_ties_keep_the_order_of_expansion():
    assert objects([fact(object_literal=each) for each in "cab"]) == ["c", "a", "b"]


def test_human_reviewed_comes_before_unverified_at_equal_weight():
    tiers = ("unverified", "machine-confirmed", "human-reviewed")
    assert objects([fact(object_literal=tier, trust=tier) for tier in tiers]) == list(reversed(tiers))


def test_fresh_comes_before_stale_at_equal_weight():
    assert objects([fact(object_literal="old", stale=True), fact(object_literal="new")]) == ["new", "old"]


def test_a_stale_fact_is_left_out_when_a_fresh_one_says_the_same():
    facts = [fact(stale=True, score=.9, date="2019"), fact(score=.4, date="2020", subject_path="/other.md")]
    assert [one.stale for one in select(told(facts), 1_000, {}).facts] == [False]


def test_a_superseded_fact_is_no_fresh_one():
    facts = [fact(stale=True), fact(superseded_by="/b.md")]
    assert len(select(told(facts), 1_000, {}).facts) == 2


def test_the_line_is_filled_in():
    assert select(told([fact()]), 1_000, {}).facts[0].text == "A is B (trust: unverified)"


def test_a_source_is_listed_once_where_first_cited():
    facts = [fact(source="s", score=.9), fact(source="t", score=.5), fact(source="s", score=.1)]
    cited = {("/a.md", "s"): "- s: First", ("/a.md", "t"): "- t: Second"}
    assert select(told(facts), 1_000, cited).sources == ("- s: First", "- t: Second")


def test_no_room_no_facts():
    assert select(told([fact()]), 5, {}).tokens == 0


@given(st.lists(st.tuples(st.floats(0, 1), st.text(max_size=80), st.booleans()), max_size=20), st.integers(0, 300))
def test_never_over_the_room(parts, room):
    facts = [fact(score=score, object_literal=text, source="s" if cites else None) for score, text, cites in parts]
    chosen = select(told(facts), room, {("/a.md", "s"): "- s: A source, with its address"})
    block = serialize(chosen.facts, (), chosen.sources)
    assert count(block) <= chosen.tokens <= max(room, 0)


def test_where_the_best_fact_has_no_room_no_lesser_one_takes_its_place():
    facts = [fact(object_literal="answer " * 40, score=.9), fact(object_literal="x", score=.1)]
    assert objects(facts, room=40) == [] and len(objects(facts, room=400)) == 2
