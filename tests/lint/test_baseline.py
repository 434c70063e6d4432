"""Accepted findings stay silent however lines move; new ones do not."""

from collections import Counter

import pytest

from pipeline.lint.baseline import BaselineError, identity, read_baseline, sift, write_baseline
from pipeline.model import Finding

OLD = Finding("entities/a.md", 7, "relation-date", "error", "relations[2].date", "not an ISO date: 'May'")
MOVED = Finding("entities/a.md", 19, "relation-date", "error", "relations[5].date", "not an ISO date: 'May'")
NEW = Finding("entities/a.md", 3, "stale", "warning", "stale_after", "stale since 2026-01-01")


def test_a_finding_is_the_same_after_lines_and_positions_moved():
    assert identity(OLD) == identity(MOVED)


def test_only_new_findings_are_told_and_those_gone_are_named():
    report = sift([MOVED, NEW], Counter([identity(OLD)]))
    assert (report.findings, report.accepted, report.gone) == ((NEW,), 1, ())
    report = sift([NEW], Counter([identity(OLD)]))
    assert (report.findings, report.accepted, report.gone) == ((NEW,), 0, (identity(OLD),))


def test_one_accepted_finding_covers_one():
    report = sift([OLD, MOVED], Counter([identity(OLD)]))
    assert (report.findings, report.accepted) == ((MOVED,), 1)


@pytest.mark.parametrize("level, fails", [("error", False), ("warning", True), ("info", True), ("never", False)])
def test_the_level_that_fails_is_a_setting(level, fails):
    assert sift([NEW], Counter()).fails(level) is fails


def test_the_file_reads_back_with_one_line_a_finding(tmp_path):
    path = tmp_path / "lint-baseline.json"
    for findings in ([NEW, OLD, MOVED], []):
        write_baseline(path, findings)
        assert read_baseline(path) == Counter(map(identity, findings))
        assert len(path.read_text(encoding="utf-8").splitlines()) == (len(findings) + 2 if findings else 1)


def test_no_file_accepts_nothing(tmp_path):
    assert read_baseline(tmp_path / "none.json") == Counter()


@pytest.mark.parametrize("text", ["{", "[1]", '[{"path": "a.md"}]', "null"])
def test_a_damaged_file_is_told_in_a_sentence(tmp_path, text):
    path = tmp_path / "lint-baseline.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BaselineError, match="doit lint --accept"):
        read_baseline(path)
