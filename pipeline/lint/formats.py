"""The shapes a lint report is printed in: for people, for programs, for code scanning, for annotations in CI."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from itertools import groupby

from pipeline.escape import visible
from pipeline.lint.baseline import Report
from pipeline.lint.sarif import sarif
from pipeline.model import LEVELS

_COLOURS = {"error": "\x1b[31m", "warning": "\x1b[33m", "info": "\x1b[36m"}
_PLAIN = "\x1b[0m"
_GITHUB = {"error": "error", "warning": "warning", "info": "notice"}


def text(report: Report, colour: bool = False) -> str:
    """`path:line: message [check]`, the findings of a file together, then the counts."""
    blocks = []
    for _, findings in groupby(report.findings, key=lambda finding: finding.path):
        lines = ((str(finding), finding.level) for finding in findings)
        blocks.append("".join(f"{_COLOURS[level]}{line}{_PLAIN}\n" if colour else f"{line}\n" for line, level in lines))
    return "\n".join((*blocks, _counts(report)))


def _counts(report: Report) -> str:
    lines = []
    for level in LEVELS:
        checks = Counter(finding.check for finding in report.findings if finding.level == level)
        if checks:
            lines.append(f"{_number(checks.total(), level)}: " + ", ".join(f"{check} {count}" for check, count in sorted(checks.items())))
    lines = lines or ["No new findings." if report.accepted else "No findings."]
    if report.accepted:
        lines.append(f"{_number(report.accepted, 'finding')} accepted by the baseline.")
    if report.gone:
        lines.append(f"{_number(len(report.gone), 'accepted finding')} no longer found; doit lint --accept forgets them:")
        lines += [visible(f"  {one.path}: {one.message} [{one.check}]") for one in report.gone]
    return "\n".join(lines) + "\n"


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 or noun == "info" else f"{count:,} {noun}s"


def as_json(report: Report) -> str:
    """The findings as `{check, level, path, line, field, message}`, their counts, and the baseline's part."""
    counts = Counter(finding.level for finding in report.findings)
    return json.dumps({
        "findings": [finding.to_dict() for finding in report.findings],
        "counts": {level: counts[level] for level in LEVELS},
        "accepted": report.accepted,
        "gone": [one._asdict() for one in report.gone],
    }, ensure_ascii=False, indent=1) + "\n"


def github(report: Report, folder: str) -> str:
    """Workflow commands that annotate a pull request; `folder` stands before every path."""
    return "".join(
        f"::{_GITHUB[one.level]} file={_property(folder + one.path)},line={one.line or 1},title={_property(one.check)}"
        f"::{_data((one.field + ': ' if one.field else '') + one.message)}\n" for one in report.findings)


def _data(value: str) -> str:
    return visible(value, keep="\r\n").replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str) -> str:
    return _data(value).replace(":", "%3A").replace(",", "%2C")


def _spelt(report: str) -> str:
    """The JSON with what does not print spelt out, which says the same; its own line ends stay."""
    if report.replace("\n", "").isprintable():
        return report
    return "".join(char if char.isprintable() or char == "\n" else json.dumps(char)[1:-1] for char in report)


FORMATS: dict[str, Callable[[Report, str, bool], str]] = {
    "text": lambda report, folder, colour: text(report, colour),
    "json": lambda report, folder, colour: _spelt(as_json(report)),
    "sarif": lambda report, folder, colour: _spelt(sarif(report, folder)),
    "github": lambda report, folder, colour: github(report, folder),
}
"""Each takes a report, what leads from the working directory to the bundle (`bundle/`), and whether to colour."""
