"""Every block of the README runs, and what it shows is what comes out."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from pipeline.evaluate.questions import read_questions
from pipeline.evaluate.run import evaluate
from pipeline.frontmatter import read_frontmatter
from pipeline.parse import parse_page
from pipeline.settings import load_settings
from pipeline.understand import understand
from retrieval import Wiki
from tests.sample import ROOT
from tests.schema_table import schema_table

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
BIN = Path(sys.executable).parent


def blocks(language: str) -> list[str]:
    return [text for kind, text in BLOCKS if kind == language]


def shell(line: str, folder: Path) -> subprocess.CompletedProcess:
    return subprocess.run(["sh", "-c", line], cwd=folder, capture_output=True, text=True, timeout=600,
                          env={"PATH": f"{BIN}:/usr/bin:/bin", "HOME": str(folder), "LANG": "C.UTF-8"})


def commands() -> list[str]:
    """The commands of all shell blocks, but those that make the environment the tests already run in."""
    lines = [line.split("  #")[0].strip() for text in blocks("sh") for line in text.splitlines()]
    return [line for line in lines if line and not line.startswith(("#", "python3 -m venv", "doit bundle=", "git status"))]


@pytest.mark.parametrize("line", commands())
def test_a_command_of_the_readme_works(sample, line, tmp_path):
    shutil.copytree(sample, tmp_path / "clone", symlinks=True)
    (tmp_path / "clone" / "answer.md").write_text("It backed [OpenAI](/entities/openai.md).\n")
    done = shell(line, tmp_path / "clone")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout or line.startswith("doit"), "it says something"


def test_the_answer_shown_is_the_answer_given(sample):
    question = re.search(r'retrieval ("Who is Marc Andreessen\?" --budget \d+)', README)[1]
    assert shell(f"python -m retrieval {question}", sample).stdout.strip() == blocks("text")[0].strip()


def test_the_questions_shown_are_sound_and_pass(sample, tmp_path):
    text, = blocks("json")
    (tmp_path / "evaluate.json").write_text(text, encoding="utf-8")
    questions = read_questions(tmp_path / "evaluate.json", apsw.Connection(str(sample / "bundle" / "wiki.db")))
    assert questions.findings == () and [question.in_bundle for question in questions.rows] == [True, False]
    assert evaluate(Wiki(sample / "bundle"), questions).failing == {}


def test_the_check_of_views_shown_names_those_that_git_does_not_hold_as_they_are(tmp_path):
    line, = [line for text in blocks("sh") for line in text.splitlines() if line.startswith("git status")]
    (tmp_path / "bundle").mkdir()
    (tmp_path / "bundle" / "timeline.md").write_text("one\n")
    assert shell("git init -q && git add . && git -c user.name=A -c user.email=a@b commit -qm x", tmp_path).returncode == 0
    assert shell(line, tmp_path).returncode == 0
    (tmp_path / "bundle" / "index.md").write_text("never committed\n")
    assert shell(line, tmp_path).returncode != 0 and "bundle/index.md" in shell(line, tmp_path).stdout
    shell("git add .", tmp_path)
    assert shell(line, tmp_path).returncode != 0, "added, but not committed"


def test_the_findings_shown_are_those_of_the_sample(sample):
    assert shell("doit lint", sample).stdout.strip() == blocks("text")[1].strip()


def test_the_script_shown_runs(sample):
    script, = [text for text in blocks("python") if "from retrieval" in text]
    done = subprocess.run([sys.executable, "-c", script + "\nprint(prompt)"], cwd=sample, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Mike Pompeo" in done.stdout, "the secretary before Blinken"


def test_the_concept_shown_is_sound():
    text, = blocks("markdown")
    concept, findings = understand(parse_page("/entities/antony-blinken.md", text.encode()))
    assert concept.trust_tier == "human-reviewed" and findings == ()


def test_the_settings_shown_load(tmp_path):
    text, = blocks("yaml")
    (tmp_path / "wiki.yaml").write_text(text)
    assert load_settings(tmp_path).multi_valued == ("has_part",)
    uncommented = re.sub(r"^  # (\w+:)", r"  \1", text, flags=re.MULTILINE)
    (tmp_path / "wiki.yaml").write_text(uncommented)
    assert set(read_frontmatter(uncommented)[0]["embedding"]) == {"backend", "url", "model", "on_failure"}
    assert load_settings(tmp_path).embedding.on_failure == "lexical"


def test_the_query_shown_finds_rows(sample):
    query, = blocks("sql")
    assert len(apsw.Connection(str(sample / "bundle" / "wiki.db")).execute(query).fetchall()) > 3


def test_the_table_of_tables_is_the_contract():
    """When this fails, paste what `python -m tests.schema_table` prints."""
    assert README.split("<!-- schema -->\n")[1].split("<!-- /schema -->")[0].strip() == schema_table()


def test_links_lead_somewhere():
    prose = re.sub(r"^```.*?^```$", "", README, flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)#]+)\)", prose):
        assert target.startswith("https://") or (ROOT / target).exists(), target
