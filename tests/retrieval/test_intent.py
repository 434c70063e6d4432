"""WHY, WHEN, ENTITY, HISTORICAL or GENERAL, by the words that give it away (seed §6.2, §7.7)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.intent import CUES, GENERAL, detect_intent
from retrieval.names import fold
from tests.casefile import cases


@pytest.mark.parametrize("case", cases("retrieval/ranking_intent.txt"), ids=str)
def test_intent(case):
    assert detect_intent(case.given) == case.expected


@given(st.text())
def test_any_text_has_one_intent(text):
    assert detect_intent(text) in {*CUES, GENERAL}


def test_cues_stand_as_questions_are_folded():
    assert all(cue == fold(cue) for cues in CUES.values() for cue in cues.split("|"))
