"""An open wiki: what it refuses, how it notices a republished one, and that one answer never mixes two builds."""

import os
import time
from datetime import date

import apsw
import pytest

from retrieval.errors import WikiDamaged, WikiMismatch, WikiNotBuilt
from retrieval.wiki import Wiki
from tests.build import build
from tests.casefile import CASES
from tests.retrieval.bundles import case_wiki, write_pages
from tests.stub_embedder import StubEmbedder

QUESTION = "Who is Marc Andreessen?"


@pytest.fixture
def bundle(tmp_path):
    write_pages((CASES / "retrieval/ranking_bundles/companies.txt").read_text(encoding="utf-8"), tmp_path)
    build(tmp_path)
    return tmp_path


class TestRefusals:
    """Each says in one sentence what is wrong and what to run."""

    def test_no_wiki(self, tmp_path):
        with pytest.raises(WikiNotBuilt, match="no wiki.db in .*: run `doit`"):
            Wiki(tmp_path)

    def test_no_folder(self, tmp_path):
        with pytest.raises(WikiNotBuilt, match="no folder"):
            Wiki(tmp_path / "nowhere")

    def test_a_folder_that_cannot_be_entered(self, tmp_path, monkeypatch):
        """Whoever runs the tests may enter any folder, so the system's answer is put in its mouth."""
        def denied(path):
            raise PermissionError(13, "Permission denied", path)
        monkeypatch.setattr("retrieval.snapshot.os.stat", denied)
        with pytest.raises(WikiNotBuilt, match="cannot be looked at .Permission denied"):
            Wiki(tmp_path)

    def test_a_file_that_is_no_database(self, tmp_path):
        (tmp_path / "wiki.db").write_bytes(b"not a database, but long enough to be looked at" * 30)
        with pytest.raises(WikiDamaged, match="is damaged .*: run `doit reindex`"):
            Wiki(tmp_path)

    def test_another_schema_version(self, bundle):
        with apsw.Connection(str(bundle / "wiki.db")) as db:
            db.execute("update meta set value = '999' where key = 'schema_version'")
        with pytest.raises(WikiMismatch, match="schema version 999.*run `doit`"):
            Wiki(bundle)

    def test_another_embedding_model(self, bundle):
        build(bundle, StubEmbedder("one model"))
        with pytest.raises(WikiMismatch, match="another embedding model.*run `doit reindex`"):
            Wiki(bundle, StubEmbedder("another model"))

    def test_no_day(self, bundle):
        with pytest.raises(ValueError):
            Wiki(bundle).context_for(QUESTION, today="tomorrow")


class TestRepublished:
    """A reader that keeps its connection notices a new wiki.db at the next question (DESIGN, measured facts)."""

    def test_the_next_question_reads_the_new_build(self, bundle):
        wiki = Wiki(bundle)
        before = wiki.context_for(QUESTION)
        page = bundle / "entities/marc-andreessen.md"
        page.write_text(page.read_text(encoding="utf-8").replace("1971-07-09", "1971-07-10"), encoding="utf-8")
        os.utime(page, ns=(time.time_ns(), time.time_ns() + 10**9))
        build(bundle)
        after = wiki.context_for(QUESTION)
        assert before.generation != after.generation
        assert [fact.object_literal for fact in after.facts if fact.predicate == "born_on"] == ["1971-07-10"]

    def test_an_unchanged_wiki_stays_open(self, bundle):
        wiki = Wiki(bundle)
        snapshot = wiki._snapshot
        wiki.context_for(QUESTION)
        assert wiki._snapshot is snapshot


class TestCurrency:
    """index_is_current: False when concept files changed since the build."""

    def test_current(self, bundle):
        assert Wiki(bundle).context_for(QUESTION).index_is_current

    def test_a_touched_file_is_the_same_file(self, bundle):
        os.utime(bundle / "entities/openai.md", (1, 1))
        assert Wiki(bundle).context_for(QUESTION).index_is_current

    @pytest.mark.parametrize("change", [
        lambda folder: (folder / "entities/openai.md").write_text("---\ntype: T\n---\nOther.\n", encoding="utf-8"),
        lambda folder: (folder / "entities/openai.md").unlink(),
        lambda folder: (folder / "entities/new.md").write_text("---\ntype: T\n---\nNew.\n", encoding="utf-8"),
    ], ids=["edited", "deleted", "added"])
    def test_changed(self, bundle, change):
        change(bundle)
        assert not Wiki(bundle).context_for(QUESTION).index_is_current

    def test_one_answer_looks_once(self, bundle):
        context = Wiki(bundle).context_for(QUESTION)
        assert context.index_is_current
        (bundle / "entities/openai.md").unlink()
        assert context.index_is_current and context.to_dict()["index_is_current"]


def test_today_may_be_a_date_or_its_text():
    wiki = case_wiki("companies")
    assert wiki.context_for(QUESTION, today=date(2026, 1, 2)).to_dict() == wiki.context_for(QUESTION, today="2026-01-02").to_dict()


def test_the_same_question_has_the_same_answer():
    wiki = case_wiki("companies", vectors=True)
    assert wiki.context_for(QUESTION) == wiki.context_for(QUESTION) != wiki.context_for(QUESTION, budget=100)


def test_the_gate_can_be_left_open():
    wiki = case_wiki("companies")
    closed = wiki.context_for("What is the boiling point of ethanol, says OpenAI?")
    opened = wiki.context_for("What is the boiling point of ethanol, says OpenAI?", require_confidence=False)
    assert closed.confident == opened.confident
    assert opened.facts
