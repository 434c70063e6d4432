"""Finds links to other pages in a markdown body, as written: inline, reference-style and wikilinks.

CommonMark's rules where they matter to a link (https://spec.commonmark.org/0.31.2/#links): not inside code or
comments, angled and parenthesized destinations, titles, backslash escapes.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from urllib.parse import unquote

from pipeline.model import WrittenLink

SENTENCE_LIMIT = 300
"""Characters of a sentence kept beside a link; longer ones are cut around the link."""
MAX_LINKS = 20_000
"""Links read from one page; a page with more is a dump, and its first ones will do."""

_FENCE = re.compile(r"^ {0,3}(?:[-*+>] *|\d+[.)] *)*(`{3,}(?=[^`\n]*$)|~{3,})", re.MULTILINE)
_SPAN = re.compile(r"(`+)(?!`)")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
# This and _BOUNDARY begin with known characters, which the engine looks for far faster than it tries a pattern.
# Text and target are tried first as runs of plain characters, which it passes over at once, then one by one.
_LINK = re.compile(
    r"\[(?<!\\\[)(?:\[(?P<wiki>[^\[\]\n]{1,500})\]\]"
    r"|(?P<text>[^\[\]\\\n]{0,1000}|(?:[^\[\]\\\n]|\\.|\n(?!\s*\n)|\[[^\[\]\n]{0,200}\]){0,1000})\]"
    r"(?:\(\s{0,3}(?:<(?P<angled>[^<>\n]{1,2000})>"
    r"|(?P<plain>[^\s()<>\\]{1,2000}|(?:[^\s()<>\\]|\\.|\([^\s()]{0,500}\)){1,2000}))"
    r"(?:\s+(?:\"[^\"]{0,500}\"|'[^']{0,500}'|\([^()]{0,500}\)))?\s{0,3}\)"
    r"|\[(?P<label>[^\[\]\n]{0,300})\]|(?!\()))"
)
_DEFINITION = re.compile(r"^ {0,3}\[(?P<label>[^\[\]\n^]{1,300})\]:\s{1,3}(?:<(?P<angled>[^<>\n]+)>|(?P<plain>\S+))", re.MULTILINE)
_EXTERNAL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
# A stop and the space after it; the end of a line before a blank one, an entry of a list, a heading, a quote or a table.
_BOUNDARY = re.compile(r"[.!?。！？\n](?:(?<!\n)\s+|(?<=\n)(?:\s*\n|(?=\s*(?:[-*+#>|]|\d+[.)]))))")
# Greedy, so that the engine comes to the last boundary from the end.
_UP_TO_BOUNDARY = re.compile(f"(?s:.*)(?:{_BOUNDARY.pattern})")


def links_in(body: str, first_line: int = 1) -> tuple[WrittenLink, ...]:
    """The links of `body` that may lead to a concept; `first_line` is the body's first line in its file."""
    if "[" not in body:
        return ()
    text = _without_code(body)
    definitions = {}
    if _holds(text, "]:"):
        for found in _DEFINITION.finditer(text):
            definitions.setdefault(_label(found["label"]), found["angled"] or found["plain"])
        text = _DEFINITION.sub(lambda found: _blank(found.group()), text)
    line, counted = first_line, 0
    links = []
    for found in _LINK.finditer(text):
        written = _written(found, definitions)
        if written is None or not found["wiki"] and _is_image(text, found.start()):
            continue
        target, shown = written
        start, stop = found.span()
        line, counted = line + text.count("\n", counted, start), start
        links.append(WrittenLink(target, shown, _sentence(body, start, stop), line))
        if len(links) == MAX_LINKS:
            break
    return tuple(links)


def _written(found: re.Match[str], definitions: dict[str, str]) -> tuple[str, str] | None:
    """Target and shown text of a match; None when it leads nowhere near a concept."""
    wiki, text, angled, plain, label = found.groups()
    if wiki:
        target, _, shown = wiki.partition("|")
        shown = shown.strip() or target.partition("#")[0].strip() or target.strip()
        return (f"[[{target.strip()}]]", shown) if target.partition("#")[0].strip() else None
    if angled or plain:
        target = angled or _unescaped(plain)
    else:
        target = definitions.get(_label(label or text), "")
    path = unquote(target.partition("#")[0].partition("?")[0])
    if not path.endswith(".md") or _EXTERNAL.match(target):
        return None
    return target, " ".join(_unescaped(text).split())


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(r"\1", text) if "\\" in text else text


def _is_image(text: str, start: int) -> bool:
    return text.endswith("!", 0, start) and not text.endswith("\\!", 0, start)


def _label(text: str) -> str:
    return " ".join(text.split()).casefold()


def _without_code(body: str) -> str:
    """`body` with code and comments blanked to spaces, so that every offset stays."""
    if _holds(body, "```") or _holds(body, "~~~"):
        body = blank_fences(body)
    if "    " in body or "\t" in body:
        body = _blank_indented(body)
    if "`" in body:
        body = _blank_spans(body)
    return _blank_comments(body) if _holds(body, "-->") else body


def _holds(text: str, mark: str) -> bool:
    """Whether `mark` is in `text`: most texts lack its last character too, and one is missed far sooner than several."""
    return mark[-1] in text and mark in text


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def blank_fences(body: str) -> str:
    kept, at = [], 0
    while opening := _FENCE.search(body, at):
        fence = opening[1]
        closing = re.compile(rf"^[ >]*{re.escape(fence[0])}{{{len(fence)},}}[ \t]*$", re.MULTILINE).search(body, opening.end())
        stop = closing.end() if closing else len(body)
        kept += [body[at:opening.start()], _blank(body[opening.start():stop])]
        at = stop
    return "".join(kept) + body[at:]


def _blank_indented(body: str) -> str:
    """Blank indented code: lines indented by four after a blank line, outside lists."""
    lines = body.split("\n")
    before_blank, in_code, in_list = True, False, False
    for number, line in enumerate(lines):
        stripped = line.strip()
        if not stripped:
            before_blank = True
            continue
        indented = line.startswith(("    ", "\t"))
        in_code = indented and (before_blank or in_code) and not in_list
        if in_code:
            lines[number] = " " * len(line)
        elif not indented:
            in_list = bool(re.match(r"\s{0,3}(?:[-*+]|\d{1,9}[.)])\s", line)) or (in_list and line.startswith(" "))
        before_blank = False
    return "\n".join(lines)


def _blank_spans(body: str) -> str:
    """Blank `code spans`: a run of backticks up to the next run of the same length in the same paragraph."""
    kept, at = [], 0
    closings: dict[int, list[int]] = {}
    for run in re.finditer("`+", body):
        closings.setdefault(len(run.group()), []).append(run.start())
    while opening := _SPAN.search(body, at):
        length = len(opening[1])
        places = closings[length]
        nth = bisect_right(places, opening.start())
        stop = places[nth] + length if nth < len(places) else 0
        escaped = opening.start() and body[opening.start() - 1] == "\\"
        if stop and not escaped and "\n\n" not in body[opening.end():stop]:
            kept += [body[at:opening.start()], _blank(body[opening.start():stop])]
            at = stop
        else:
            kept.append(body[at:opening.end()])
            at = opening.end()
    return "".join(kept) + body[at:]


def _blank_comments(body: str) -> str:
    """Blank comments. After the last end of one no beginning is looked at: its end would be sought through all the rest."""
    end = body.rfind("-->") + len("-->")
    return _COMMENT.sub(lambda found: _blank(found.group()), body[:end]) + body[end:]


def _sentence(body: str, start: int, stop: int) -> str:
    """The sentence around body[start:stop], white space folded, at most SENTENCE_LIMIT characters."""
    left = _UP_TO_BOUNDARY.match(body, max(0, start - SENTENCE_LIMIT - 1), start)
    right = _BOUNDARY.search(body, stop, stop + SENTENCE_LIMIT)
    begin = left.end() if left else max(0, start - SENTENCE_LIMIT)
    end = right.start() + (right[0][0] != "\n") if right else min(len(body), stop + SENTENCE_LIMIT)
    if end - begin > SENTENCE_LIMIT:
        begin = max(begin, min(start - SENTENCE_LIMIT // 3, end - SENTENCE_LIMIT))
    return " ".join(body[begin:end].split())[:SENTENCE_LIMIT]
