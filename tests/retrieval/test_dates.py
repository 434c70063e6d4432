"""The time a question asks about, and the days an ISO date covers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.dates import Period, asked_period, asks_for_now, span_of
from tests.casefile import cases


@pytest.mark.parametrize("case", cases("retrieval/ranking_dates.txt"), ids=str)
def test_the_time_asked_about(case):
    period = asked_period(case.given)
    assert (f"{period.first} {period.last}" if period else "none") == case.expected


@given(st.text())
def test_no_text_raises(text):
    asked_period(text)


@given(st.dates())
def test_any_date_is_read_back(day):
    if day.year >= 1000:
        assert span_of(day.isoformat()) == Period(day.isoformat(), day.isoformat())


@pytest.mark.parametrize("date, span", [
    ("1971", Period("1971-01-01", "1971-12-31")),
    ("2019-02", Period("2019-02-01", "2019-02-28")),
    ("2019-02-03T10:00:00Z", Period("2019-02-03", "2019-02-03")),
    ("2019-13", None),
    ("2019-02-31", None),
    ("circa 1900", None),
    ("", None),
])
def test_what_a_date_covers(date, span):
    assert span_of(date) == span


@pytest.mark.parametrize("date, holds", [("1989", True), ("1990-06", True), ("1991-12-31", True), ("1988-12-31", False), ("1992", False)])
def test_a_period_holds_the_dates_that_touch_it(date, holds):
    assert Period("1989-01-01", "1991-12-31").holds(date) is holds


@pytest.mark.parametrize("question, now", [
    ("Who is the current head of the lab?", True), ("Who leads it now?", True), ("Wer ist der jetzige Leiter?", True),
    ("Who measured the river current at Delta Mill?", False), ("What is a then-current model?", False), ("Electric current", False)])
def test_whether_a_question_asks_how_things_stand_today(question, now):
    assert asks_for_now(question) == now
