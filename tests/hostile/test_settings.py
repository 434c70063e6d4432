"""wiki.yaml and what it names: refused in one sentence, or read; nothing else, and nothing beyond the bundle."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.beside import UnreadableFile, read_beside
from pipeline.evaluate.questions import read_questions
from pipeline.lint.baseline import BaselineError, read_baseline
from pipeline.settings import load_settings
from retrieval.errors import SettingsError
from tests.build import build
from tests.compile import compile_bundle

SECTIONS = ("embedding", "retrieval", "lint", "evaluate", "multi_valued", "on_invalid")
KEYS = ("backend", "url", "model", "batch", "timeout", "budget", "fail_on", "levels", "ignore", "baseline", "questions", "minimum", "nothing")
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10) | st.sampled_from(["local", "none", "stop", "error"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=4), inner, max_size=3), max_leaves=6)


@pytest.mark.parametrize("file", ["../x.json", "/etc/passwd", "a/../../x", ".", "", "..\\\\x", "\\0"])
@pytest.mark.parametrize("place", ["lint: {{ baseline: {} }}", "evaluate: {{ questions: {} }}", "evaluate: {{ accepted: {} }}"])
def test_no_setting_names_a_file_beyond_the_bundle(tmp_path, place, file):
    (tmp_path / "wiki.yaml").write_text(place.format(f'"{file}"'))
    with pytest.raises(SettingsError, match="wiki.yaml:1: "):
        load_settings(tmp_path)


@given(st.dictionaries(st.sampled_from(SECTIONS) | st.text(max_size=5), values, max_size=3))
def test_any_settings_are_read_or_refused(tmp_path, data):
    (tmp_path / "wiki.yaml").write_bytes(json.dumps(data).encode())
    try:
        load_settings(tmp_path)
    except SettingsError as fault:
        assert "wiki.yaml" in str(fault) or "on_invalid" in str(fault)


@given(st.binary(max_size=200))
def test_any_bytes_of_settings_are_read_or_refused(tmp_path, data):
    (tmp_path / "wiki.yaml").write_bytes(data)
    try:
        load_settings(tmp_path)
    except SettingsError as fault:
        assert "wiki.yaml" in str(fault)


@given(values)
def test_any_questions_are_read_or_told(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("questions")
    (folder / "evaluate.json").write_text(json.dumps(data))
    db = compile_bundle(folder)
    for text in (json.dumps(data), json.dumps([data]), json.dumps([{"question": data, "in_bundle": True, "expected": data, "expected_facts": data}])):
        (folder / "evaluate.json").write_text(text)
        found = read_questions(folder / "evaluate.json", db)
        whole = json.loads(text)
        rows = whole.get("questions") if isinstance(whole, dict) else whole
        assert found.rows or found.findings or rows == []


@pytest.mark.parametrize("text", ["[" * 100_000, "{", "[null]", "[[]]", '[{"path": 7}]', "\0"])
def test_files_that_are_not_what_they_should_be_are_told(tmp_path, text):
    file = tmp_path / "a.json"
    file.write_text(text)
    build(tmp_path)
    assert read_questions(file, compile_bundle(tmp_path)).findings
    with pytest.raises(BaselineError):
        read_baseline(file)


def test_text_beside_the_concepts_is_read_whole_or_not_at_all(tmp_path):
    assert read_beside(tmp_path / "none") is None
    (tmp_path / "bom").write_bytes(b"\xef\xbb\xbfx")
    assert read_beside(tmp_path / "bom") == "x"
    (tmp_path / "loop").symlink_to("loop")
    for name in ("loop", "."):
        with pytest.raises(UnreadableFile, match="is not a file"):
            read_beside(tmp_path / name)
