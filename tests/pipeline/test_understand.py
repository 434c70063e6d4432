"""A page becomes a concept whose every field is valid; all that is not is told (OKF v0.2 §4, §5, §11)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.parse import MAX_BYTES, parse_page
from pipeline.understand import title_from, understand
from tests.casefile import cases


def concept_of(text, path="/entities/x.md"):
    return understand(parse_page(path, text.encode()))[0]


def front(text):
    return concept_of(f"---\ntype: Note\n{text}\n---\nBody.\n")


@pytest.mark.parametrize("case", cases("understand/findings.txt"), ids=str)
def test_findings(case):
    _, findings = understand(parse_page("/entities/x.md", case.given.encode()))
    assert "\n".join(f"{finding} {finding.level}" for finding in findings) == case.expected


@pytest.mark.parametrize("envelope", [
    "---\ntype: Note\ntitle: T\n---\nBody.\n", "\ufeff---\r\ntype: Note\r\ntitle: T\r\n---\r\nBody.\r\n",
    "---  \ntype: Note\ntitle: T\n--- \nBody.\n", "---\rtype: Note\rtitle: T\r---\rBody.\r"])
def test_bom_line_ends_and_trailing_spaces_do_not_matter(envelope):
    concept = concept_of(envelope)
    assert (concept.title, concept.body) == ("T", "Body.\n")


def test_a_fence_at_the_very_end_closes_the_block():
    assert concept_of("---\ntype: Note\ntitle: T\n---").title == "T"


def test_rules_in_the_body_are_no_fences():
    assert front("title: T").body == "Body.\n"
    assert concept_of("---\ntype: A\n---\nOne\n\n---\n\ntype: B\n").body == "One\n\n---\n\ntype: B\n"


@pytest.mark.parametrize("verified, tier", [
    ("", "unverified"), ("verified: []", "unverified"), ("verified: yes", "unverified"), ("verified: { at: 2026-01-01 }", "unverified"),
    ("verified: { by: 'process:nightly' }", "machine-confirmed"), ("verified: [{ by: tool/1 }, { by: 'process:x' }]", "machine-confirmed"),
    ("verified: { by: 'human:ana' }", "human-reviewed"), ("verified: [{ by: tool/1 }, { by: 'human:ana' }]", "human-reviewed")])
def test_trust_tier_follows_who_verified(verified, tier):
    """OKF §5.3."""
    assert front(verified).trust_tier == tier


@pytest.mark.parametrize("written, instant", [
    ("2030-01-01", "2030-01-01"), ("'2030-01-01T00:00:00'", "2030-01-01T00:00:00Z"),
    ("2030-01-01T05:30:00+05:30", "2030-01-01T00:00:00Z"), ("soon", None)])
def test_stale_after_is_an_instant_in_utc_or_a_date(written, instant):
    assert front(f"stale_after: {written}").stale_after == instant


@pytest.mark.parametrize("name, title", [("/entities/antony-blinken.md", "Antony blinken"), ("/a/x_y  z.md", "X y z"), ("/-.md", "-"), ("/日本.md", "日本")])
def test_a_missing_title_is_derived_from_the_file_name(name, title):
    assert title_from(name) == title


def test_tags_are_texts_and_the_others_are_kept_aside():
    concept = front("tags: [ai, 2009, no, ai, true]")
    assert concept.tags == ("ai", "no") and concept.extra["tags"] == [2009, True]


@pytest.mark.parametrize("written, path, literal", [
    ("/entities/y.md", "/entities/y.md", None), ("/entities/y", "/entities/y.md", None), ("/entities/y.md#part", "/entities/y.md", None),
    ("/entities/../y.md", "/y.md", None), ("'/entities/cafe\u0301.md'", "/entities/caf\u00e9.md", None),
    ("/references/y.html", None, "/references/y.html"), ("1971-07-09", None, "1971-07-09"), ("7", None, "7"), ("y", None, "y"), ("'//host/y.md'", None, "//host/y.md")])
def test_an_object_is_a_concept_path_or_a_literal(written, path, literal):
    relation, = front(f"relations: [{{ predicate: p, object: {written} }}]").relations
    assert (relation.object_path, relation.object_literal) == (path, literal)


def test_unknown_keys_are_kept():
    assert front("mood: good\nresource: https://x.org").extra == {"mood": "good", "resource": "https://x.org"}


def test_mirrored_material_is_no_concept_and_no_fault():
    assert understand(parse_page("/references/notes.md", b"# Raw\n")) == (None, ())
    assert understand(parse_page("/references/notes.md", b"---\ntitle: Raw\n---\n")) == (None, ())
    assert concept_of("---\ntype: Reference\n---\n", "/references/notes.md") is not None


def test_bad_bytes_are_read_as_replacement_characters_and_told():
    concept, findings = understand(parse_page("/x.md", b"---\ntype: Note\n---\ncaf\xe9 \x00\n"))
    assert concept.body == "caf\ufffd \ufffd\n"
    assert [(f.line, f.check, f.level) for f in findings] == [(4, "encoding", "warning")] * 2


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_a_file_in_utf_16_is_told_as_that_alone(encoding):
    concept, (finding,) = understand(parse_page("/x.md", "---\ntype: Note\n---\ncafé\n".encode(encoding)))
    assert concept is None and str(finding) == "x.md:1: is UTF-16: save it as UTF-8 [encoding]" and finding.level == "error"


@given(st.binary(max_size=400))
def test_any_bytes_can_be_read(data):
    understand(parse_page("/entities/x.md", data))
    concept, _ = understand(parse_page("/entities/x.md", b"---\ntype: Note\n---\n" + data))
    assert concept.type == "Note"


@given(st.binary(max_size=300))
def test_any_frontmatter_can_be_read(data):
    _, findings = understand(parse_page("/entities/x.md", b"---\ntype: Note\n" + data + b"\n---\n"))
    json.dumps([finding.to_dict() for finding in findings]).encode()


def test_a_file_beyond_the_limit_is_not_read():
    assert MAX_BYTES >= 2**20, "a million characters are a page that real bundles hold"
