"""wiki.yaml and what it names: refused in one sentence, or read; nothing else, and nothing beyond the bundle."""

import json
import math
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pipeline.beside import UnreadableFile, read_beside
from pipeline.evaluate.questions import read_questions
from pipeline.lint.baseline import BaselineError, read_baseline
from pipeline.settings import load_settings
from retrieval import Wiki
from retrieval.errors import SettingsError
from retrieval.explain import explain
from retrieval.settings import RetrievalSettings, numbers, ranges
from tests.build import build
from tests.compile import compile_bundle
from tests.stub_embedder import StubEmbedder

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


DEFAULTS = RetrievalSettings()
PLACES = [address for name in ranges() for address, _ in numbers(getattr(DEFAULTS, name), name) if not address.startswith("predicate_weights")]
PLACES += ["predicate_weights.*.knows", "predicate_weights.HISTORICAL.knows"]
QUESTIONS = ("Who is Person 3 Zug?", "When was nick2 born?", "Whom did Person 2 Zug know before nick4?", "common Lagos word",
             "Why did Person 0 Zug know Person 1 Zug?", "zz unknown thing")


def within(address):
    return ranges()[address.partition("[")[0].partition(".")[0]]


def bounds(address):
    """The least and the most a number may be, and 0 where that takes away what it weighs."""
    found = within(address)
    return (found.least, found.most, 0) if found.or_none else (found.least, found.most)


def with_number(settings, address, value):
    """The settings with one number exchanged."""
    name, *keys = address.replace("[", ".").replace("]", "").split(".", 2)
    whole = getattr(settings, name)
    if isinstance(whole, tuple):
        value = tuple(value if at == int(keys[0]) else one for at, one in enumerate(whole))
    for key in reversed(keys if isinstance(whole, dict) else ()):
        value = {key: value}
    if name == "predicate_weights":
        value = {intent: {**patterns, **value.get(intent, {})} for intent, patterns in whole.items()}
    elif isinstance(whole, dict):
        value = {**whole, **value}
    settings = settings._replace(**{name: value})
    settings.check()
    return settings


@pytest.fixture(scope="module")
def people(tmp_path_factory):
    """A wiki of people who know each other; links, dates, superseded and stale pages among them."""
    folder = tmp_path_factory.mktemp("people")
    for n in range(8):
        state = {0: f"status: superseded\nsuperseded_by: /p{n + 1}.md\n", 1: "stale_after: 2020-01-01\n"}.get(n % 4, "")
        (folder / f"p{n}.md").write_text(
            f"---\ntype: Person\ntitle: Person {n} Zug\naliases: [nick{n}]\n{state}relations:\n"
            f"  - {{ predicate: knows, object: /p{(n + 1) % 8}.md, date: '200{n}' }}\n  - {{ predicate: born_on, object: '1970' }}\n"
            f"---\nPerson {n} met [P](/p{(n + 3) % 8}.md) in Lagos. Common word.\n")
    build(folder, StubEmbedder())
    return folder


def answers_hold(folder, settings):
    """All questions, with these settings: what is promised of every answer."""
    wiki = Wiki(folder, StubEmbedder())
    wiki._snapshot = wiki._snapshot._replace(settings=settings)
    for question, budget in product(QUESTIONS, (None, 40)):
        context = wiki.context_for(question, budget, "2026-01-01", require_confidence=False)
        assert context.tokens <= context.budget
        json.dumps(context.to_dict(), allow_nan=False)
        assert not {"nan", "inf"} & set(explain(context).split())


def test_every_number_has_a_range_and_its_default_lies_within():
    assert ranges().keys() == set(RetrievalSettings._fields)
    assert all(within(address).holds(value) for name in ranges() for address, value in numbers(getattr(DEFAULTS, name), name))


@pytest.mark.parametrize("address", PLACES)
def test_questions_are_answered_at_the_bounds_of_each_number(people, address):
    for value in bounds(address):
        answers_hold(people, with_number(DEFAULTS, address, value))


@pytest.mark.parametrize("address", PLACES)
def test_a_number_beyond_its_bounds_is_refused_with_its_range(address):
    least, most, *_ = bounds(address)
    for value in (math.nextafter(least, -1) if least else -1e-300, math.nextafter(most, math.inf), -5, 1e308, math.inf, -math.inf, math.nan):
        with pytest.raises(SettingsError) as told:
            with_number(DEFAULTS, address, value)
        assert str(told.value).startswith(f"{address} must be {within(address)}, not ")


@given(st.data())
def test_no_settings_within_their_ranges_make_an_answer_raise_or_go_over_budget(people, data):
    settings = DEFAULTS
    for address in data.draw(st.lists(st.sampled_from(PLACES), unique=True)):
        least, most, *zero = bounds(address)
        whole = isinstance(least, int) and most > 1
        between = st.integers(least, min(most, 1_000)) if whole else st.floats(least, most)
        drawn = data.draw(st.sampled_from((least, most, *zero)) | between)
        others = [weight for name, weight in settings.signal_weights.items() if f"signal_weights.{name}" != address]
        assume(drawn or any(others))  # all three at 0 are refused
        settings = with_number(settings, address, drawn)
    answers_hold(people, settings)


@pytest.mark.parametrize("text, told", [
    ("retrieval:\n  budget: 900\n  hop_decay: 0\n", "wiki.yaml:3: retrieval.hop_decay must be from 0.01 to 1, not 0."),
    ("retrieval:\n  signal_weights:\n    title: -5\n", "wiki.yaml:3: retrieval.signal_weights.title must be 0 or from 0.001 to 1,000, not -5."),
    ("retrieval: {column_weights: [1, 1, 1, 1e308]}\n", "wiki.yaml:1: retrieval.column_weights[3] must be 0 or from 0.001 to 1,000, not 1e+308."),
    ("retrieval: {signal_weights: {title: 0, bm25: 0, vector: 0}}\n", "wiki.yaml:1: retrieval: signal_weights: one of them must be above 0")])
def test_it_is_told_with_its_key_its_line_and_its_range(tmp_path, text, told):
    (tmp_path / "wiki.yaml").write_text(text)
    with pytest.raises(SettingsError) as fault:
        load_settings(tmp_path)
    assert str(fault.value).startswith(f"{tmp_path}/{told}")
