"""Each writing tool edits what it must, leaves every other byte alone, or refuses and changes nothing (seed §7)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.casefile import cases
from tests.edit.bundles import as_text, files_in, read, run, write

ROOT = Path(__file__).parents[2]
CASES = [case for tool in ("relate", "supersede", "rename-predicate", "log", "file-back") for case in cases(f"edit/{tool}.txt")]


def given(case, bundle):
    """Writes the case's files; returns them and its command."""
    command, _, text = case.given.partition("\n== ")
    files = files_in("== " + text if text else "")
    write(bundle, files)
    return files, command.removeprefix("$ ")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_edits(case, tmp_path, capsys):
    files, command = given(case, tmp_path)
    status = run(tmp_path, command)
    changed = {name: content for name, content in read(tmp_path).items() if files.get(name) != content}
    said = capsys.readouterr()
    if case.expected.startswith("! "):
        assert (status, said.err.rstrip("\n"), said.out, changed) == (2, case.expected.removeprefix("! "), "", {})
    else:
        assert as_text(changed) == case.expected
        assert status == 0 and "stale until you run doit" in said.err
        assert files.keys() <= read(tmp_path).keys()


@pytest.mark.parametrize("case", [case for case in CASES if not case.expected.startswith("! ")], ids=str)
def test_a_dry_run_writes_nothing_and_its_diff_applies(case, tmp_path, capsys):
    files, command = given(case, tmp_path)
    assert run(tmp_path, command, "--dry-run") == 0
    assert read(tmp_path) == files
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "-c", "core.quotePath=false", "apply", "-"], input=capsys.readouterr().out.encode(), cwd=tmp_path, check=True)
    applied = {name: content for name, content in read(tmp_path).items() if not name.startswith(".git/") and files.get(name) != content}
    assert as_text(applied) == case.expected


def as_another_editor_writes(name, content):
    """With carriage returns and a byte order mark; a concept file also without its last newline."""
    if not name.endswith(".md"):
        return content
    content = b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n")
    return content if name == "log.md" else content.removesuffix(b"\r\n")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_carriage_returns_a_byte_order_mark_and_a_missing_last_newline_stay(case, tmp_path, capsys):
    files, command = given(case, tmp_path)
    foreign = {name: as_another_editor_writes(name, content) for name, content in files.items()}
    write(tmp_path, foreign)
    run(tmp_path, command)
    capsys.readouterr()
    changed = {name: content for name, content in read(tmp_path).items() if foreign.get(name) != content}
    expected = {} if case.expected.startswith("! ") else files_in(case.expected)
    assert changed == {name: as_another_editor_writes(name, content) if name in files else content for name, content in expected.items()}


@pytest.mark.parametrize("words, given, told", [
    (["log", "Update", b"Z\xff"], b"", "is not UTF-8"),
    (["file-back", "--title", "T"], b"a\xffb", "Standard input is not UTF-8"),
    (["file-back", "--title", "T"], None, "nothing to file back")])
def test_what_is_no_text_is_refused_in_a_sentence(tmp_path, words, given, told):
    """None stands for a closed standard input."""
    line = [sys.executable, "-m", "pipeline", words[0], "--bundle", str(tmp_path), *words[1:]]
    if given is None:
        line = ["sh", "-c", 'exec "$@" <&-', "sh", *line]
    done = subprocess.run(line, input=given or b"", cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 2 and done.stderr.count(b"\n") == 1 and told in done.stderr.decode()
    assert read(tmp_path) == {}


def test_where_file_names_are_not_read_as_utf8_the_tools_say_what_to_set(tmp_path):
    surroundings = os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run([sys.executable, "-m", "pipeline", "log", "--bundle", str(tmp_path), "Update", "Zoë".encode()],
                          cwd=ROOT, env=surroundings, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "PYTHONUTF8=1" in done.stderr
