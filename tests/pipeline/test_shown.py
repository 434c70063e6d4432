"""A view whose version stands would be rendered to the same bytes, so it need not be."""

from __future__ import annotations

import tempfile
from contextlib import closing
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.shown import SHOWN, versions
from pipeline.store import Store
from pipeline.timeline import timeline
from tests.build import build, views
from tests.pipeline.compiled import TEMPLATES, compile_bundle
from tests.test_doit import bundle, ran, write  # noqa: F401  (a fixture among them)
from tests.test_laws import apply, edits

FILES = {"timeline": "timeline.md", "index": "index.md", "keywords": "wiki-trigger-keywords.txt"}


def state(bundle: Path) -> dict[str, tuple[int, dict[str, bytes]]]:
    """Of each view its version, and its files."""
    build(bundle)
    with closing(Store(bundle).open()) as db:
        counted = versions(db)
    files = views(bundle)
    return {view: (counted[view], {path: text for path, text in files.items() if Path(path).name == name})
            for view, name in FILES.items()}


@given(st.lists(edits, min_size=2, max_size=8))
@settings(max_examples=40)
def test_no_view_changes_while_its_version_stands(sequence):
    with tempfile.TemporaryDirectory() as folder:
        bundle, before = Path(folder), {}
        last = state(bundle)
        for edit in sequence:
            apply(bundle, edit, before)
            now = state(bundle)
            for view in SHOWN:
                assert now[view][0] != last[view][0] or now[view][1] == last[view][1], view
            last = now


PATHS = ("/a.md", "/b.md", "/c.md")
relations = st.builds(
    "  - {{ predicate: {}, object: {}, date: '{}' }}\n".format,
    st.sampled_from(("knows", "known_by", "leads", "led_by")), st.sampled_from((*PATHS, "x")),
    st.sampled_from(("2001", "2001-05", "2001-05-03", "2001-05-21", "2002")))
people = st.builds(
    lambda title, successor, facts: f"---\ntype: Person\ntitle: {title}\n{successor}relations:\n{''.join(facts)}---\n",
    st.sampled_from(("Ann", "Bob")), st.sampled_from(("", *(f"status: superseded\nsuperseded_by: {path}\n" for path in PATHS))),
    st.lists(relations, max_size=4))


@given(st.lists(st.tuples(st.sampled_from(PATHS), st.none() | people), min_size=4, max_size=14))
@settings(max_examples=80)
def test_the_timeline_rendered_by_parts_is_the_one_rendered_whole(sequence):
    """Concepts are written and removed; None stands for the latter."""
    with tempfile.TemporaryDirectory() as folder:
        bundle = Path(folder)
        for path, text in sequence:
            file = bundle / path[1:]
            file.unlink(missing_ok=True) if text is None else file.write_text(text, encoding="utf-8")
            with closing(compile_bundle(bundle)) as db:
                timeline(db, bundle, TEMPLATES)
                by_parts = (bundle / "timeline.md").read_text(encoding="utf-8")
                db.execute("update rendered set template = ''")
                timeline(db, bundle, TEMPLATES)
                assert (bundle / "timeline.md").read_text(encoding="utf-8") == by_parts


def test_predicates_that_are_inverses_no_more_are_told_apart_on_every_date(tmp_path):
    def told(path: str, *facts: tuple[str, str, str]) -> str:
        lines = "".join("  - {{ predicate: {}, object: {}, date: '{}' }}\n".format(*fact) for fact in facts)
        (tmp_path / path).write_text(f"---\ntype: Person\nrelations:\n{lines}---\n", encoding="utf-8")
        with closing(compile_bundle(tmp_path)) as db:
            timeline(db, tmp_path, TEMPLATES)
        return (tmp_path / "timeline.md").read_text(encoding="utf-8").partition("## 2001")[2].partition("## 2002")[0]

    told("a.md", ("leads", "/b.md", "2001"))
    assert told("b.md", ("led_by", "/a.md", "2001")).count("* ") == 1
    assert told("c.md", *((predicate, f"/{name}.md", "2002") for predicate in ("leads", "led_by") for name in "ab")).count("* ") == 2


def test_an_edit_counts_for_the_views_that_show_it_and_for_no_other(tmp_path):
    def versions_of(frontmatter: str, body: str = "") -> dict[str, int]:
        (tmp_path / "ann.md").write_text(f"---\ntype: Person\n{frontmatter}---\n{body}", encoding="utf-8")
        return {view: version for view, (version, _) in state(tmp_path).items()}

    def raised(before: dict[str, int], after: dict[str, int]) -> set[str]:
        return {view for view in SHOWN if after[view] != before[view]}

    first = versions_of("title: Ann\n")
    prose = versions_of("title: Ann\n", "She lives in Lagos.\n")
    assert raised(first, prose) == set()
    tagged = versions_of("title: Ann\ntags: [ruler]\n")
    assert raised(prose, tagged) == {"keywords"}
    dated = versions_of("title: Ann\ntags: [ruler]\nrelations: [{ predicate: born_on, object: '1970', date: '1970' }]\n")
    assert raised(tagged, dated) == {"timeline"}
    assert raised(dated, versions_of("title: Anna\n")) == set(SHOWN)


def test_doit_renders_no_view_for_an_edit_of_prose(bundle):  # noqa: F811
    ran(bundle)
    write(bundle, 3, "coffee")
    assert ran(bundle) == ["parse", "validate", "edges", "fts", "embeddings", "wiki", "verdict"]
