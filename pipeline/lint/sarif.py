"""A lint report as SARIF 2.1.0, which code scanning services read."""

from __future__ import annotations

import hashlib
import json
from typing import Any
from urllib.parse import quote

from pipeline.lint import load_checks
from pipeline.lint.baseline import Report, identity
from pipeline.model import Finding

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
_READING = "What was found amiss when the file was read and its frontmatter checked."


def sarif(report: Report, folder: str) -> str:
    """One run; its rules are all checks with their documentation, and those of validation that have findings.

    `folder` stands before every path.
    """
    checks = load_checks()
    levels = {check.ID: check.LEVEL for check in checks} | {one.check: one.level for one in report.findings}
    documents = {check.ID: check.__doc__ for check in checks}
    rules = [_rule(check, level, documents.get(check, _READING)) for check, level in sorted(levels.items())]
    places = {rule["id"]: place for place, rule in enumerate(rules)}
    return json.dumps({
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "okf-graph-wiki", "rules": rules}},
            "columnKind": "unicodeCodePoints",
            "results": [_result(one, places[one.check], folder) for one in report.findings],
        }],
    }, ensure_ascii=False, indent=1) + "\n"


def _rule(check: str, level: str, document: str) -> dict[str, Any]:
    short, _, more = document.strip().partition("\n\n")
    short, more = " ".join(short.split()), " ".join(more.split())
    return {
        "id": check,
        "shortDescription": {"text": short},
        "fullDescription": {"text": f"{short} {more}".strip()},
        "help": {"text": more or short},
        "defaultConfiguration": {"level": _LEVELS[level]},
    }


def _result(finding: Finding, place: int, folder: str) -> dict[str, Any]:
    location: dict[str, Any] = {"artifactLocation": {"uri": quote(folder + finding.path)}}
    if finding.line:
        location["region"] = {"startLine": finding.line}
    return {
        "ruleId": finding.check,
        "ruleIndex": place,
        "level": _LEVELS[finding.level],
        "message": {"text": f"{finding.field}: {finding.message}" if finding.field else finding.message},
        "locations": [{"physicalLocation": location}],
        "partialFingerprints": {"finding/v1": hashlib.sha256(repr(tuple(identity(finding))).encode()).hexdigest()},
    }
