"""Each directory's index.md lists what is in it, between our marks and nowhere else (OKF §8, §12)."""

import pytest

from pipeline.index import index
from tests.casefile import cases
from tests.pipeline.compiled import TEMPLATES, compile_bundle, write_bundle

ANN = "== /people/a.md\ntype: Person\ntitle: Ann\n"
LISTED = b"* [Ann](a.md)\n"


def built(bundle, text="", previous=None):
    write_bundle(bundle, text)
    return index(compile_bundle(bundle), bundle, TEMPLATES, previous)


def shown(bundle):
    files = sorted(bundle.rglob("index.md"), key=lambda path: (path.parent != bundle, path))
    return "\n".join(f"== {path.relative_to(bundle)}\n{path.read_bytes().decode().rstrip()}" for path in files)


@pytest.mark.parametrize("case", cases("views/index.txt"), ids=str)
def test_listings(case, tmp_path):
    built(tmp_path, case.given)
    assert shown(tmp_path) == case.expected


def test_an_empty_bundle_has_a_root_index(tmp_path):
    built(tmp_path)
    assert (tmp_path / "index.md").read_text().startswith('---\nokf_version: "0.2"\n---\n')


@pytest.mark.parametrize("text", [
    "By hand.\n", "<!-- wiki:begin -->\n", "<!-- wiki:end -->\n<!-- wiki:begin -->\n",
    "<!-- wiki:begin -->\n<!-- wiki:end -->\n<!-- wiki:begin -->\n<!-- wiki:end -->\n", "see <!-- wiki:begin --> and\n<!-- wiki:end -->\n"])
def test_a_file_without_one_pair_of_marks_is_left_alone_and_named(tmp_path, text):
    (tmp_path / "people").mkdir()
    (tmp_path / "people/index.md").write_text(text)
    done = built(tmp_path, ANN)
    assert (tmp_path / "people/index.md").read_text() == text
    assert [(finding.path, finding.check) for finding in done.findings] == [("people/index.md", "unmanaged-index")]


def test_a_blank_file_is_taken_over(tmp_path):
    (tmp_path / "people").mkdir()
    (tmp_path / "people/index.md").write_text("\n")
    assert built(tmp_path, ANN).findings == ()
    assert LISTED in (tmp_path / "people/index.md").read_bytes()


def test_newlines_and_bytes_of_the_hand_written_part_stay(tmp_path):
    (tmp_path / "people").mkdir()
    (tmp_path / "people/index.md").write_bytes(b"\xef\xbb\xbfcaf\xe9\r\n<!-- wiki:begin -->\r\n<!-- wiki:end -->\r\nend, no newline")
    built(tmp_path, ANN)
    text = (tmp_path / "people/index.md").read_bytes()
    assert text.startswith(b"\xef\xbb\xbfcaf\xe9\r\n<!-- wiki:begin -->\r\n") and text.endswith(b"<!-- wiki:end -->\r\nend, no newline")
    assert b"* [Ann](a.md)\r\n" in text and text.count(b"\n") == text.count(b"\r\n")


def test_a_directory_that_lost_its_concepts_loses_our_block(tmp_path):
    first = built(tmp_path, ANN + "== /places/b.md\ntype: Place\n")
    (tmp_path / "places/index.md").write_text("By hand.\n" + (tmp_path / "places/index.md").read_text())
    for path in ("people/a.md", "places/b.md"):
        (tmp_path / path).unlink()
    built(tmp_path, previous=first.state)
    assert not (tmp_path / "people/index.md").exists()
    assert (tmp_path / "places/index.md").read_text() == "By hand.\n<!-- wiki:begin -->\n<!-- wiki:end -->\n"
    built(tmp_path, "== /places/b.md\ntype: Place\ntitle: Bee\n")
    assert "By hand.\n<!-- wiki:begin -->\n" in (tmp_path / "places/index.md").read_text()
    assert "* [Bee](b.md)" in (tmp_path / "places/index.md").read_text()


def test_only_what_changed_is_rendered(tmp_path, monkeypatch):
    first = built(tmp_path, ANN + "== /places/b.md\ntype: Place\ntitle: Bee\n")
    rendered = []
    monkeypatch.setattr("pipeline.index.render", lambda templates, name, **values: rendered.append(values) or "")
    assert built(tmp_path, previous=first.state).state == first.state and rendered == []
    (tmp_path / "people/index.md").write_text("<!-- wiki:begin -->\nhand-edited\n<!-- wiki:end -->\n")
    (tmp_path / "places/index.md").unlink()
    built(tmp_path, previous=first.state)
    assert [values["groups"][0][0] for values in rendered] == ["Person", "Place"]


def test_an_incremental_run_equals_a_fresh_one(tmp_path):
    first = built(tmp_path, ANN + "== /places/b.md\ntype: Place\ntitle: Bee\n")
    second = built(tmp_path, "== /places/b.md\ntype: Place\ntitle: Bay\n", first.state)
    incremental = shown(tmp_path)
    for path in tmp_path.rglob("index.md"):
        path.unlink()
    assert built(tmp_path).state == second.state and shown(tmp_path) == incremental


def test_a_template_without_a_last_newline_keeps_the_end_mark_in_a_line_of_its_own(tmp_path):
    templates = tmp_path / "templates"
    templates.mkdir()
    (templates / "index.md.j2").write_text("{{ groups | length }} types")
    bundle = tmp_path / "bundle"
    write_bundle(bundle, ANN)
    index(compile_bundle(bundle), bundle, templates)
    assert (bundle / "people/index.md").read_bytes() == b"<!-- wiki:begin -->\n1 types\n<!-- wiki:end -->\n"
