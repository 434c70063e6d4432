"""What `plain_yaml` reads, the parser reads the same way; all else it leaves to the parser."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings, strategies as st

from pipeline.full_yaml import read_full
from pipeline.plain_yaml import Intricate, read_plain
from pipeline.yaml_values import FrontmatterError

PLAIN = """\
# A comment.
type: Person
title: Ada Lovelace
description: "Wrote the \\"first program\\" (C:\\\\NOTE) : in 1843."
tags: [math, 'computing', 1843]

aliases:
- Ada
- "Countess of Lovelace"
relations:
  - { predicate: wrote, object: /works/note-g.md, date: "1843" }
  - predicate: knew
    object: /people/babbage.md
    # as told in her letters
    source: letters
  - {}
generated: { by: notes/1, at: 2026-01-01T00:00:00Z }
verified:
  by: human:ana
  at: 2026-01-02
sources:
  - { id: letters, resource: https://example.org/letters, title: 'Letters, 1830' }
born: 1815
alive: false
stale_after:
"""

INTRICATE = {
    "an escape of another sign": 'title: "a\\tb"',
    "a quote in quotes": "title: 'it''s'",
    "a text of several lines": "title: a\n  b",
    "a block of text": "title: |\n  a",
    "an anchor": "title: &a b",
    "an alias": "a: b\nc: *a",
    "a tag": "title: !!str 1",
    "a comment behind a value": "title: a # b",
    "a mapping in a plain value": "title: a: b",
    "a key twice": "a: 1\na: 2",
    "a key twice in an entry": "a:\n  - b: 1\n    b: 2",
    "a key twice in braces": "a: { b: 1, b: 2 }",
    "a list in a list": "a:\n  - - b",
    "a mapping in a mapping": "a:\n  b:\n    c: d",
    "a list in braces": "a: { b: [c] }",
    "braces over two lines": "a: { b: c,\n  d: e }",
    "another indent": "a:\n  - b\n - c",
    "an entry further left": "a:\n  - b: 1\n   c: 2",
    "a key without space": "a:b",
    "a key in quotes": '"a": b',
    "a tab": "a:\tb",
    "no key": "text",
    "two documents": "a: b\n---\nc: d",
    "a byte order mark inside": "a: b\ufeffc",
}


def parsed(text: str):
    """What the parser makes of a text, types and order told apart; None for a fault."""
    try:
        values, lines, faults = read_full(text)
    except FrontmatterError:
        return None
    return None if faults else (repr(values), list(lines.items()))


def plainly(text: str):
    values, lines = read_plain(text)
    return repr(values), list(lines.items())


def test_plain_frontmatter_is_read_as_the_parser_reads_it():
    assert plainly(PLAIN) == parsed(PLAIN)


@pytest.mark.parametrize("text", INTRICATE.values(), ids=INTRICATE)
def test_the_rest_is_left_to_the_parser(text):
    with pytest.raises(Intricate):
        read_plain(text)


words = st.text(st.sampled_from("ab:#-,'\"[]{}&*!|>%@`?~./ \\1é·\u2028\t\ue000"), max_size=8)
atoms = st.one_of(words, st.sampled_from([
    "Ada", "1843", "0x1F", "1e3", "-.5", "no", "true", "null", "~", "", "2026-08-09", "human:ana", "https://a.b/c?d#e", "a b", "it's", "/a/b.md",
    '"quoted"', "'single'", '""', "''", '"a, b"', "'a: b'", '"\\n"', '"\\"a\\\\ b\\""', "# c", "- a", "? a", "<<"]))
keys = st.one_of(st.sampled_from(["type", "title", "tags", "relations", "sources", "extra", "a-b", "y", "é", "a b", "'q'"]), words)
pairs = st.builds("{}:{}{}".format, keys, st.sampled_from([" ", " ", " ", "  ", ""]), atoms)
items = st.one_of(pairs, atoms)
flows = st.builds("{}{}{}{}{}".format, st.sampled_from(["{ ", "{", "["]), st.lists(items, max_size=4).map(", ".join),
                  st.sampled_from(["", ",", ", ", " "]), st.sampled_from([" }", "}", "]"]), st.sampled_from(["", "", " ", " # c", "x"]))
values = st.one_of(atoms, flows, pairs)
lines = st.builds("{}{}{}".format, st.sampled_from(["", "", "", "  ", "  ", "    ", "      ", " "]), st.sampled_from(["", "", "- ", "-   ", "-"]),
                  st.one_of(values, st.builds("{}:{}{}".format, keys, st.sampled_from([" ", " ", ""]), values), st.just("# c"), st.just("")))


@given(st.lists(lines, max_size=8).map("\n".join))
@settings(max_examples=500)
def test_any_text_is_read_as_the_parser_reads_it_or_left_to_it(text):
    try:
        read = plainly(text)
    except Intricate:
        return
    assert read == parsed(text)


@pytest.mark.parametrize("text", ["a: { b: x" + " " * 90_000 + "# }", "a: [" + "x:" * 40_000 + "# ]", "a: " + "{" * 90_000, " " * 90_000 + "x", "a" * 90_000])
def test_no_text_takes_long(text):
    started = time.process_time()
    with pytest.raises(Intricate):
        read_plain(text)
    assert time.process_time() - started < 1
