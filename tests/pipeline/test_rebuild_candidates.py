"""Seed §7.6: in scope is what cites `references/`; what a person touched is marked; nothing is changed."""

import json

import pytest

from pipeline.provenance import reference_path
from pipeline.rebuild_candidates import as_json, as_text, rebuild_candidates
from tests.compile import compile_bundle

CONCEPT = """\
---
type: Person
title: {title}
generated: {{ by: "{by}", at: "2026-01-01T00:00:00Z" }}
{more}sources:
  - {{ id: one, resource: {resource} }}
---

Text.
"""


def page(title, resource, by="agent/1", more=""):
    return CONCEPT.format(title=title, resource=resource, by=by, more=more)


@pytest.fixture
def bundle(tmp_path):
    bundle = tmp_path / "bundle"
    files = {
        "entities/ada.md": page("Ada", "references/letters.txt"),
        "entities/bob.md": page("Bob", "/references/letters.txt", more='verified: { by: "human:reviewer", at: "2026-01-02" }\n'),
        "entities/eve.md": page("Eve", "../references/gone.html", by="human:eve", more="status: superseded\n"),
        "concepts/filed-back.md": page("Filed back", "https://example.org/references/letters.txt"),
        "concepts/talk.md": "---\ntype: Concept\ntitle: Talk\n---\n\nNo sources.\n",
        "references/letters.txt": "Letters.\n",
    }
    for name, text in files.items():
        (bundle / name).parent.mkdir(parents=True, exist_ok=True)
        (bundle / name).write_text(text, encoding="utf-8")
    return bundle


def test_candidates_stand_by_reference(bundle):
    found = rebuild_candidates(compile_bundle(bundle), bundle)
    assert as_text(found) == """\
/references/gone.html (the file is missing)
  ! /entities/eve.md (human:eve; git cannot tell whether it was edited; superseded)

/references/letters.txt
  ! /entities/ada.md (git cannot tell whether it was edited)
  ! /entities/bob.md (human:reviewer; git cannot tell whether it was edited)

In scope: 3 of 5 concepts; the others cite no reference and are never part of a rebuild.
Marked !, and replaced only with a person's yes: 3.
"""


def test_json_says_the_same(bundle):
    data = json.loads(as_json(rebuild_candidates(compile_bundle(bundle), bundle)))
    assert [(one["reference"], one["exists"]) for one in data["references"]] == [
        ("/references/gone.html", False), ("/references/letters.txt", True)]
    assert data["references"][1]["concepts"][1] == {
        "path": "/entities/bob.md", "title": "Bob", "references": ["/references/letters.txt"], "status": "stable",
        "human": ["human:reviewer"], "edits": "unknown", "needs_yes": True}
    assert data["out_of_scope"] == 2


def test_a_bundle_without_references_has_no_candidates(tmp_path):
    (tmp_path / "a.md").write_text("---\ntype: Person\n---\n", encoding="utf-8")
    assert as_text(rebuild_candidates(compile_bundle(tmp_path), tmp_path)).startswith("In scope: 0 of 1 concepts")


@pytest.mark.parametrize("resource, page, reference", [
    ("references/a.html", "/entities/x.md", "/references/a.html"),
    ("/references/a.html", "/entities/x.md", "/references/a.html"),
    ("./references/a%20b.html#part", "/entities/x.md", "/references/a b.html"),
    ("../references/a.html", "/entities/x.md", "/references/a.html"),
    ("a.html", "/references/x.md", "/references/a.html"),
    ("https://example.org/references/a.html", "/entities/x.md", None),
    ("../../references/a.html", "/entities/x.md", None),
    ("all queries in project X", "/entities/x.md", None),
    ("references", "/entities/x.md", None),
    (None, "/entities/x.md", None),
    (7, "/entities/x.md", None),
])
def test_how_a_resource_names_a_reference(resource, page, reference):
    assert reference_path(resource, page) == reference
