"""Adds an entry to log.md, newest first (OKF §9)."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

from pipeline.edit.changes import Change, Edit, Refused
from pipeline.edit.relate import one_line

_DAY = re.compile(r"^## (\d{4}-\d{2}-\d{2})[ \t]*\r?\n?", re.MULTILINE)
_ENTRY = re.compile(r"^([*-]) ", re.MULTILINE)


def log(bundle: Path, kind: str, text: str, today: date) -> Edit:
    """Puts `**kind**: text` at the top of today's entries; the file and the day's heading are made when missing. Raises Refused."""
    file = bundle / "log.md"
    before = file.read_bytes() if file.is_file() else None
    try:
        written = (before or b"").decode("utf-8")
    except UnicodeDecodeError:
        raise Refused("log.md is not UTF-8 throughout: mend it first; nothing was changed.") from None
    newline = "\r\n" if "\r\n" in written else "\n"
    after = _with_entry(written.replace("\r\n", "\n") or "# Log\n", one_line(kind, "kind"), one_line(text, "text"), today.isoformat())
    return Edit((Change(file, "log.md", before, after.replace("\n", newline).encode()),))


def _with_entry(written: str, kind: str, text: str, today: str) -> str:
    bullet = _ENTRY.search(written)
    entry = f"{bullet[1] if bullet else '*'} **{kind}**: {text}\n"
    days = list(_DAY.finditer(written))
    blank = "\n" if not days or written[days[0].end():].startswith("\n") else ""
    for day in days:
        if day[1] == today:
            at = day.end() + len(blank)
            return written[:at] + entry + written[at:]
        if day[1] < today:
            return written[:day.start()] + f"## {today}\n{blank}{entry}\n" + written[day.start():]
    return written.rstrip("\n") + f"\n\n## {today}\n{blank}{entry}"
