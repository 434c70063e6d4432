"""Says of a fault in YAML what to do about it, where libyaml says what its parser had expected."""

from __future__ import annotations

import re

import yaml

from pipeline.conflicts import REMEDY, conflicts

LOOKED_AT = 1000
"""Characters before and behind the place of a fault that are looked at: a line can be as long as a file."""

_TAB = "indent with spaces, not with a tab"
_COLON = 'put text that holds ": " in quotes'
_SPACE = "write a space behind the colon of a key"
_BEHIND_QUOTE = "text goes on behind its closing quote: within '…' write an apostrophe as '', within \"…\" a quote as \\\""
_BEHIND_BRACKET = "text goes on behind its closing bracket: put text that begins with [ or { in quotes"
_SIGN = "put text that begins with ‸ in quotes"
_COLUMN = "begins in a column in which nothing above begins: give it the indentation of its neighbours"
_NO_KEY = "a line without a key: write `key: value`, or indent it when it goes on with the text above"

_ADVICE = (
    ("found character that cannot start any token", r"‸\t", _TAB),
    ("found character that cannot start any token", r"‸([@`%|>])", _SIGN),
    ("found a tab character", "", _TAB),
    ("mapping values are not allowed", r"^ *[\w-]+:\S[^\n]*\n[^\n:]*‸", "write a space behind the colon of the key in the line above"),
    ("mapping values are not allowed", r":\s[^\n]*‸:[^\n]*\Z", _COLON),
    ("mapping values are not allowed", "", _COLUMN),
    ("block sequence entries are not allowed", "", "begin a list on the line below its key, or write it as [a, b]"),
    ("did not find expected", r"‸[\]}]", "a closing bracket too many"),
    ("did not find expected key", r"['\"] *‸", _BEHIND_QUOTE),
    ("did not find expected key", r"[\]}] *‸", _BEHIND_BRACKET),
    ("did not find expected key", "", _COLUMN),
    ("did not find expected '-' indicator", r"[\]}] *‸", _BEHIND_BRACKET),
    ("did not find expected '-' indicator", "", _COLUMN),
    ("did not find expected <document start>", "", _COLUMN),
    ("did not find expected ','", r"[\[{][^\n]*‸:", _COLON + ", or write the comma that is missing before this key"),
    ("did not find expected ','", r"['\"] *‸", _BEHIND_QUOTE),
    ("did not find expected ','", r"[\]}] *‸", _BEHIND_BRACKET),
    ("did not find expected alphabetic or numeric character", "", _SIGN.replace("‸", "* or &")),
    ("did not find expected comment or line break", "", _SIGN.replace("‸", "| or >")),
    ("found unknown escape character", "", r"within "'"…"'r" write a backslash as \\, or use '…'"),
)
"""What the problem says; how the text looks around the place (‸), with the line above; what to do, ‸ being
what was found there. The first fit counts."""
_ADVICE_AT_OPENING = (
    ("found unexpected end of stream", r"‸['\"]", "the quote that opens here is never closed"),
    ("did not find expected ','", r"‸[\[{]", "the bracket that opens here is not closed, or lacks a comma"),
    ("could not find expected ':'", r"‸ *[\w-]+:\S", _SPACE),
    ("could not find expected ':'", "", _NO_KEY),
)
"""The same of problems that are noticed too late: they are told where the thing begins."""


def explain(fault: yaml.MarkedYAMLError, text: str) -> tuple[str, int]:
    """What is wrong and what to do, and the line of `text`, from 1. An unknown problem stays in the parser's words."""
    if conflict := next(conflicts(text), 0):
        return REMEDY, conflict
    mark = fault.problem_mark or fault.context_mark
    opening = fault.context_mark
    if mark and (opened := _left_open(text, mark.index)):
        return "not valid YAML: the quote that opens here is closed only on a later line, where text goes on behind it", opened
    if advice := mark and _fit(_ADVICE, fault.problem, text, mark):
        return f"not valid YAML: {advice}", mark.line + 1
    if advice := opening and _fit(_ADVICE_AT_OPENING, fault.problem, text, opening):
        return f"not valid YAML: {advice}", opening.line + 1
    return f"not valid YAML: {fault.problem or fault.context}", mark.line + 1 if mark else 1


def _fit(advice: tuple[tuple[str, str, str], ...], problem: str | None, text: str, mark: yaml.Mark) -> str | None:
    before, after = text[max(mark.index - LOOKED_AT, 0):mark.index], text[mark.index:mark.index + LOOKED_AT]
    around = "\n".join(before.split("\n")[-2:]) + "‸" + after.partition("\n")[0]
    for known, look, sentence in advice:
        if known in (problem or "") and (found := re.search(look, around)):
            return sentence.replace("‸", "".join(found.groups()))
    return None


def _left_open(text: str, stop: int) -> int:
    """The line of a text in quotes that runs over several lines up to where the parser gave up, else 0."""
    last = None
    try:
        for token in yaml.scan(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            if token.start_mark.index >= stop:
                break
            last = token
    except yaml.YAMLError:
        pass
    quoted = isinstance(last, yaml.ScalarToken) and last.style in ("'", '"') and text.count("\n", last.end_mark.index, stop) == 0
    return last.start_mark.line + 1 if quoted and last.start_mark.line < last.end_mark.line else 0
