"""Seed §7.5: a ranking regression, a wrong acceptance or a broken trust order shows, and fails the run."""

import json
from contextlib import closing
from dataclasses import replace

import apsw
import pytest

from pipeline.evaluate.run import evaluate
from pipeline.evaluate.command import evaluate_command
from pipeline.evaluate.settings import EvaluateSettings
from pipeline.evaluate.measures import Outcome, Score, faults, scores
from pipeline.evaluate.questions import ExpectedFact, Question, Questions
from retrieval.context import Context, Passage
from retrieval.errors import SettingsError, WikiError
from retrieval.model import Fact, Seed
from retrieval.wiki import Wiki
from tests.build import build
from tests.compile import compile_bundle


def fact(subject="Ada", predicate="knows", object="/bob.md", date=None, trust="unverified", stale=False, **factors):
    return Fact("/ada.md", subject, predicate, object, "Bob", None, date, None, trust, stale, None, None, 1, 1.0,
                {"predicate": 1.0, "trust": 0.6, **factors})


def context(concepts=(), facts=(), confident=True, background=(), seeds=None):
    seeds = concepts[:1] if seeds is None else seeds
    return Context("?", "GENERAL", confident, "for a reason", tuple(Seed(path, path, 1.0, {"title": 0, "bm25": None}) for path in seeds),
                   tuple(concepts), tuple(facts), tuple(Passage("/ada.md", "Ada", "", text) for text in background),
                   10, 2000, "g", "text", lambda: True)


class Answering:
    """A wiki whose answers are laid down; a question it is not confident of is answered only without the gate."""

    def __init__(self, answers):
        self.answers = answers

    def context_for(self, question, *, today=None, require_confidence=True):
        answer = self.answers[question]
        return answer._replace(concepts=(), facts=(), seeds=()) if require_confidence and not answer.confident else answer


def outcome(question, answer):
    return evaluate(Answering({question.text: answer}), Questions((question,), ())).outcomes[0]


IN = Question("in", "Who?", True, ("/a.md", "/b.md"))
OUT = Question("out", "What?", False, tier="homonym")


def test_recall_counts_expected_concepts_within_a_depth():
    got = scores([outcome(IN, context(("/a.md", "/x.md", "/y.md", "/z.md", "/w.md", "/b.md")))])
    assert [got[name] for name in ("recall@2", "recall@5", "recall@10", "all@5")] == [Score(50.0, 1), Score(50.0, 1), Score(100.0, 1), Score(0.0, 1)]


def test_a_refused_question_is_ranked_all_the_same():
    one = outcome(IN, context(("/a.md", "/b.md"), confident=False))
    assert scores([one])["recall@5"].value == 100.0 and scores([one])["accepted"].value == 0.0
    assert list(faults(one)) == ["refused: for a reason"]


def test_the_first_seed_is_the_labelled_one_or_any_expected():
    assert scores([outcome(IN, context(("/b.md", "/a.md")))])["seed_first"].value == 100.0
    labelled = replace(IN, first_seed="/a.md")
    one = outcome(labelled, context(("/b.md", "/a.md")))
    assert scores([one])["seed_first"].value == 0.0
    assert list(faults(one)) == ["/a.md does not seed first; /b.md does"]


@pytest.mark.parametrize("label, stated, found", [
    (None, "1843-01-05", True), ("1843", "1843-01-05", True), ("1843-01-05", "1843", True), ("1844", "1843", False), ("1843", None, False)])
def test_a_fact_is_found_with_its_date(label, stated, found):
    question = Question("in", "Who?", True, facts=(ExpectedFact("ADA ", "knows", "/bob.md", label),))
    assert scores([outcome(question, context(facts=[fact(date=stated)]))])["facts"].value == 100.0 * found


def test_an_expected_fact_stands_first_of_its_kind():
    question = Question("in", "Who?", True, facts=(ExpectedFact("Ada", "knows", "/bob.md", None),))
    late = [fact(predicate="likes"), fact(object="/eve.md"), fact()]
    got = scores([outcome(question, context(facts=late))])
    assert (got["facts"].value, got["facts_first"].value) == (100.0, 0.0)


def test_a_gold_paragraph_may_be_wrapped_otherwise_and_cut():
    paragraph = "Ada wrote\nthe first program. " + "And more. " * 20
    question = Question("in", "Who?", True, paragraphs=(paragraph,))
    assert scores([outcome(question, context(background=["x\nAda wrote the first\nprogram. " + "And more. " * 8]))])["passages"].value == 100.0
    assert scores([outcome(question, context(background=["Ada wrote."]))])["passages"].value == 0.0


def test_trust_order_is_broken_only_by_facts_alike_in_all_else():
    human, machine = fact(trust="human-reviewed", object="/h.md"), fact(trust="machine-confirmed", object="/m.md")
    assert scores([outcome(IN, context(facts=[human, machine, fact()]))])["trust"] == Score(100.0, 1)
    assert scores([outcome(IN, context(facts=[machine, human]))])["trust"].value == 0.0
    assert "trust" not in scores([outcome(IN, context(facts=[machine, fact(trust="human-reviewed", predicate_fit=0.5)]))])
    assert scores([outcome(IN, context(facts=[human._replace(stale=True), human]))])["trust"].value == 0.0
    mixed = [human._replace(stale=True), fact()]
    assert scores([outcome(IN, context(facts=mixed))])["trust"].value == scores([outcome(IN, context(facts=mixed[::-1]))])["trust"].value == 100.0


def test_out_of_bundle_questions_count_by_tier():
    other = replace(OUT, id="other", text="Which?", tier="near-miss")
    got = scores([outcome(OUT, context(confident=False)), outcome(other, context(("/a.md",)))])
    assert (got["refused"], got["refused:homonym"], got["refused:near-miss"]) == (Score(50.0, 2), Score(100.0, 1), Score(0.0, 1))
    assert list(faults(outcome(other, context(("/a.md",))))) == ["answered: for a reason"]


def test_a_question_that_fails_says_why():
    question = Question("in", "Who?", True, ("/a.md", "/z.md"), facts=(ExpectedFact("Ada", "knows", "/bob.md", "1843"),), paragraphs=("Prose.",))
    one = outcome(question, context(("/b.md", "/c.md", "/d.md", "/e.md", "/f.md", "/a.md")))
    assert list(faults(one)) == [
        "/a.md is number 6; first are /b.md, /c.md, /d.md",
        "/z.md is not found; first are /b.md, /c.md, /d.md",
        "the context does not state: Ada knows /bob.md, as of 1843",
        "no gold paragraph stands in the context",
    ]


# The command, over a bundle with two questions and a wiki whose ranking a test can break.

RANKED = {"Who?": context(("/a.md", "/b.md")), "What?": context(confident=False)}
FAULTY = {**RANKED, "Who?": context(("/x.md", "/y.md", "/z.md", "/w.md", "/v.md", "/a.md"))}


@pytest.fixture
def run(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.md").write_text("---\ntype: Person\n---\n", encoding="utf-8")
    (tmp_path / "evaluate.json").write_text(json.dumps([
        {"id": "in", "question": "Who?", "in_bundle": True, "expected": ["/a.md", "/b.md"]},
        {"id": "out", "question": "What?", "in_bundle": False, "tier": "homonym"}]), encoding="utf-8")
    db = compile_bundle(tmp_path)

    def run(answers=RANKED, settings=EvaluateSettings(), **options):
        return evaluate_command(db, tmp_path, settings, lambda: Answering(answers), **options)

    run.bundle = tmp_path
    return run


def test_a_planted_ranking_fault_fails_under_a_minimum(run):
    settings = EvaluateSettings(minimum={"recall@5": 90.0, "refused:homonym": 50.0, "facts": 90.0})
    assert run(settings=settings)[1]
    said, well = run(FAULTY, settings)
    assert not well
    assert "recall@5                0.0     1         -     90.0  FAILS\n" in said
    assert "in: Who?\n  /a.md is number 6; first are /x.md, /y.md, /z.md\n" in said
    assert "  seed /x.md (/x.md): title 1, bm25 -\n" in said


def test_a_planted_ranking_fault_fails_against_the_accepted_scores(run):
    said, well = run()
    assert well and "doit evaluate --accept" in said
    run(accept=True)
    said, well = run()
    assert well and said.endswith("Every question passes.\n")
    said, well = run(FAULTY)
    assert not well and "recall@5                0.0     1     100.0        -  FAILS\n" in said and "Worse than accepted: in\n" in said
    assert run(FAULTY, EvaluateSettings(tolerance=100.0))[1]


def test_what_got_better_is_told(run):
    run(FAULTY, accept=True)
    said, well = run()
    assert well and said.endswith("Better than accepted: in\n")


def test_the_report_is_kept_as_json(run):
    said, _ = run(FAULTY, EvaluateSettings(minimum={"recall@5": 1.0}), format="json")
    assert (run.bundle / ".wiki" / "evaluate.json").read_text(encoding="utf-8") == said
    report = json.loads(said)
    assert report["scores"]["accepted"] == {"value": 100.0, "n": 1} and report["below_minimum"] == ["recall@5"]
    assert [(one["id"], bool(one["why"])) for one in report["questions"]] == [("in", True), ("out", False)]


def test_a_bundle_without_questions_passes(run):
    (run.bundle / "evaluate.json").unlink()
    assert run() == ("There is no evaluate.json in the bundle, so there is nothing to ask.\n", True)


def test_a_label_that_is_wrong_fails(run):
    (run.bundle / "evaluate.json").write_text('[{"question": "Who?", "in_bundle": true, "expected": ["/gone.md"]}]', encoding="utf-8")
    said, well = run()
    assert not well and said.startswith("evaluate.json:1: [0].expected[0]: no such concept: /gone.md [evaluate]\n")


def test_wrong_use_is_told_in_a_sentence(run):
    with pytest.raises(SettingsError, match="text, json"):
        run(format="xml")
    (run.bundle / "evaluate-accepted.json").write_text("[]", encoding="utf-8")
    with pytest.raises(WikiError, match="doit evaluate --accept"):
        run()
    with pytest.raises(SettingsError, match="there is no measure 'recal'"):
        run(settings=EvaluateSettings(minimum={"refused:homonym": 1.0, "recal": 1.0}))


def test_outcomes_hold_the_answer_and_its_time():
    one = outcome(IN, context(("/a.md",)))
    assert isinstance(one, Outcome) and one.seconds >= 0 and one.context.concepts == ("/a.md",)


# The same over a real wiki, with the fault in its settings.

PEOPLE = ("Ada Lovelace", "Charles Babbage", "Grace Hopper", "Alan Turing", "Kurt Godel", "Emmy Noether", "Mary Somerville", "John Neumann")


def test_a_ranking_fault_planted_in_a_real_wiki_fails(tmp_path):
    for number, name in enumerate(PEOPLE):
        others = ", ".join(other for other in PEOPLE if other != name)
        (tmp_path / f"p{number}.md").write_text(
            f"---\ntype: Person\ntitle: {name}\n---\n\nKnew {others}; and {others}.\n", encoding="utf-8")
    (tmp_path / "evaluate.json").write_text(json.dumps([
        {"question": f"Who is {name}?", "in_bundle": True, "expected": [f"/p{number}.md"], "first_seed": f"/p{number}.md"}
        for number, name in enumerate(PEOPLE)]), encoding="utf-8")

    def run(wiki_yaml, **options):
        (tmp_path / "wiki.yaml").write_text(wiki_yaml, encoding="utf-8")
        build(tmp_path)
        with closing(apsw.Connection(str(tmp_path / "wiki.db"))) as db:
            return evaluate_command(db, tmp_path, EvaluateSettings(), lambda: Wiki(tmp_path), "2026-06-01", **options)

    sound = "retrieval: {confidence_threshold: 0}\n"
    said, well = run(sound, accept=True)
    assert well and "seed_first            100.0     8" in said
    said, well = run("retrieval: {confidence_threshold: 0, signal_weights: {title: 0}, column_weights: [0, 0, 0, 1]}\n")
    assert not well and "does not seed first" in said and "Worse than accepted: Who is " in said
    assert run(sound)[1]


@pytest.mark.parametrize("object, date, told", [("/ada.md", "1843", True), ("/ada.md", "1850", False), ("/eve.md", "1843", False), ("/ada.md", None, False)])
def test_a_dated_fact_may_be_told_from_its_other_end(object, date, told):
    """The two directions of one fact appear once, so either states it; without a date they cannot be told apart."""
    wanted = ExpectedFact("Bob", "known_by", object, "1843")
    question = Question("in", "Who?", True, facts=(wanted,))
    assert scores([outcome(question, context(facts=(fact(date=date),)))])["facts"].value == 100.0 * told
