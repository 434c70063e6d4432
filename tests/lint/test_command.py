"""`doit lint` from a compiled bundle to text, report, baseline and verdict."""

import json
import os
from pathlib import Path

import pytest

from pipeline.lint.command import lint_command
from pipeline.settings import load_settings
from retrieval.errors import SettingsError
from tests.casefile import CASES
from tests.compile import compile_bundle

TODAY = "2026-06-01"


@pytest.fixture
def run(tmp_path):
    bundle = tmp_path / "bundle"
    db = compile_bundle(CASES / "lint" / "unknown-source" / "faulty", bundle)

    def run(**options):
        settings = load_settings(bundle)
        return lint_command(db, bundle, settings.lint, settings.multi_valued, TODAY, **options)

    run.bundle = bundle
    return run


def test_errors_fail_and_the_report_is_kept(run):
    said, passes = run()
    assert "2 errors: unknown-source 2" in said and not passes
    report = json.loads((run.bundle / ".wiki" / "lint.json").read_text(encoding="utf-8"))
    assert [finding["check"] for finding in report["findings"]] == ["unknown-source"] * 2


def test_accepted_findings_pass_until_there_is_a_new_one(run):
    assert run(accept=True) == ("No new findings.\n2 findings accepted by the baseline.\n", True)
    assert run()[1]
    (run.bundle / "wiki.yaml").write_text("lint: {levels: {stale: error}, ignore: [unknown-source]}\n", encoding="utf-8")
    said, passes = run()
    assert passes and "2 accepted findings no longer found" in said


def test_levels_and_ignored_checks_come_from_wiki_yaml(run):
    (run.bundle / "wiki.yaml").write_text("lint: {levels: {unknown-source: info}}\n", encoding="utf-8")
    said, passes = run()
    assert passes and "2 info: unknown-source 2" in said
    (run.bundle / "wiki.yaml").write_text("lint: {fail_on: info, levels: {unknown-source: info}}\n", encoding="utf-8")
    assert not run()[1]
    (run.bundle / "wiki.yaml").write_text("lint: {ignore: [unknown-source]}\n", encoding="utf-8")
    assert run() == ("No findings.\n", True)


@pytest.mark.parametrize("setting, told", [
    ("fail_on: fatal", "'fatal' is none of"), ("levels: {stale: bad}", "levels.stale: 'bad' is none of"),
    ("ignore: [orphans]", "did you mean 'orphan'"), ("predicate_drift: {overlop: 1}", "did you mean 'overlap'")])
def test_a_wrong_setting_is_told_with_its_place(run, setting, told):
    (run.bundle / "wiki.yaml").write_text(f"lint:\n  {setting}\n", encoding="utf-8")
    with pytest.raises(SettingsError, match=told):
        run()


def test_output_goes_to_a_file(run, tmp_path):
    said, _ = run(format="json", output=tmp_path / "report.json")
    assert said == f"2 findings, 0 accepted: {tmp_path / 'report.json'}\n"
    assert len(json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["findings"]) == 2


def test_paths_hold_from_the_working_directory(run, monkeypatch):
    monkeypatch.chdir(run.bundle.parent)
    assert "file=bundle/entities/ada.md,line=7" in run(format="github")[0]
    monkeypatch.chdir(run.bundle)
    assert "file=entities/ada.md,line=7" in run(format="github")[0]


def test_an_unknown_format_is_told(run):
    with pytest.raises(SettingsError, match="text, json, sarif, github"):
        run(format="xml")


def test_an_output_that_cannot_be_written_is_told(run, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(SettingsError, match="choose another --output"):
        run(output=tmp_path / "file" / "report.txt")


def test_a_reference_whose_name_is_not_utf8_is_told(run, monkeypatch):
    # A name as Python carries it when it cannot be decoded; not every file system lets one be made.
    monkeypatch.setattr(os, "walk", lambda folder: [(folder, [], ["\udcff.txt"])])
    assert "references/?.txt: no concept cites it [unreviewed-reference]" in run()[0]


def test_lint_changes_no_file_of_the_bundle(run):
    before = {path: path.read_bytes() for path in run.bundle.rglob("*.md")}
    run()
    assert {path: path.read_bytes() for path in run.bundle.rglob("*.md")} == before
    assert not (Path(run.bundle) / "lint-baseline.json").exists()
