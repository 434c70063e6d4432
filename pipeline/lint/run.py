"""Runs every check over a compiled bundle and gathers what they and validation have to tell."""

from __future__ import annotations

import json
from pathlib import Path

import apsw

from pipeline.frontmatter import line_of
from pipeline.lint import load_checks
from pipeline.lint.bundle import LintBundle, Remark
from pipeline.lint.settings import LintSettings
from pipeline.lint.vocabulary import read_vocabulary
from pipeline.model import Finding
from pipeline.validate import findings


def lint(db: apsw.Connection, bundle: Path, settings: LintSettings, multi_valued: tuple[str, ...], today: str) -> list[Finding]:
    """All findings about a bundle in order of path and line, at the levels its settings give them.

    `db` is the build database with the cache attached; `today` is an ISO 8601 date. Nothing is written.
    """
    given = LintBundle(db, bundle, settings, multi_valued, today, read_vocabulary(bundle))
    found = [*findings(db), *(_finding(db, check, remark) for check in load_checks() for remark in check.check(given))]
    levels = settings.levels
    return sorted(Finding(one.path, one.line, one.check, levels.get(one.check, one.level), one.field, one.message)
                  for one in found if one.check not in settings.ignore)


def _finding(db: apsw.Connection, check, remark: Remark) -> Finding:
    line = remark.line or (_line(db, remark.path, remark.field) if remark.field else 0)
    return Finding(remark.path.lstrip("/"), line, check.ID, check.LEVEL, remark.field, remark.message)


def _line(db: apsw.Connection, path: str, field: str) -> int:
    """Where a frontmatter field stands; the top of the file when it has none, or cannot be read any more."""
    lines = db.execute("select lines from cache.pages where _path = ? and parse_error is null", (path,)).get
    return line_of(field, json.loads(lines or "{}")) or 1
