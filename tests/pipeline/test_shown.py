"""A view whose version stands would be rendered to the same bytes, so it need not be."""

from __future__ import annotations

import tempfile
from contextlib import closing
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.shown import SHOWN, versions
from pipeline.store import Store
from tests.build import build, views
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
