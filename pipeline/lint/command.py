"""What `doit lint` does: checks, compares with the baseline, keeps the report, and says it in a format."""

from __future__ import annotations

import os
from pathlib import Path

import apsw

from pipeline.lint.baseline import read_baseline, sift, write_baseline
from pipeline.lint.formats import FORMATS, as_json
from pipeline.lint.run import lint
from pipeline.lint.settings import LintSettings
from pipeline.views import write
from retrieval.errors import SettingsError


def lint_command(db: apsw.Connection, bundle: Path, settings: LintSettings, multi_valued: tuple[str, ...], today: str, *,
                 format: str = "text", output: Path | None = None, accept: bool = False, colour: bool = False) -> tuple[str, bool]:
    """The text to print, and whether the bundle passes.

    `.wiki/lint.json` always gets the whole report. With `output` the formatted report goes there, and a summary
    is returned. With `accept` all findings become the baseline first. Raises SettingsError, BaselineError.
    """
    if format not in FORMATS:
        raise SettingsError(f"there is no format {format!r}; choose one of {', '.join(FORMATS)}.")
    findings = lint(db, bundle, settings, multi_valued, today)
    baseline = bundle / settings.baseline
    if accept:
        write_baseline(baseline, findings)
    report = sift(findings, read_baseline(baseline))
    write(bundle / ".wiki" / "lint.json", as_json(report).encode())
    said = FORMATS[format](report, _prefix(bundle), colour and output is None)
    if output is not None:
        _put(output, said)
        said = f"{len(report.findings):,} findings, {report.accepted:,} accepted: {output}\n"
    return said, not report.fails(settings.fail_on)


def _put(output: Path, text: str) -> None:
    try:
        write(output, text.encode())
    except OSError as fault:
        raise SettingsError(f"the report cannot be written to {output}: {fault.strerror}; choose another --output.") from None


def _prefix(bundle: Path) -> str:
    """What leads from the working directory to the bundle, where code scanning looks for files."""
    relative = os.path.relpath(bundle).replace(os.sep, "/")
    return "" if relative == "." else relative + "/"
