"""One number goes into wiki.yaml; nothing else moves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.frontmatter import read_frontmatter
from pipeline.evaluate.settings_text import with_setting
from retrieval.errors import SettingsError
from tests.casefile import cases


@pytest.mark.parametrize("case", cases("settings_text.txt"), ids=str)
def test_where_the_number_goes(case):
    assert with_setting(case.given + "\n" if case.given else "", "retrieval", "confidence", 0.5) == case.expected + "\n"


def test_line_ends_and_a_missing_last_one_are_kept():
    assert with_setting("a: 1\r\nretrieval:\r\n  budget: 5\r\n", "retrieval", "confidence", 2.0) == (
        "a: 1\r\nretrieval:\r\n  confidence: 2.0\r\n  budget: 5\r\n")
    assert with_setting("a: 1", "retrieval", "confidence", 2.0) == "a: 1\nretrieval:\n  confidence: 2.0\n"


def test_every_digit_is_written():
    assert with_setting("", "retrieval", "confidence", 0.12345678) == "retrieval:\n  confidence: 0.12345678\n"


@pytest.mark.parametrize("text", [
    "retrieval: [1]\n", "retrieval: 5\n", "a: [\n", "- a\n", "retrieval: &r {budget: 1}\nother: *r\nretrieval: 1\n", "{a: 1}\n"])
def test_what_cannot_be_edited_safely_is_refused(text):
    with pytest.raises(SettingsError, match="by hand"):
        with_setting(text, "retrieval", "confidence", 0.5)


@given(st.dictionaries(st.sampled_from(["a", "retrieval", "lint"]), st.one_of(
    st.integers(), st.none(), st.dictionaries(st.sampled_from(["confidence", "budget"]), st.integers(), max_size=2))), st.booleans())
def test_the_result_reads_as_intended_or_is_refused(data, as_flow):
    import yaml

    text = yaml.safe_dump(data, default_flow_style=None if as_flow else False) if data else ""
    try:
        after = with_setting(text, "retrieval", "confidence", 1.25)
    except SettingsError:
        return
    read = read_frontmatter(after)[0]
    assert read.pop("retrieval")["confidence"] == 1.25
    assert read == {key: value for key, value in read_frontmatter(text)[0].items() if key != "retrieval"}
