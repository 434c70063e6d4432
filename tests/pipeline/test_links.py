"""Links in prose are found as CommonMark and Obsidian write them, and nowhere else."""

import pytest

from pipeline.links import SENTENCE_LIMIT, links_in
from tests.casefile import cases


@pytest.mark.parametrize("case", cases("parse/links.txt"), ids=str)
def test_links_in_a_body(case):
    found = [f'{link.line}: {link.target.replace("<", "").replace(">", "")} "{link.text}"' for link in links_in(case.given)]
    assert "\n".join(found) == case.expected


def test_lines_count_from_the_start_of_the_file():
    assert [link.line for link in links_in("a\n[x](x.md)", first_line=8)] == [9]


@pytest.mark.parametrize("body, sentence", [
    ("First one. He met [Ann](a.md) in May. Last.", "He met [Ann](a.md) in May."),
    ("# Title\n\nA [link](a.md)\nover two lines\n\nnext", "A [link](a.md) over two lines"),
    ("- one\n- two [a](a.md) here\n- three", "- two [a](a.md) here"),
])
def test_a_link_comes_with_its_sentence(body, sentence):
    assert links_in(body)[0].sentence == sentence


def test_a_long_sentence_is_cut_around_the_link():
    link, = links_in("word " * 500 + "[a](a.md) " + "word " * 500)
    assert "[a](a.md)" in link.sentence and len(link.sentence) <= SENTENCE_LIMIT


@pytest.mark.parametrize("body", [
    "[a](a.md)" + "<!--" * 250_000, "[a](a.md)-->" + "<!--" * 250_000,
    "[" * 50_000, "[a](" * 30_000, "`" * 50_001, "[[" * 30_000, "![" * 30_000 + "](", "[a]" * 30_000, "<!--" * 20_000,
    "word " * 200_000, "[a](x.md)" * 5_000, "```\n" * 20_001, "` `` " * 20_000, "(((((" * 20_000 + "[a](", "\\[" * 40_000])
def test_hostile_bodies_neither_hang_nor_raise(body):
    assert all(link.line >= 1 for link in links_in(body))
