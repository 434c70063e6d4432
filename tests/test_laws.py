"""The laws of the build: incremental equals fresh, idempotent, nothing lost. Held on random sequences of edits."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import closing
from pathlib import Path

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.validate import findings
from retrieval import Wiki
from tests.build import build, contents, views

PATHS = ("entities/ann.md", "entities/bob.md", "entities/carol.md", "entities/deep/ann.md", "notes/über.md", "top.md")
BODIES = (
    "Ann met [Bob](/entities/bob.md) in [[Carol]].\n",
    "# Life\n\n" + "Born in Lagos. " * 80 + "\n\n# Work\n\n" + "Went to [[bob|Bob]] and [[Ann Lee]]. " * 40,
    "東京の人口は多い。\n\n[up](../top.md) [[über]]\n",
    "",
)
RELATIONS = (
    "",
    "relations:\n  - { predicate: knows, object: /entities/bob.md, date: '2001-05', source: s }\nsources:\n  - { id: s, resource: x }\n",
    "relations:\n  - { predicate: known_by, object: /entities/ann.md, date: '2001-05' }\n  - { predicate: born_on, object: '1970' }\n",
    "status: superseded\nsuperseded_by: /entities/carol.md\nsuperseded_at: '2010'\n",
    "supersedes: [/entities/ann.md]\nverified: { by: 'human:ana', at: '2020-01-01' }\n",
)
BROKEN = ("no frontmatter at all\n", "---\ntype: [\n---\n", "---\ntitle: No type\n---\n")
QUESTIONS = ("Who is Ann Lee?", "Whom did Ann meet in 2001?", "What happened before Carol?", "東京の人口", "How do I fix a flat bicycle tire?")

sound = st.builds(
    lambda title, relations, body: f"---\ntype: Person\ntitle: {title}\n{relations}---\n{body}",
    st.sampled_from(("Ann Lee", "Bob", "Carol", "Ann", "C++")), st.sampled_from(RELATIONS), st.sampled_from(BODIES))
paths = st.sampled_from(PATHS)
edits = st.one_of(
    st.tuples(st.just("write"), paths, sound),
    st.tuples(st.just("write"), paths, sound),
    st.tuples(st.just("write"), paths, st.sampled_from(BROKEN)),
    st.tuples(st.just("remove"), paths),
    st.tuples(st.just("move"), paths, paths),
    st.tuples(st.just("touch"), paths),
    st.tuples(st.just("revert"), paths),
    st.tuples(st.just("build")),
)


def apply(bundle: Path, edit: tuple, before: dict[str, str]) -> None:
    """Do one edit; `before` holds what each file said before its last writing."""
    kind, *rest = edit
    file = bundle / rest[0] if rest else bundle
    if kind == "build":
        build(bundle)
    elif kind == "write":
        if file.exists():
            before[rest[0]] = file.read_text(encoding="utf-8")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(rest[1], encoding="utf-8")
    elif kind == "revert" and rest[0] in before:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(before[rest[0]], encoding="utf-8")
    elif file.exists() and kind == "remove":
        file.unlink()
    elif file.exists() and kind == "move":
        target = bundle / rest[1]
        target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(file, target)
    elif file.exists() and kind == "touch":
        os.utime(file)


def mend(bundle: Path) -> None:
    """Take broken files away: while one is broken, its last good row is history, which no fresh build can know."""
    for file in bundle.rglob("*.md"):
        if file.read_text(encoding="utf-8") in BROKEN:
            file.unlink()


def answers(bundle: Path) -> list[dict]:
    wiki = Wiki(bundle)
    return [wiki.context_for(question, today="2026-01-01", require_confidence=gate).to_dict() for question in QUESTIONS for gate in (True, False)]


@given(st.lists(edits, min_size=1, max_size=14))
def test_an_incremental_build_equals_a_fresh_one(sequence):
    """Law 1: rows, views byte for byte, and answers."""
    with tempfile.TemporaryDirectory() as folder:
        bundle, fresh = Path(folder, "bundle"), Path(folder, "fresh")
        bundle.mkdir()
        before: dict[str, str] = {}
        for edit in sequence:
            apply(bundle, edit, before)
        mend(bundle)
        build(bundle)
        shutil.copytree(bundle, fresh, ignore=lambda _, names: [name for name in names if name in (".wiki", "wiki.db", "index.md", "timeline.md")])
        build(fresh)
        assert contents(bundle) == contents(fresh)
        assert views(bundle) == views(fresh)
        assert answers(bundle) == answers(fresh)


@given(st.lists(edits, min_size=1, max_size=8))
@settings(max_examples=20)
def test_a_second_build_changes_no_row_and_no_view(sequence):
    """Law 2, at the level of stages; doit adds that no task runs."""
    with tempfile.TemporaryDirectory() as folder:
        bundle = Path(folder)
        for edit in sequence:
            apply(bundle, edit, {})
        build(bundle)
        before = contents(bundle), views(bundle)
        build(bundle)
        assert (contents(bundle), views(bundle)) == before


@pytest.mark.parametrize("broken", BROKEN)
def test_a_file_that_stops_parsing_keeps_its_last_good_row_marked(tmp_path, broken):
    """Law 4."""
    apply(tmp_path, ("write", "entities/ann.md", "---\ntype: Person\ntitle: Ann Lee\n---\nAnn likes zanzibarite.\n"), {})
    apply(tmp_path, ("write", "entities/bob.md", "---\ntype: Person\ntitle: Bob\n---\n"), {})
    build(tmp_path)
    apply(tmp_path, ("write", "entities/ann.md", broken), {})
    apply(tmp_path, ("write", "entities/bob.md", "---\ntype: Person\ntitle: Robert\n---\n"), {})
    build(tmp_path)
    db = apsw.Connection(str(tmp_path / "wiki.db"), flags=apsw.SQLITE_OPEN_READONLY)
    rows = dict((path, (title, error)) for path, title, error in db.execute("select _path, title, parse_error from concepts"))
    assert rows["/entities/bob.md"] == ("Robert", None), "the others are built"
    assert rows["/entities/ann.md"][0] == "Ann Lee" and rows["/entities/ann.md"][1]
    assert db.execute("select count(*) from concepts_fts where concepts_fts match 'zanzibarite'").get == 1


def test_a_build_from_the_page_cache_keeps_the_last_good_row_and_all_findings(tmp_path):
    """Law 4, when build.db is lost."""
    apply(tmp_path, ("write", "ann.md", "---\ntype: Person\ntitle: Ann Lee\n---\n[Bob](bob.md)\n"), {})
    apply(tmp_path, ("write", "bob.md", "---\ntype: Person\ntitle: Bob\nstatus: odd\n---\n"), {})
    build(tmp_path)
    apply(tmp_path, ("write", "ann.md", BROKEN[0]), {})
    store = build(tmp_path)
    before = contents(tmp_path), told(store)
    for name in ("build.db", "doit.db"):
        (store.folder / name).unlink(missing_ok=True)
    store = build(tmp_path)
    assert (contents(tmp_path), told(store)) == before
    assert len(before[1]) == 2


def told(store):
    with closing(store.open()) as db:
        return findings(db)


def test_a_build_never_edits_a_concept_file(tmp_path):
    """Law 4."""
    for number, text in enumerate((*BROKEN, "---\ntype: A\n---\n[[x]]\r\n", "\ufeff---\ntype: B\n---")):
        apply(tmp_path, ("write", f"n{number}.md", text), {})
    before = {file: (file.read_bytes(), file.stat().st_mtime_ns) for file in tmp_path.glob("n*.md")}
    build(tmp_path)
    assert before == {file: (file.read_bytes(), file.stat().st_mtime_ns) for file in tmp_path.glob("n*.md")}
