"""Text of unknown authors shows as itself: in markdown, in a link's target, in a shell word."""

import subprocess
import sys
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.escape import _BREAKS, inline, link, markdown, one_line, shell, url

HOSTILE = st.text(st.sampled_from("[]()*_`#|<>&!\\~-+=.:;\"'/ \n\t\r%?$^{}@aé東1\u2028\u202e\x00\x7f"), max_size=30)


@given(HOSTILE)
def test_no_markup_character_is_left_bare(text):
    shown = inline(text)
    assert "<" not in shown and ">" not in shown and "\n" not in shown
    position = 0
    while position < len(shown):
        if shown[position] == "\\":
            position += 2
            continue
        assert shown[position] not in "[]`*|~"
        position += 1


@given(HOSTILE)
def test_taking_the_escapes_away_gives_the_line_back(text):
    shown = inline(text).replace("&lt;", "<").replace("&gt;", ">")
    plain, position = "", 0
    while position < len(shown):
        position += shown[position] == "\\"
        plain += shown[position]
        position += 1
    assert plain == one_line(text)


@pytest.mark.parametrize("text, shown", [
    ("invested_in", "invested_in"), ("_so_", r"\_so\_"), ("AT&T", "AT&T"), ("&amp;", r"\&amp;"), ("C#", "C#"), ("# C", r"\# C"),
    ("- item", r"\- item"), ("1. item", r"1\. item"), ("in 2021. Then", "in 2021. Then"), ("co-op", "co-op"), ("===", r"\==="),
    ("two\r\nlines\u2028and\tmore", "two lines and more"), ("safe\u202etxt", "safe txt")])
def test_inline(text, shown):
    assert inline(text) == shown


def test_of_all_that_breaks_a_line_only_a_space_is_printable():
    breaks = "".join(_BREAKS.findall("".join(map(chr, range(sys.maxunicode + 1)))))
    assert [char for char in breaks if char.isprintable()] == [" "]


@given(HOSTILE)
def test_a_target_is_one_word_and_leads_back_to_the_path(path):
    target = url(path)
    assert unquote(target) == path
    assert not set(target) & set(" \t\r\n()<>[]\\`|\"#?&:")


def test_what_is_escaped_is_not_escaped_again():
    assert markdown(link("*", "/a(b).md")) == r"[\*](/a%28b%29.md)" and markdown("[x]") == r"\[x\]"


@given(st.text(st.sampled_from("a '\"$`\\;&|*?~!#(){}<>\n\té東"), max_size=20))
def test_a_shell_reads_the_word_back(text):
    assert subprocess.run(["sh", "-c", f"printf %s {shell(text)}"], capture_output=True).stdout.decode() == text
