"""What lint prints: for people, for programs, for code scanning, for annotations."""

import json

import jsonschema
import pytest

from pipeline.lint import CHECKS
from pipeline.lint.baseline import Identity, Report
from pipeline.lint.formats import FORMATS, as_json, github, text
from pipeline.lint.sarif import sarif
from pipeline.model import Finding
from tests.casefile import CASES

REPORT = Report(
    findings=(
        Finding("entities/a, b.md", 0, "orphan", "info", "", "no relation leads here"),
        Finding("entities/a, b.md", 7, "relation-date", "error", "relations[2].date", "not an ISO date: '100%'"),
        Finding("entities/ü.md", 4, "stale", "warning", "stale_after", "stale since 2026-01-01"),
    ),
    accepted=2,
    gone=(Identity("entities/c.md", "stale", "stale_after", "stale since 2020-01-01"),),
)
NOTHING = Report((), 0, ())


def test_text_keeps_the_findings_of_a_file_together_and_counts_them():
    assert text(REPORT) == """\
entities/a, b.md: no relation leads here [orphan]
entities/a, b.md:7: relations[2].date: not an ISO date: '100%' [relation-date]

entities/ü.md:4: stale_after: stale since 2026-01-01 [stale]

1 error: relation-date 1
1 warning: stale 1
1 info: orphan 1
2 findings accepted by the baseline.
1 accepted finding no longer found; doit lint --accept forgets them:
  entities/c.md: stale since 2020-01-01 [stale]
"""


def test_text_without_findings_says_so():
    assert text(NOTHING) == "No findings.\n"
    assert text(Report((), 3, ())) == "No new findings.\n3 findings accepted by the baseline.\n"


def test_colour_only_when_asked():
    assert "\x1b[31mentities/a, b.md:7:" in text(REPORT, colour=True)
    assert "\x1b" not in text(REPORT)


def test_json_holds_every_field():
    data = json.loads(as_json(REPORT))
    assert data["findings"][1] == {"check": "relation-date", "level": "error", "path": "entities/a, b.md", "line": 7,
                                   "field": "relations[2].date", "message": "not an ISO date: '100%'"}
    assert (data["counts"], data["accepted"], len(data["gone"])) == ({"error": 1, "warning": 1, "info": 1}, 2, 1)


def test_github_annotations_escape_what_would_end_them():
    assert github(REPORT, "bundle/").splitlines() == [
        "::notice file=bundle/entities/a%2C b.md,line=1,title=orphan::no relation leads here",
        "::error file=bundle/entities/a%2C b.md,line=7,title=relation-date::relations[2].date: not an ISO date: '100%25'",
        "::warning file=bundle/entities/ü.md,line=4,title=stale::stale_after: stale since 2026-01-01",
    ]


def test_a_message_of_several_lines_is_one_annotation():
    finding = Finding("a.md", 1, "stale", "info", "", "one\r\ntwo")
    assert github(Report((finding,), 0, ()), "") == "::notice file=a.md,line=1,title=stale::one%0D%0Atwo\n"


def test_sarif_is_valid_and_its_rules_are_documented():
    schema = json.loads((CASES / "lint" / "sarif-2.1.0-subset.json").read_text(encoding="utf-8"))
    for report in (REPORT, NOTHING):
        jsonschema.validate(json.loads(sarif(report, "bundle/")), schema)
    run = json.loads(sarif(REPORT, "bundle/"))["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    assert {*CHECKS, "relation-date"} == {rule["id"] for rule in rules}
    assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in run["results"])
    assert [result["level"] for result in run["results"]] == ["note", "error", "warning"]
    place = run["results"][2]["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "bundle/entities/%C3%BC.md"}, "region": {"startLine": 4}}
    assert "region" not in run["results"][0]["locations"][0]["physicalLocation"]


def test_every_format_takes_the_same_things():
    for form in FORMATS.values():
        assert isinstance(form(REPORT, "bundle/", False), str)


@pytest.mark.parametrize("form", FORMATS)
def test_no_character_of_a_bundle_commands_a_terminal(form):
    hostile = "a\x1b[2J\x7f\x9b\u202e\u2066\u2028.md"
    report = Report((Finding(hostile, 1, "orphan", "info", hostile, hostile),), 0, (Identity(hostile, "stale", "", hostile),))
    shown = FORMATS[form](report, "bundle/", False)
    assert shown.replace("\n", "").isprintable()
    if form == "json":
        assert json.loads(shown)["findings"][0]["path"] == hostile
    if form == "sarif":
        assert hostile in json.loads(shown)["runs"][0]["results"][0]["message"]["text"]
