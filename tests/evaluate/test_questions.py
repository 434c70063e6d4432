"""evaluate.json: every fault of a file at once, each with its line and place."""

import json

import pytest

from pipeline.evaluate.questions import ExpectedFact, Question, read_questions
from tests.compile import compile_bundle

GOOD = [
    {"id": "a", "question": "Who is Ada?", "in_bundle": True, "expected": ["/ada.md", "bob"], "first_seed": "ada.md",
     "expected_facts": [{"subject": "Ada", "predicate": "knows", "object": "/bob.md", "date": "1843"}],
     "gold_paragraphs": ["Ada wrote."], "answer": "a note of the author's own"},
    {"question": "What is a bicycle?", "in_bundle": False, "tier": "homonym"},
    {"question": "Why?", "in_bundle": False},
]


@pytest.fixture
def read(tmp_path):
    for name in ("ada", "bob"):
        (tmp_path / f"{name}.md").write_text("---\ntype: Person\nrelations: [{ predicate: knows, object: /bob.md }]\n---\n", encoding="utf-8")
    db = compile_bundle(tmp_path)

    def read(value):
        file = tmp_path / "evaluate.json"
        file.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
        return read_questions(file, db)

    return read


def test_rows_become_questions(read):
    questions = read(GOOD)
    assert questions.findings == ()
    assert questions.rows == (
        Question("a", "Who is Ada?", True, ("/ada.md", "/bob.md"), "/ada.md",
                 (ExpectedFact("Ada", "knows", "/bob.md", "1843"),), ("Ada wrote.",)),
        Question("What is a bicycle?", "What is a bicycle?", False, tier="homonym"),
        Question("Why?", "Why?", False, tier="out"),
    )


def test_a_mapping_with_questions_will_do(read):
    assert read({"about": [1], "questions": GOOD}).rows == read(GOOD).rows


def test_all_faults_are_told_with_line_and_place(read):
    text = """[
 {"question": "One?", "in_bundle": true, "expectd": ["/ada.md"], "expected": ["/eve.md", 7]},
 {"in_bundle": "yes"},

 "three",
 {"question": "Four?", "in_bundle": true, "expected": "/ada.md", "expected_facts": [{"subject": "Ada"}]},
 {"question": "Four?", "in_bundle": true, "first_seed": "../eve.md", "gold_paragraphs": [1]},
 {"question": "Six?", "in_bundle": false, "expected": ["/ada.md"],
  "expected_facts": [{"subject": "ada ", "predicate": "knows", "object": "o", "dates": "1"}]}
]"""
    questions = read(text)
    assert sorted(map(str, questions.findings)) == sorted([
        "evaluate.json:2: [0].expected[0]: no such concept: /eve.md [evaluate]",
        "evaluate.json:2: [0].expected[1]: a concept path is needed, not 7 [evaluate]",
        "evaluate.json:2: [0].expectd: unknown; did you mean 'expected'? [evaluate]",
        "evaluate.json:3: [1].in_bundle: true or false is needed [evaluate]",
        "evaluate.json:3: [1].question: missing [evaluate]",
        "evaluate.json:5: [2]: a mapping with a question is needed [evaluate]",
        "evaluate.json:6: [3].expected: a list is needed, not '/ada.md' [evaluate]",
        "evaluate.json:6: [3].expected_facts[0]: subject, predicate and object are needed [evaluate]",
        "evaluate.json:6: [3].expected: nothing is expected, so only its acceptance is counted [evaluate]",
        "evaluate.json:7: [4].first_seed: a concept path is needed, not '../eve.md' [evaluate]",
        "evaluate.json:7: [4].gold_paragraphs[0]: text is needed, not 1 [evaluate]",
        "evaluate.json:7: [4].id: another row has the id 'Four?'; this one is left out [evaluate]",
        "evaluate.json:7: [4].expected: nothing is expected, so only its acceptance is counted [evaluate]",
        "evaluate.json:8: [5].expected_facts[0].dates: unknown; did you mean 'date'? [evaluate]",
        "evaluate.json:8: [5].expected: is not looked at: the question is marked as out of the bundle [evaluate]",
    ])
    assert [question.text for question in questions.rows] == ["One?", "Four?", "Six?"]


def test_a_fact_that_nothing_in_the_bundle_could_state_is_told_and_left_out(read):
    questions = read([{"question": "Who?", "in_bundle": True, "expected": ["/ada.md"], "expected_facts": [
        {"subject": "Adah", "predicate": "knowz", "object": "/bob.md"}, {"subject": "Eve", "predicate": "hates", "object": "/bob.md"},
        {"subject": "ADA", "predicate": "knows", "object": "/bob.md"}]}])
    assert [str(finding) for finding in questions.findings] == [
        "evaluate.json:1: [0].expected_facts[0].predicate: no relation has the predicate 'knowz'; did you mean 'knows'? [evaluate]",
        "evaluate.json:1: [0].expected_facts[0].subject: no concept has the title 'Adah'; did you mean 'Ada'? [evaluate]",
        "evaluate.json:1: [0].expected_facts[1].predicate: no relation has the predicate 'hates' [evaluate]",
        "evaluate.json:1: [0].expected_facts[1].subject: no concept has the title 'Eve' [evaluate]"]
    assert [str(fact) for fact in questions.rows[0].facts] == ["ADA knows /bob.md"]


@pytest.mark.parametrize("text, told", [("[", "is no JSON"), ("7", "a list of questions is needed"), ("{}", "a list of questions is needed")])
def test_a_file_without_a_list_is_one_fault(read, text, told):
    questions = read(text)
    assert questions.rows == () and told in questions.findings[0].message


def test_half_a_surrogate_pair_is_no_question(read):
    questions = read('[{"question": "\\ud83d", "in_bundle": false}, {"question": "\\ud83d\\ude00 \\\\ud83d", "in_bundle": false}]')
    assert [finding.field for finding in questions.findings] == ["[0]"] and len(questions.rows) == 1


def test_an_empty_list_asks_nothing(read):
    assert read([]) == read('{"questions": []}')
