"""wiki-trigger-keywords.txt holds the names a prompt hook looks for (seed §3, §12)."""

import pytest

from pipeline.keywords import keywords
from tests.casefile import cases
from tests.pipeline.compiled import TEMPLATES, compile_bundle, write_bundle


def lines(bundle, text):
    write_bundle(bundle, text)
    keywords(compile_bundle(bundle), bundle, TEMPLATES)
    return (bundle / "wiki-trigger-keywords.txt").read_bytes().decode().splitlines()


@pytest.mark.parametrize("case", cases("views/keywords.txt"), ids=str)
def test_keywords(case, tmp_path):
    assert [line for line in lines(tmp_path, case.given) if not line.startswith("# ")] == case.expected.split("\n")


def test_the_header_cannot_be_taken_for_a_keyword_nor_a_keyword_for_it(tmp_path):
    found = lines(tmp_path, '== /a.md\ntype: Note\ntitle: "# Titles"\naliases: ["#xy"]\ntags: ["#MeToo"]\n')
    assert [line.startswith("# ") for line in found] == [True, True, *[False] * 5]
    assert not [line for line in found[2:] if line != line.strip() or not line]


def test_an_empty_bundle_has_only_the_header(tmp_path):
    assert all(line.startswith("# ") for line in lines(tmp_path, ""))
