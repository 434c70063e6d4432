"""Frontmatter that was written to break its reader, or by one who did not know better."""

import json
from unittest.mock import ANY

import pytest

from pipeline.frontmatter import read_frontmatter
from pipeline.full_yaml import MAX_DEPTH, MAX_NODES, TEXT_PER_NODE
from pipeline.parse import parse_page
from pipeline.understand import understand
from pipeline.yaml_values import FrontmatterError


def findings(front: str) -> list[str]:
    concept, found = understand(parse_page("/entities/x.md", f"---\ntype: Note\n{front}\n---\n".encode()))
    assert concept is not None
    return [f"{finding.line} {finding.check} {finding.level}" for finding in found]


def test_aliases_for_one_long_text_are_a_bomb_too():
    text = "x" * (MAX_NODES * TEXT_PER_NODE // 20)
    with pytest.raises(FrontmatterError, match="aliases stand for more than"):
        read_frontmatter(f"a: &a '{text}'\nb: [{'*a, ' * 40}]")


@pytest.mark.parametrize("shape", ["[" * 100_000, "{a: " * 100_000, "- " * 100_000, "".join(" " * n + f"k{n}:\n" for n in range(2_000))],
                         ids=["lists", "mappings", "dashes", "indents"])
def test_depth_is_refused(shape):
    with pytest.raises(FrontmatterError, match="nest"):
        read_frontmatter(f"x: {shape}" if shape[0] in "[{" else f"x:\n{shape}" if shape[0] == "-" else shape)


def test_aliases_add_to_the_depth():
    """Each list holds the one before it, so that the last is as deep as all together."""
    def chain(links, depth):
        inner = ["x", *(f"*a{number}" for number in range(links - 1))]
        return "\n".join(f"k{number}: &a{number} {'[' * depth}{inner[number]}{']' * depth}" for number in range(links))

    assert read_frontmatter(chain(2, MAX_DEPTH // 2 - 1))[0]
    with pytest.raises(FrontmatterError, match="nested more than"):
        read_frontmatter(chain(2, MAX_DEPTH // 2 + 1))
    with pytest.raises(FrontmatterError, match="nested more than"):
        read_frontmatter(chain(30, MAX_DEPTH - 5))


@pytest.mark.parametrize("number", ["9223372036854775808", "0x8000000000000000", "-" + "9" * 40, "9" * 400, "1e999"])
def test_a_number_that_not_everybody_can_hold_is_text(number):
    assert read_frontmatter(f"a: {number}\nb: [{number}]\nc: &c {number}")[0] == {"a": number, "b": [number], "c": number}
    assert read_frontmatter("a: 9223372036854775807\nb: -9223372036854775808\nc: 1e300")[0] == {"a": 2**63 - 1, "b": -2**63, "c": 1e300}


@pytest.mark.parametrize("escape", [r"\0", r"\e", r"\a", r"\x7f", r"\x9f", r"\uffff"])
def test_control_characters_never_reach_a_value(escape):
    """YAML forbids them as they are, but lets them be written as escapes."""
    values, _, faults = read_frontmatter(f'title: "a{escape}b"\n"k{escape}": 1\n')
    assert values == {"title": "a\ufffdb", "k\ufffd": 1}
    assert [(check, line) for check, _, line in faults] == [("encoding", 1), ("encoding", 2)]
    assert findings(f'title: "a{escape}b"') == ["3 encoding warning"]


@pytest.mark.parametrize("front", ["a: b: " * 100_000, "a: {" + "b: " * 100_000, "a: 'b' '" + "\\'" * 100_000, "x\u2028\x85y: z: w\n" * 9, "\ufeffa: b: c"])
def test_a_fault_is_explained_however_long_the_line_and_whatever_ends_it(front):
    with pytest.raises(FrontmatterError, match="not valid YAML: "):
        read_frontmatter(front)


def test_lines_and_tabs_in_quotes_are_text():
    assert read_frontmatter('a: "x\\ty\\nz"')[0] == {"a": "x\ty\nz"} and findings('a: "x\\ty\\nz"') == []


def test_a_lone_surrogate_is_refused_or_replaced():
    """libyaml refuses it; a reader without libyaml lets it through, and UTF-8 cannot hold it."""
    try:
        json.dumps(read_frontmatter(r'title: "\ud800"')[0], ensure_ascii=False).encode()
    except FrontmatterError as fault:
        assert "Unicode" in str(fault)


@pytest.mark.parametrize("written, read", [
    (r'"\ud83d\ude00 \uD83D\uDE00\ud83d\ude00"', "😀 😀😀"), (r'"\\\ud83d\ude00"', r"\😀"), (r'"\\ud83d\\ude00 \ud83d\ude00"', r"\ud83d\ude00 😀"),
    (r"\ud83d\ude00", r"\ud83d\ude00"), (r"'\ud83d\ude00'", r"\ud83d\ude00"), ("|-\n  \\ud83d\\ude00", r"\ud83d\ude00"),
    ('"\ue000\\ue001 \\ud83d\\ude00"', "\ue000\ue001 😀")])
def test_a_character_escaped_as_json_does_it_is_one_character(written, read):
    """In two halves; in double quotes alone, for elsewhere a backslash is a backslash."""
    assert read_frontmatter(f"title: {written}\ntags: [x]") == ({"title": read, "tags": ["x"]}, ANY, [])


def test_a_million_characters_of_such_escapes_are_read():
    assert read_frontmatter('"\\ud83d\\ude00": "' + r"\ud83d\ude00" * 100_000 + '"')[0] == {"😀": "😀" * 100_000}


@pytest.mark.parametrize("front, expected", [
    ("sources: [{ id: [a], resource: x }, { id: { a: b }, resource: y }]", ["3 sources warning"] * 2),
    ("tags: 7", ["3 tags warning"]), ("tags: true", ["3 tags warning"]), ("tags: { a: b }", ["3 tags warning"]),
    ("relations: [{ predicate: p, object: o, date: '٢٠٠١' }]", ["3 relation-date warning"])])
def test_a_value_of_another_kind_is_told(front, expected):
    assert findings(front) == expected


@pytest.mark.parametrize("nothing", ['""', '" "', '"\\u00a0"', '"\\u200b"', '"\\u202e"', "~"])
def test_what_nobody_can_see_is_blank(nothing):
    """White space, and the marks that only reorder or join what stands around them."""
    concept, found = understand(parse_page("/entities/ann-lee.md", f"---\ntype: Note\ntitle: {nothing}\n---\n".encode()))
    assert concept.title == "Ann lee" and all(finding.check == "title" for finding in found)
    concept, found = understand(parse_page("/entities/x.md", f"---\ntype: {nothing}\n---\n".encode()))
    assert concept is None and [str(finding) for finding in found] == ["entities/x.md:1: type: missing or empty, and every concept needs one [type]"]


@pytest.mark.parametrize("text", ["\U00014647", "\ue000"])
def test_a_character_this_unicode_does_not_know_yet_is_a_character(text):
    assert understand(parse_page("/entities/x.md", f'---\ntype: "{text}"\n---\n'.encode()))[0].type == text
