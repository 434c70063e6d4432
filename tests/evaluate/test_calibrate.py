"""The threshold of the gate comes from labelled questions, and is written down only when told."""

import json
from contextlib import closing

import apsw
import pytest

from pipeline.evaluate.calibrate import CalibrateError, as_text, calibrate, calibrate_command, confidences
from pipeline.evaluate.questions import read_questions
from pipeline.settings import load_settings
from pipeline.evaluate.trade_off import Point, Sample
from retrieval.wiki import Wiki
from tests.build import build
from tests.stub_embedder import StubEmbedder

TODAY = "2026-06-01"
GOOD, BAD = True, False
SAMPLES = [Sample(0.9, GOOD), Sample(0.8, GOOD), Sample(0.6, BAD), Sample(0.5, GOOD), Sample(0.1, BAD)]


def test_the_best_balance_is_proposed_with_what_else_there_is():
    found = calibrate(SAMPLES, 0.55)
    assert (found.good, found.bad, found.current) == (3, 2, Point(0.55, 200 / 3, 50.0))
    assert found.proposed == Point(0.7, 200 / 3, 100.0)
    assert [point.threshold for point in found.table] == [0.3, 0.55, 0.7]


def test_a_threshold_that_is_as_good_is_kept():
    found = calibrate(SAMPLES, 0.65)
    assert found.proposed.threshold == 0.65
    assert as_text(found).endswith("\nThe threshold in force is the best balance.\n")


def test_the_table_says_what_is_in_force_and_what_is_proposed():
    assert as_text(calibrate(SAMPLES, 0.55)) == """\
3 in-bundle and 2 out-of-bundle questions, answered from this confidence on:

 threshold  answered  refused
       0.3     100.0     50.0
      0.55      66.7     50.0  in force
       0.7      66.7    100.0  proposed

Fewer than 20 questions of a kind: what is proposed may be chance.

doit calibrate --write puts confidence_threshold: 0.7 into wiki.yaml.
"""


@pytest.mark.parametrize("samples", [[], [Sample(0.5, GOOD)], [Sample(0.5, BAD)] * 3])
def test_questions_of_both_kinds_are_needed(samples):
    with pytest.raises(CalibrateError, match="both kinds"):
        calibrate(samples, 0.5)


# Over a real wiki: three pages, and questions whose words it holds or does not.

PAGES = {
    "ada.md": "---\ntype: Person\ntitle: Ada Lovelace\n---\n\nAda Lovelace wrote notes on the analytical engine.\n",
    "engine.md": "---\ntype: Product\ntitle: Analytical Engine\n---\n\nA machine of brass wheels, designed but never finished.\n",
    "byron.md": "---\ntype: Person\ntitle: Lord Byron\n---\n\nA poet, and the father of [Ada](ada.md).\n",
}
QUESTIONS = [
    {"question": "Who is Ada Lovelace?", "in_bundle": True, "expected": ["/ada.md"]},
    {"question": "What is the Analytical Engine?", "in_bundle": True, "expected": ["/engine.md"]},
    {"question": "which poet was a father", "in_bundle": True, "expected": ["/byron.md"]},
    {"question": "How do I fix a flat bicycle tire?", "in_bundle": False},
    {"question": "Who wrote the treaty of Westphalia?", "in_bundle": False},
    {"question": "zzz", "in_bundle": False},
]


@pytest.fixture
def bundle(tmp_path):
    for name, text in PAGES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "evaluate.json").write_text(json.dumps(QUESTIONS), encoding="utf-8")
    (tmp_path / "wiki.yaml").write_text("# of this bundle\nretrieval: {confidence_threshold: 0.999}  # far too strict\n", encoding="utf-8")
    return tmp_path


@pytest.fixture(params=[None, StubEmbedder()], ids=["words", "vectors"])
def embedder(request, bundle):
    build(bundle, request.param)
    return request.param


def asked(bundle):
    with closing(apsw.Connection(str(bundle / "wiki.db"))) as db:
        return read_questions(bundle / "evaluate.json", db).rows


@pytest.mark.parametrize("threshold", [0.1, 0.5, 0.9])
def test_a_confidence_decides_as_the_wiki_decides(bundle, embedder, threshold):
    (bundle / "wiki.yaml").write_text(f"retrieval: {{confidence_threshold: {threshold}}}\n", encoding="utf-8")
    build(bundle, embedder)
    wiki = Wiki(bundle, embedder)
    samples = confidences(wiki, asked(bundle), TODAY)
    assert [sample.confidence >= threshold for sample in samples] == [
        wiki.context_for(row["question"], today=TODAY).confident for row in QUESTIONS]
    assert [sample.in_bundle for sample in samples] == [row["in_bundle"] for row in QUESTIONS]


def run(bundle, **options):
    threshold = load_settings(bundle).retrieval.confidence_threshold
    with closing(apsw.Connection(str(bundle / "wiki.db"))) as db:
        return calibrate_command(db, bundle, "evaluate.json", threshold, TODAY, **options)


def test_wiki_yaml_is_written_only_when_told_and_keeps_its_comments(bundle):
    build(bundle)
    before = (bundle / "wiki.yaml").read_text(encoding="utf-8")
    assert "doit calibrate --write" in run(bundle)
    assert (bundle / "wiki.yaml").read_text(encoding="utf-8") == before
    said = run(bundle, save=True)
    chosen = load_settings(bundle).retrieval.confidence_threshold
    assert said.endswith(f"wiki.yaml now says confidence_threshold: {chosen!r}; it holds from the next doit on.\n")
    assert (bundle / "wiki.yaml").read_text(encoding="utf-8") == before.replace("0.999", repr(chosen))
    build(bundle)
    wiki = Wiki(bundle)
    assert sum(wiki.context_for(row["question"]).confident is row["in_bundle"] for row in QUESTIONS) > 3
    assert "The threshold in force is the best balance." in run(bundle, save=True)


def test_without_questions_it_says_what_is_needed(bundle):
    build(bundle)
    (bundle / "evaluate.json").unlink()
    with pytest.raises(CalibrateError, match="evaluate.json"):
        run(bundle)
