"""Reads the time a question speaks of, and compares it with the dates facts carry."""

import re
from typing import NamedTuple

EARLIEST, LATEST = "0000-01-01", "9999-12-31"

_MONTHS = {name: number for number, names in enumerate((
    "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
    "september sept sep", "october oct", "november nov", "december dec"), 1) for name in names.split()}
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_MONTH = "(?P<month>" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\.?"
_YEAR = r"(?P<year>[12]\d{3})"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
# Longest form first: a year inside "5 March 2010" must not be read alone. Compiled by `re` when a question has a year.
_FORMS = tuple(rf"(?<![\w.]){form}(?!\w)" for form in (
    r"(?P<year>[12]\d{3})-(?P<month>\d{2})-(?P<day>\d{2})",
    rf"{_DAY}\s+(?:of\s+)?{_MONTH},?\s+{_YEAR}",
    rf"{_MONTH}\s+{_DAY},?\s+{_YEAR}",
    rf"{_MONTH},?\s+(?:of\s+)?{_YEAR}",
    r"(?P<year>[12]\d{3})-(?P<month>\d{2})",
    r"(?P<decade>[12]\d{2}0)['’]?s",
    _YEAR,
))
_BEFORE = r"\b(?:before|until|till|prior\s+to|up\s+to|by)(?:\s+the)?\s*$"
_NOW = re.compile(
    r"\b(?:(?:the|our|your|its|their|his|her|whose|is|are|'s)\s+current\s+(?=\w)|currently|now|nowadays|presently|incumbent|today|derzeit|aktuell\w*|heute|heutige\w*|jetzt|jetzig\w*|amtierende\w*"
    r"|actuel|actuelle|actuellement|maintenant|actualmente|ahora|hoy)\b", re.IGNORECASE)
_AFTER = r"\b(?:after|since|following)(?:\s+the)?\s*$"


class Period(NamedTuple):
    """A stretch of time, both days included."""

    first: str
    """ISO 8601 date; EARLIEST when open."""
    last: str
    """ISO 8601 date; LATEST when open."""

    def holds(self, date: str) -> bool:
        """Whether any day of an ISO year, year-month or date lies inside."""
        span = span_of(date)
        return span is not None and span.first <= self.last and span.last >= self.first


def span_of(date: str) -> Period | None:
    """The days an ISO 8601 year, year-month, date or instant covers; None when it is no date."""
    match = re.match(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?(?![\d-])", date)
    return match and _period(match[1], match[2], match[3])


def asked_period(question: str) -> Period | None:
    """The time a question names: one date, or from the first of several to the last; None when it names none."""
    found = sorted(_dates(question))
    if not found:
        return None
    start, period = found[0]
    if len(found) > 1:
        return Period(min(p.first for _, p in found), max(p.last for _, p in found))
    lead = question[:start]
    if re.search(_BEFORE, lead, re.IGNORECASE):
        return Period(EARLIEST, period.first)
    if re.search(_AFTER, lead, re.IGNORECASE):
        return Period(period.first, LATEST)
    return period


def asks_for_now(question: str) -> bool:
    """Whether a question asks how things stand today."""
    return _NOW.search(question) is not None


def in_force(superseded_at: str | None, period: Period | None) -> bool:
    """Whether what was superseded on an ISO date still stood in the time asked about."""
    return period is not None and superseded_at is not None and period.last < superseded_at


def is_date_word(word: str) -> bool:
    """Whether a lower-case word is a year or a month."""
    return word in _MONTHS or re.fullmatch(_YEAR, word) is not None


def _dates(text: str) -> list[tuple[int, Period]]:
    found: list[tuple[int, Period]] = []
    for form in _FORMS if re.search(_YEAR, text) else ():
        for match in re.finditer(form, text, re.IGNORECASE):
            period = _read(match.groupdict())
            if period:
                found.append((match.start(), period))
                text = text[:match.start()] + "\x00" * len(match.group()) + text[match.end():]
    return found


def _read(parts: dict[str, str | None]) -> Period | None:
    if decade := parts.get("decade"):
        return Period(f"{decade}-01-01", f"{int(decade) + 9}-12-31")
    month = parts.get("month")
    if month and not month.isdigit():
        month = f"{_MONTHS[month.casefold()]:02}"
    day = parts.get("day")
    return _period(parts["year"], month, day and f"{int(day):02}")


def _period(year: str, month: str | None, day: str | None) -> Period | None:
    if month is None:
        return Period(f"{year}-01-01", f"{year}-12-31")
    if not 1 <= int(month) <= 12:
        return None
    days = _days(int(year), int(month))
    if day is None:
        return Period(f"{year}-{month}-01", f"{year}-{month}-{days:02}")
    return Period(f"{year}-{month}-{day}", f"{year}-{month}-{day}") if 1 <= int(day) <= days else None


def _days(year: int, month: int) -> int:
    """Days of a month; the year 0, which the standard library does not know, is a leap year."""
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 29 if month == 2 and leap else _DAYS[month - 1]
