"""A threshold is chosen from labelled questions, between confidences that occur."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.evaluate.trade_off import Point, Sample, at, best, reaching, trade_off

GOOD, BAD = True, False
SAMPLES = [Sample(0.9, GOOD), Sample(0.8, GOOD), Sample(0.6, BAD), Sample(0.5, GOOD), Sample(0.1, BAD)]

mixed = st.lists(st.builds(Sample, st.floats(0, 1), st.booleans()), min_size=2).filter(
    lambda samples: {sample.in_bundle for sample in samples} == {True, False})


def test_a_threshold_lies_midway_between_two_confidences():
    assert [point.threshold for point in trade_off(SAMPLES)] == [0.1 / 2, 0.3, 0.55, 0.7, 0.85, 0.95]


def test_a_threshold_is_as_short_as_the_gap_allows():
    samples = [Sample(0.123456, BAD), Sample(0.123457, GOOD)]
    assert best(trade_off(samples)).threshold == 0.1234565
    samples = [Sample(0.41, BAD), Sample(0.63, GOOD)]
    assert best(trade_off(samples)).threshold == 0.5


def test_the_best_balance():
    assert best(trade_off(SAMPLES)) == at(0.7, SAMPLES)
    assert at(0.7, SAMPLES) == Point(0.7, 200 / 3, 100.0)


def test_the_most_accepted_at_a_least_refused():
    points = trade_off(SAMPLES)
    assert reaching(points, 50.0).accepted == 100.0
    assert reaching(points, 99.0).threshold == 0.7
    assert reaching(points, 101.0) is None


def test_questions_that_part_cleanly_are_parted_cleanly():
    point = best(trade_off([Sample(0.7, GOOD), Sample(0.3, BAD)]))
    assert point == Point(0.5, 100.0, 100.0)


@given(mixed)
def test_stricter_thresholds_accept_less_and_refuse_more(samples):
    points = trade_off(samples)
    for before, after in zip(points, points[1:]):
        assert before.threshold <= after.threshold
        assert before.accepted >= after.accepted and before.refused <= after.refused
        assert (before.accepted, before.refused) != (after.accepted, after.refused)
