"""timeline.md holds every dated fact once, the newest last (seed §3, OKF §4)."""

import pytest
import yaml

from pipeline.timeline import timeline
from tests.casefile import cases
from tests.pipeline.compiled import TEMPLATES, compile_bundle, write_bundle


def rendered(bundle, text):
    write_bundle(bundle, text)
    timeline(compile_bundle(bundle), bundle, TEMPLATES)
    return (bundle / "timeline.md").read_bytes().decode()


@pytest.mark.parametrize("case", cases("views/timeline.txt"), ids=str)
def test_days(case, tmp_path):
    days = rendered(tmp_path, case.given).partition("# Timeline\n\n")[2]
    assert days == case.expected + "\n"


def test_it_is_a_conformant_document(tmp_path):
    text = rendered(tmp_path, "== /a.md\ntype: Person\n")
    frontmatter, body = text.removeprefix("---\n").split("---\n", 1)
    assert {"type": "Timeline", "title": "Timeline"}.items() <= yaml.safe_load(frontmatter).items()
    assert "No relation bears a date yet." in body


def test_a_file_that_would_not_change_is_not_written(tmp_path):
    rendered(tmp_path, "== /a.md\ntype: Person\n")
    before = (tmp_path / "timeline.md").stat()
    digest = timeline(compile_bundle(tmp_path), tmp_path, TEMPLATES)
    after = (tmp_path / "timeline.md").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    (tmp_path / "timeline.md").write_text("edited by hand")
    assert timeline(compile_bundle(tmp_path), tmp_path, TEMPLATES) == digest
    assert "edited" not in (tmp_path / "timeline.md").read_text()


def test_a_hub_with_thousands_of_dated_edges_is_told_once_each(tmp_path):
    def relation(predicate, object, n):
        return f'  - {{ predicate: {predicate}, object: {object}, date: "2000-01-{n % 28 + 1:02}" }}\n'

    hub = "".join(relation("member", f"/m{n}.md", n) for n in range(400))
    members = "".join(f"== /m{n}.md\ntype: Person\nrelations:\n{relation('member_of', '/hub.md', n)}" for n in range(400))
    text = rendered(tmp_path, f"== /hub.md\ntype: Organization\nrelations:\n{hub}{members}")
    assert text.count("\n* ") == 400 and text.count(" member_of ") == 400
