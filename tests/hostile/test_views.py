"""The rendered views are conformant OKF v0.2, whatever the fields hold; no text of an author's breaks out of its line."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from pipeline.escape import inline, one_line
from pipeline.understand import is_visible
from tests.build import build
from tests.okf_check import EXTENDED_STATUSES, concept_problems, index_problems, log_problems, okf_problems

ROOT = Path(__file__).parent.parent.parent

ANY = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40).filter(str.strip)
MARKDOWN = st.lists(st.sampled_from([*"\\`*_[](){}#+-.!|<>~&^'\"/:;=% ", "\n", "\t", "a", "1", "---", "```", "<!--", "-->", "<!-- wiki:end -->",
                                     "](", "[^1]", "&lt;", "http://x.y", "\u202e", "\u2028", "\x1b[31m", "{{ x }}", "{% raw %}"]),
                    min_size=1, max_size=12).map("".join).filter(str.strip)
TEXT = ANY | MARKDOWN


def concept(**fields: object) -> str:
    """A concept file; JSON is YAML, but for the way in which it escapes what lies beyond ASCII."""
    front = "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in fields.items())
    return "---\n" + re.sub("[^\n -~]", lambda char: f"\\U{ord(char[0]):08x}", front) + "---\nBody.\n"


def test_the_sample_bundle_and_its_views_conform(tmp_path):
    shutil.copytree(ROOT / "bundle", tmp_path / "bundle", ignore=shutil.ignore_patterns(".wiki", "wiki.db"))
    build(tmp_path / "bundle")
    assert okf_problems(tmp_path / "bundle", EXTENDED_STATUSES) == []


@settings(max_examples=settings.default.max_examples // 2)
@given(types=st.lists(TEXT, min_size=2, max_size=2), titles=st.lists(TEXT, min_size=2, max_size=2), description=TEXT,
       predicate=TEXT, literal=TEXT, name=TEXT)
@example(types=["# x", "---"], titles=["<!-- wiki:end -->", "](x)"], description="-->\n# Forged", predicate="](", literal="[x]: y", name="#")
def test_no_text_breaks_out_of_its_line(types, titles, description, predicate, literal, name):
    assume(all(any(map(is_visible, text)) for text in types))  # a type that nobody can see is none
    with tempfile.TemporaryDirectory() as folder:
        bundle = Path(folder)
        dated = [{"predicate": predicate, "object": literal, "date": "2001"}, {"predicate": predicate, "object": "/entities/b.md", "date": "2001-02"}]
        (bundle / "entities").mkdir()
        (bundle / "entities" / "a.md").write_text(concept(
            type=types[0], title=titles[0], description=description, aliases=[name], tags=[name], relations=dated), encoding="utf-8")
        (bundle / "entities" / "b.md").write_text(concept(
            type=types[1], title=titles[1], status="superseded", superseded_by="/entities/a.md", superseded_at="2001"), encoding="utf-8")
        build(bundle)
        assert okf_problems(bundle, EXTENDED_STATUSES) == []
        listing = (bundle / "entities" / "index.md").read_text(encoding="utf-8")
        assert listing.count("\n* ") == 2 and len(re.findall("^#", listing, re.MULTILINE)) in (1, 2)
        assert listing.count("<!-- wiki:begin -->") == listing.count("<!-- wiki:end -->") == 1
        timeline = (bundle / "timeline.md").read_text(encoding="utf-8")
        assert re.findall("^(?:#.*|[*] )", timeline, re.MULTILINE) == ["# Timeline", "## 2001", "* ", "## 2001-02", "* "]
        for line in (bundle / "wiki-trigger-keywords.txt").read_text(encoding="utf-8").split("\n")[2:-1]:
            assert line.strip() and not re.search("[\x00-\x1f\x7f]", line)


@given(TEXT)
def test_escaped_text_shows_as_itself(text):
    """Undoing what markdown undoes gives back the text, on one line."""
    unescaped = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", inline(text.replace("<", "").replace(">", "")))
    assert unescaped == one_line(text.replace("<", "").replace(">", ""))


@pytest.mark.parametrize("text", [
    "no frontmatter\n", "---\n- a list\n---\n", "---\na: [\n---\n", "---\ntitle: A\n---\n", "---\ntype: ' '\n---\n", "---\ntype: A\n",
    "---\ntype: A\ntags: x\n---\n", "---\ntype: A\nsources: [{ id: x }]\n---\n", "---\ntype: A\ngenerated: { by: me }\n---\n",
    "---\ntype: A\nverified: [{ by: 'human:ana' }]\n---\n", "---\ntype: A\nstatus: gone\n---\n", "---\ntype: A\nstale_after: 2026-01-01\n---\n"])
def test_the_checker_refuses_a_concept_that_does_not_conform(text):
    assert list(concept_problems(text))


@pytest.mark.parametrize("text", ["---\ntype: A\n---\n# X\n", "* [a](a.md)\n", "# X\n\n* a\n", "# X\n\n* [a](gone.md)\n", "# X\n\nprose\n", "# X\n\n* [a](a.md) - \n"])
def test_the_checker_refuses_an_index_that_does_not_conform(tmp_path, text):
    (tmp_path / "a.md").touch()
    assert list(index_problems(tmp_path / "index.md", "# X\n\n* [a](a.md) - a\n", False)) == []
    assert list(index_problems(tmp_path / "index.md", text, False))


@pytest.mark.parametrize("text", ["# Log\n\n## 1 May 2026\n", "## 2026-02-30\n", "## 2026-01-01\n\n## 2026-02-01\n", "* **Update**: x\n"])
def test_the_checker_refuses_a_log_that_does_not_conform(text):
    assert list(log_problems("# Log\n\n## 2026-02-01\n* **Update**: x.\n\n## 2026-01-01\n* y\n")) == []
    assert list(log_problems(text))
