"""Frontmatter reads as YAML 1.2 core schema says, whatever YAML 1.1 would make of it (seed §10.1, §10.2)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.frontmatter import line_of, read_frontmatter
from pipeline.yaml_values import TEXT_KEYS, FrontmatterError
from tests.casefile import cases


@pytest.mark.parametrize("case", cases("parse/frontmatter.txt"), ids=str)
def test_values(case):
    assert read_frontmatter(case.given)[0] == json.loads(case.expected)


@pytest.mark.parametrize("case", cases("parse/frontmatter-faults.txt"), ids=str)
def test_faults_name_their_line(case):
    with pytest.raises(FrontmatterError) as fault:
        read_frontmatter(case.given)
    assert f"{fault.value.line}: {fault.value}" == case.expected


def test_every_key_and_entry_has_its_line():
    _, lines, _ = read_frontmatter(
        "type: X\nrelations:\n  - { predicate: p,\n      date: '2019' }\n  - predicate: q\n    date: '2020'\n"
        "generated:\n  by: ann\ntags: [a, b,\n  c]\n")
    expected = {"type": 1, "relations": 2, "relations[0]": 3, "relations[0].predicate": 3, "relations[0].date": 4,
                "relations[1].predicate": 5, "relations[1].date": 6, "relations[1].missing": 5, "generated.by": 8,
                "tags[1]": 9, "tags[2]": 10, "missing": 0}
    assert {address: line_of(address, lines) for address in expected} == expected


def test_a_key_that_stands_twice_keeps_the_lines_of_its_first_value():
    _, lines, _ = read_frontmatter("relations: [{ predicate: p, date: x }]\nrelations:\n  - predicate: q\n    date: y\n")
    assert line_of("relations[0].date", lines) == 1


def test_a_key_that_stands_twice_keeps_its_first_value_and_is_told():
    values, _, faults = read_frontmatter("title: First\ntitle: Second\n")
    assert values == {"title": "First"} and faults == [("duplicate-key", "the key 'title' stands twice; the first is used", 2)]


def test_an_alias_bomb_is_refused_before_it_is_built():
    levels = "\n".join(f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join(['*' + chr(97 + n)] * 10)}]" for n in range(9))
    with pytest.raises(FrontmatterError, match="aliases stand for more than"):
        read_frontmatter("a: &a [x, x, x, x, x, x, x, x, x, x]\n" + levels)


@given(st.text())
def test_any_text_reads_or_is_refused(text):
    try:
        json.dumps(read_frontmatter(text)[0], allow_nan=False)
    except FrontmatterError as fault:
        assert fault.line >= 1


_PRINTABLE = st.text(st.characters(min_codepoint=32, max_codepoint=126))


@given(st.dictionaries(st.from_regex(r"[a-z_]{1,12}", fullmatch=True),
                       st.none() | st.booleans() | st.integers(-2**63, 2**63 - 1) | _PRINTABLE | st.lists(_PRINTABLE, max_size=4), max_size=5))
def test_json_reads_as_itself(data):
    """YAML 1.2 was made to contain JSON; whole numbers beyond 64 bits apart."""
    text_keys = {key: value for key, value in data.items() if key not in TEXT_KEYS}
    assert read_frontmatter(json.dumps(text_keys))[0] == text_keys
