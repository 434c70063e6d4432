"""ISO 8601 dates as frontmatter holds them."""

from __future__ import annotations

import re
from datetime import date, datetime, timezone

WRITE_DATE = "write 2021, 2021-01 or 2021-01-26"
WRITE_INSTANT = "write 2021-01-26 or 2021-01-26T12:00:00Z"
_DATE = re.compile(r"\d{4}(?:-\d{2}){0,2}\Z", re.ASCII)
_UTC = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z\Z", re.ASCII)


def fact_date(text: str) -> str | None:
    """A year, year-month or date as written; the date of a datetime; None when it is none of these."""
    try:
        if _DATE.match(text):
            date.fromisoformat(f"{text}-01-01"[:10])  # a year begins with its first month, a month with its first day
            return text
        return datetime.fromisoformat(text).date().isoformat()
    except ValueError:
        return None


def instant(text: str) -> str | None:
    """A date as written, or a datetime as UTC `2026-06-30T14:00:00Z` (no offset means UTC); else None."""
    if len(text) == 10 and _DATE.match(text):
        return fact_date(text)
    try:
        moment = datetime.fromisoformat(text)
        if _UTC.match(text):
            return text
        moment = moment.replace(tzinfo=timezone.utc) if moment.tzinfo is None else moment.astimezone(timezone.utc)
    except (ValueError, OverflowError):
        return None
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
