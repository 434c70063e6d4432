"""wiki.db or the working state damaged in place: an answer or one sentence with the remedy, and a build that mends it."""

from __future__ import annotations

import random
import shutil

import apsw
import pytest

from retrieval import Wiki, context_for
from retrieval.__main__ import FAULT, main
from retrieval.damage import damage_told
from retrieval.errors import WikiBusy, WikiDamaged, WikiError
from tests.build import build, contents, views
from tests.casefile import CASES
from tests.retrieval.bundles import write_pages
from tests.stub_embedder import StubEmbedder
from tests.test_doit import doit, ran, rows, write

PAGE = 16384
QUESTIONS = ("Who is Marc Andreessen?", "Why was OpenAI founded in 2015?", "What was before Netscape?")
HARMS = {
    "noise": lambda page, other: random.Random(7).randbytes(len(page)),
    "zeros": lambda page, other: bytes(len(page)),
    "a-torn-sector": lambda page, other: page[:-700] + random.Random(7).randbytes(512) + page[-188:],
    "another-page": lambda page, other: other[-len(page):],
}


def harmed(data: bytes, page: int, harm: str) -> bytes:
    """`data` with one page damaged; the header stays whole."""
    start, stop = max(100, page * PAGE), (page + 1) * PAGE
    other = data[-PAGE:] if page * PAGE < len(data) // 2 else data[PAGE:2 * PAGE]
    return data[:start] + HARMS[harm](data[start:stop], other) + data[stop:]


@pytest.fixture(scope="module")
def companies(tmp_path_factory):
    """A small wiki with vectors."""
    folder = tmp_path_factory.mktemp("companies")
    write_pages((CASES / "retrieval/ranking_bundles/companies.txt").read_text(encoding="utf-8"), folder)
    build(folder, StubEmbedder())
    return folder, (folder / "wiki.db").read_bytes()


@pytest.mark.parametrize("harm", HARMS)
def test_whatever_page_is_damaged_a_question_is_answered_or_refused_in_a_sentence(companies, harm):
    bundle, whole = companies
    refused = 0
    for page in range(len(whole) // PAGE):
        (bundle / "wiki.db").write_bytes(harmed(whole, page, harm))
        for question in QUESTIONS:
            try:
                Wiki(bundle, StubEmbedder()).context_for(question, require_confidence=False).to_dict()
            except WikiError as fault:
                refused += 1
                assert "run `doit" in str(fault)
    assert refused


def test_the_command_says_it_in_one_sentence(companies, capsys):
    bundle, whole = companies
    (bundle / "wiki.db").write_bytes(whole[:PAGE] + random.Random(7).randbytes(len(whole) - PAGE))
    assert main(["--bundle", str(bundle), QUESTIONS[0]]) == FAULT
    shown = capsys.readouterr()
    assert shown.out == "" and shown.err.count("\n") == 1 and "run `doit reindex`" in shown.err


def test_a_bug_is_not_taken_for_damage(companies):
    bundle, whole = companies
    for data, told in ((whole, ZeroDivisionError), (harmed(whole, 2, "noise"), WikiDamaged)):
        (bundle / "wiki.db").write_bytes(data)
        with pytest.raises(told), damage_told(bundle / "wiki.db"):
            1 / 0


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """Sixty people compiled by doit without vectors, and what an edit of one of them comes to when built from nothing."""
    bundle, fresh = tmp_path_factory.mktemp("people"), tmp_path_factory.mktemp("fresh")
    for folder in (bundle, fresh):
        (folder / "wiki.yaml").write_text("embedding: { backend: none }\n")
        for number in range(60):
            write(folder, number, f"tea number {number} " * 100)
    write(fresh, 2, "cocoa")
    build(fresh)
    assert doit(bundle).returncode == 0
    return bundle, (contents(fresh), views(fresh))


@pytest.mark.parametrize("name, pages", [("build.db", (1, 5, 9)), ("cache.db", (1, 4, 8)), ("doit.db", (0,)), ("vectors.db", (0,))])
def test_a_damaged_page_of_the_working_state_is_noticed_told_and_built_anew(compiled, tmp_path, name, pages):
    """Also one in the middle of a text, which SQLite itself takes for what was written."""
    whole, wanted = compiled
    for page in pages:
        bundle = tmp_path / f"{name}-{page}"
        shutil.copytree(whole, bundle)
        file = bundle / ".wiki" / name
        size = min(PAGE, file.stat().st_size)
        data = bytearray(file.read_bytes())
        start = max(100, page * size)
        data[start:(page + 1) * size] = random.Random(page).randbytes((page + 1) * size - start)
        file.write_bytes(data)
        write(bundle, 2, "cocoa")
        done = doit(bundle)
        assert done.returncode == 0 and "Traceback" not in done.stdout + done.stderr
        assert name in ("cache.db", "vectors.db") or "damaged" in done.stderr
        assert (contents(bundle), views(bundle)) == wanted
        assert set(ran(bundle)) <= {"parse"} and ran(bundle) == []  # the first stages ran before a later one met the damage


@pytest.mark.parametrize("command", ["", "reindex"])
def test_a_damaged_wiki_is_published_again(compiled, tmp_path, command):
    bundle = tmp_path / "bundle"
    shutil.copytree(compiled[0], bundle)
    before = contents(bundle)
    data = (bundle / "wiki.db").read_bytes()
    (bundle / "wiki.db").write_bytes(harmed(data, 2, "noise"))
    assert doit(bundle, *command.split()).returncode == 0
    assert contents(bundle) == before and rows(bundle, "pragma integrity_check") == [("ok",)]


def test_a_wiki_that_another_program_holds_locked_is_told_in_a_sentence(tmp_path):
    (tmp_path / "a.md").write_text("---\ntype: Note\ntitle: Walnut\n---\nTimber.\n")
    build(tmp_path)
    other = apsw.Connection(str(tmp_path / "wiki.db"))
    other.execute("begin exclusive")
    with pytest.raises(WikiBusy, match="ask again"):
        context_for("What is walnut?", bundle=tmp_path)
    other.execute("rollback")
    assert context_for("What is walnut?", bundle=tmp_path, require_confidence=False).text
