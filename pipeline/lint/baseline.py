"""Findings accepted once, so that from then on only new ones are told."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pipeline.beside import UnreadableFile, read_beside
from pipeline.model import Finding
from pipeline.views import write
from retrieval.errors import WikiError


class BaselineError(WikiError):
    """The baseline file cannot be read."""


class Identity(NamedTuple):
    """What makes a finding the same one after lines and list positions have moved."""

    path: str
    check: str
    field: str
    message: str


@dataclass(frozen=True, slots=True)
class Report:
    """The findings of one run, set against the accepted ones."""

    findings: tuple[Finding, ...]
    """New ones, in order of path and line."""
    accepted: int
    """How many more there are that the baseline accepts."""
    gone: tuple[Identity, ...]
    """Accepted ones that are no longer found."""

    def fails(self, level: str) -> bool:
        """Whether a new finding weighs as much as `level` or more; none weighs as much as `never`."""
        failing = {"error": ("error",), "warning": ("error", "warning"), "info": ("error", "warning", "info")}.get(level, ())
        return any(finding.level in failing for finding in self.findings)


def identity(finding: Finding) -> Identity:
    return Identity(finding.path, finding.check, re.sub(r"\[\d+\]", "[]", finding.field), finding.message)


def sift(findings: list[Finding], accepted: Counter[Identity]) -> Report:
    """Set findings against accepted ones: each accepted one covers one finding."""
    left, new = accepted.copy(), []
    for finding in findings:
        if left[identity(finding)] > 0:
            left[identity(finding)] -= 1
        else:
            new.append(finding)
    return Report(tuple(new), len(findings) - len(new), tuple(sorted(left.elements())))


def read_baseline(path: Path) -> Counter[Identity]:
    """The accepted findings; none when there is no file. Raises BaselineError."""
    try:
        rows = json.loads(read_beside(path) or "[]")
        return Counter(Identity(*(str(row[key]) for key in Identity._fields)) for row in rows)
    except (UnreadableFile, ValueError, TypeError, KeyError, RecursionError) as fault:
        raise BaselineError(f"{path} is no list of accepted findings ({fault}); write it anew with doit lint --accept.") from None


def write_baseline(path: Path, findings: list[Finding]) -> None:
    """Accept `findings`: one a line and in order, so that a diff shows what was accepted."""
    rows = [json.dumps(one._asdict(), ensure_ascii=False) for one in sorted(map(identity, findings))]
    write(path, ("[\n" + ",\n".join(rows) + "\n]\n" if rows else "[]\n").encode())
