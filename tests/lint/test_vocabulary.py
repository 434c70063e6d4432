"""The predicate vocabulary as authors write it in AGENTS.md."""

import pytest

from pipeline.lint.vocabulary import read_vocabulary, vocabulary_in

TABLE = """
Some prose | with a bar.

| predicate | inverse | meaning |
|:--|---|---|
| `founded` | `founded_by` | brought into being \\| started |
| born_on | — (literal) | day of birth |
| parent_of | child_of, son_of or daughter_of (whichever fits) | |
| spouse_of | spouse_of | |

| predicate | used |
|---|---|
| never_documented | x |

| **Predicate** | **Inverse** |
| --- | --- |
| likes | itself |
"""


def test_both_columns_document_a_predicate():
    assert vocabulary_in(TABLE) == {
        "founded": {"founded_by"}, "founded_by": {"founded"}, "born_on": set(), "parent_of": {"child_of", "son_of", "daughter_of"},
        "child_of": {"parent_of"}, "son_of": {"parent_of"}, "daughter_of": {"parent_of"}, "spouse_of": {"spouse_of"}, "likes": {"likes"}}


@pytest.mark.parametrize("text", ["", "no table", "| predicate |\n|---|\n| x |", "predicate | inverse"])
def test_text_without_a_vocabulary_documents_nothing(text):
    assert vocabulary_in(text) == {}


def test_the_first_file_with_a_table_counts(tmp_path):
    assert read_vocabulary(tmp_path).inverses == {}
    (tmp_path / "AGENTS.md").write_text("see CLAUDE.md", encoding="utf-8")
    (tmp_path / "CLAUDE.md").write_text(TABLE, encoding="utf-8")
    assert read_vocabulary(tmp_path).file == "CLAUDE.md"
