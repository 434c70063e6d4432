"""Cuts a body into pieces: what is embedded one by one, and what background is chosen from."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

SIZE = 700
"""Bytes of UTF-8 up to which neighbouring paragraphs share a piece; bytes, because they follow the tokens of a model
more closely than characters do in scripts like Chinese. Measured on 975 questions about long pages, by words alone, the
paragraph that answers is within 800 and 2000 tokens for (percent): 350 bytes 85.6 and 93.3, 700 bytes 84.9 and 93.6,
1000 bytes 83.0 and 92.7, 1400 bytes 81.1 and 92.7; 350 needs a quarter more vectors than 700."""
LONGEST = 1400
"""Bytes a piece may have; longer paragraphs are cut. Keeps a piece inside a window of 512 tokens in any script."""
LEAST = 200
"""Bytes a piece must have before a heading ends it, so that a page of tiny sections is no page of tiny pieces."""

_TEXT = re.compile(r"\S")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t](.*))?$")
_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_BREAKS = [re.compile(pattern) for pattern in (r"\n", r"[.!?;:]\s|[。！？；]", r"\s")]
"""Where a long paragraph may be cut, best first: at a line's end, a sentence's end, a word's end."""


class Piece(NamedTuple):
    """A stretch of a body; every character that is not blank lies in exactly one."""

    heading: str
    """The headings above its first line of text, joined by " > "."""
    start: int
    """First character in the body."""
    stop: int
    """One past the last character."""


def pieces(body: str, size: int = SIZE, longest: int = LONGEST, least: int = LEAST) -> list[Piece]:
    """The pieces of `body` in text order; a short body is one, a blank one has none."""
    weight = _scales(body)
    if weight(0, len(body)) <= size:
        start = len(body) - len(body.lstrip())
        return [Piece("", start, len(body.rstrip()))] if start < len(body) else []
    done: list[Piece] = []
    for heading, start, stop in _parts(body, weight, longest):
        last = done[-1] if done else None
        joins = last and (last.heading == heading or weight(last.start, last.stop) < least)
        if joins and weight(last.start, stop) <= size:
            done[-1] = Piece(last.heading, last.start, stop)
        else:
            done.append(Piece(heading, start, stop))
    return done


def _scales(body: str) -> Callable[[int, int], int]:
    """Tells how many bytes of UTF-8 a stretch of `body` has, from its first character to one past its last."""
    if body.isascii():
        return lambda start, stop: stop - start
    return lambda start, stop: len(body[start:stop].encode("utf-8", "replace"))


def _parts(body: str, weight: Callable[[int, int], int], longest: int) -> Iterator[tuple[str, int, int]]:
    """Paragraphs with the headings right above them, none over `longest`."""
    for heading, start, stop in _paragraphs(body):
        while stop - start > longest or weight(start, stop) > longest:
            cut = start + _cut(body[start:start + longest], longest)
            yield heading, start, start + len(body[start:cut].rstrip())
            start = _TEXT.search(body, cut).start()
        yield heading, start, stop


def _cut(window: str, longest: int) -> int:
    """Where to end a piece that begins with `window`: late, at the best kind of break, inside `longest` bytes."""
    window = window.encode("utf-8", "replace")[:longest].decode("utf-8", "ignore")
    for pattern in _BREAKS:
        ends = [found.end() for found in pattern.finditer(window, len(window) // 3)]
        if ends:
            return ends[-1]
    return len(window)


def _paragraphs(body: str) -> Iterator[tuple[str, int, int]]:
    """Heading path, start and stop of each paragraph; fenced code is one paragraph, blank lines and all."""
    trail: list[tuple[int, str]] = []
    path = fence = ""
    start = stop = at = 0  # the paragraph at hand, and the line
    has_text = False
    for line in body.split("\n"):
        text = line.strip()
        if text:
            heading = _HEADING.match(line) if text[0] == "#" and not fence else None
            if heading:
                if has_text:
                    yield path, start, stop
                    start, has_text = stop, False
                level = len(heading[1])
                trail = [above for above in trail if above[0] < level] + [(level, _heading_text(heading[2] or ""))]
                path = " > ".join([name for _, name in trail if name])
            else:
                has_text = True
                fence = _fence_after(line, fence) if text[0] in "`~" else fence
            begins = start == stop
            stop = at + len(line.rstrip())
            start = stop - len(text) if begins else start
        elif has_text and not fence:
            yield path, start, stop
            start, has_text = stop, False
        at += len(line) + 1
    if start < stop:
        yield path, start, stop


def _fence_after(line: str, fence: str) -> str:
    """The fence that is open after `line`, when `fence` was open before it; "" for none."""
    mark = _FENCE.match(line)
    if not mark:
        return fence
    if not fence:
        return mark[1]
    closes = mark[1].startswith(fence) and not line[mark.end():].strip()
    return "" if closes else fence


def _heading_text(text: str) -> str:
    """Without the closing `##` that Markdown allows; `C#` keeps its own."""
    text = text.strip()
    bare = text.rstrip("#")
    return bare.rstrip() if not bare or bare[-1].isspace() else text
