"""Relevance: what a passage gains by the years it speaks of. Words and meaning are tested through background."""

import pytest

from retrieval.dates import Period
from retrieval.relevance import speaks_of


@pytest.mark.parametrize("text, meets", [
    ("He served from 1916 to 1920.", 1.0),
    ("He served 1910–1918.", 0.7),
    ("He served 1910-18.", 0.7),
    ("He has served since 1910–present.", 0.7),
    ("He served in 1918.", 0.7),
    ("He served 1921–1930.", 0.0),
    ("The hill is 1917.5 m high, or 11917 spans.", 0.0),
    ("Filed on 1903-17-04, and in 2019-05.", 0.0),
    ("", 0.0),
])
def test_how_well_years_meet_the_period(text, meets):
    assert speaks_of(text, Period("1916-01-01", "1920-12-31")) == meets


def test_no_period_no_gain():
    assert speaks_of("1916", None) == 0.0
