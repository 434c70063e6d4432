"""Context: what every caller may rely on."""

import json
from types import MappingProxyType

import pytest

from retrieval.context import Context, Passage
from retrieval.model import Fact, Seed


def make_context(check_current=lambda: True) -> Context:
    seed = Seed("/entities/openai.md", "OpenAI", 0.05, MappingProxyType({"title": 0, "bm25": 0, "vector": None}))
    fact = Fact("/entities/openai.md", "OpenAI", "founded_on", None, None, "2015-12-11", "2015-12-11", "press", "unverified",
                False, None, None, 1, 0.36, MappingProxyType({"predicate": 1.0, "hop": 0.6, "trust": 0.6}), "OpenAI founded_on 2015-12-11")
    passage = Passage("/entities/openai.md", "OpenAI", "History", "Founded in 2015.")
    return Context("Who?", "ENTITY", True, "The title stands in the question.", (seed,), ("/entities/openai.md",), (fact,),
                   (passage,), 12, 100, "7", "the block", check_current)


def test_str_is_the_text_for_the_prompt():
    assert str(make_context()) == make_context().text == "the block"


def test_to_dict_is_plain_json_and_holds_every_promised_key():
    plain = make_context().to_dict()
    assert json.loads(json.dumps(plain)) == plain
    assert set(plain) == {"question", "intent", "confident", "reason", "seeds", "concepts", "facts", "background", "tokens",
                          "budget", "generation", "index_is_current", "text"}
    assert plain["seeds"][0]["signals"] == {"title": 0, "bm25": 0, "vector": None}
    assert plain["facts"][0]["text"] == "OpenAI founded_on 2015-12-11"
    assert plain["background"] == [{"path": "/entities/openai.md", "title": "OpenAI", "heading": "History", "text": "Founded in 2015.",
                                   "superseded_by": None, "superseded_at": None}]


def test_the_files_are_looked_at_only_when_asked():
    calls = []
    context = make_context(lambda: bool(calls.append(1)) or True)
    assert str(context) and not calls
    assert context.index_is_current and calls


def test_a_context_cannot_be_changed():
    with pytest.raises(AttributeError):
        make_context().text = "other"
