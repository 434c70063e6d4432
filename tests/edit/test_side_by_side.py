"""Edits of one bundle at the same time: each waits for the others, and none is lost."""

import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

from pipeline.edit import lock as edit_lock
from pipeline.lock import lock
from pipeline.parse import parse_page
from tests.edit.bundles import read, run, write

ROOT = Path(__file__).parents[2]
MANY = 8


def together(bundle, commands):
    """Runs the tools at the same time."""
    running = [subprocess.Popen([sys.executable, "-m", "pipeline", *command, "--bundle", str(bundle)], cwd=ROOT, stderr=subprocess.PIPE, text=True)
               for command in commands]
    for one in running:
        said = one.communicate(timeout=60)[1]
        assert one.returncode == 0 and said.startswith(("Wrote ", "Note: ")), said


@contextmanager
def held(file):
    """The lock, as another program has it."""
    handle = lock(file)
    yield
    os.close(handle)


def person(name):
    return f"---\ntype: Person\ntitle: {name}\n---\n".encode()


def test_relations_and_entries_made_at_the_same_time_are_all_there(tmp_path):
    write(tmp_path, {"hub.md": person("Hub"), **{f"p{number}.md": person(f"P{number}") for number in range(MANY)}})
    together(tmp_path, [["relate", "Hub", "knows", f"P{number}", "--inverse", "known_by"] for number in range(MANY)]
             + [["log", "Update", f"Entry {number}."] for number in range(MANY)])
    files = read(tmp_path)
    relations = parse_page("/hub.md", files["hub.md"]).frontmatter["relations"]
    assert {relation["object"] for relation in relations} == {f"/p{number}.md" for number in range(MANY)}
    assert all(f"Entry {number}.".encode() in files["log.md"] for number in range(MANY))


def test_an_edit_that_has_waited_long_enough_says_so(tmp_path, monkeypatch, capsys):
    write(tmp_path, {"a.md": person("Ann"), ".wiki/edit.lock": b""})
    monkeypatch.setattr(edit_lock, "WAIT", 0.1)
    with held(tmp_path / ".wiki" / "edit.lock"):
        assert run(tmp_path, "relate Ann likes tea --literal") == 2
        assert run(tmp_path, "relate Ann likes tea --literal", "--dry-run") == 0
    said = capsys.readouterr()
    assert said.err.startswith(f"Another edit of {tmp_path} goes on") and "+  - { predicate: likes, object: tea }" in said.out
    assert read(tmp_path) == {"a.md": person("Ann")}
    assert run(tmp_path, "relate Ann likes tea --literal") == 0


def test_an_edit_goes_on_beside_a_build(tmp_path):
    write(tmp_path, {"a.md": person("Ann"), ".wiki/lock": b""})
    with held(tmp_path / ".wiki" / "lock"):
        assert run(tmp_path, "relate Ann likes tea --literal") == 0


def test_where_no_lock_can_be_had_nothing_is_edited(tmp_path, capsys):
    write(tmp_path, {"a.md": person("Ann"), ".wiki": b"a file"})
    assert run(tmp_path, "relate Ann likes tea --literal") == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "without its lock two edits could undo each other" in said
    assert read(tmp_path) == {"a.md": person("Ann"), ".wiki": b"a file"}


def test_no_name_of_a_file_commands_the_terminal(tmp_path, capsys):
    name = "a\x1b[2J\u202e\n.md"
    write(tmp_path, {name: person("Ann")})
    assert run(tmp_path, "relate Ann likes tea --literal") == 0
    assert capsys.readouterr().err.endswith(r"Wrote a\x1b[2J\u202e\n.md. wiki.db and the views are stale until you run doit." + "\n")


def test_a_diff_shown_to_a_person_commands_no_terminal_and_one_for_a_program_applies(tmp_path, capsys, monkeypatch):
    write(tmp_path, {"a.md": person("Ann") + "Ann \u202e\x1b[2J.\n".encode()})
    assert run(tmp_path, "relate Ann likes tea --literal", "--dry-run") == 0
    assert "\x1b[2J" in capsys.readouterr().out
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert run(tmp_path, "relate Ann likes tea --literal", "--dry-run") == 0
    assert r"Ann \u202e\x1b[2J." in capsys.readouterr().out
