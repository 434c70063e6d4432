"""An edit that is stopped at any point is made whole or not at all, and leaves nothing over."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.edit.bundles import read, run, write

ROOT = Path(__file__).parents[2]
NAMES = [f"n{number}.md" for number in range(5)]
BEFORE = {name: f"---\ntype: P\ntitle: {name}\nrelations:\n  - {{ predicate: knows, object: tea }}\n---\n".encode() for name in NAMES}
AFTER = {name: content.replace(b"knows", b"met") for name, content in BEFORE.items()}
COMMAND = "rename-predicate knows met"
STOPPED = "\nStopped; nothing was written that is not told above.\n"

# The tool, which sends itself a signal right after its third call of a function: of one that reads, that writes a file
# aside, that puts one in place.
PROGRAM = """
import importlib, os, runpy, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # the tests may run in the background, where it is ignored
module, name, number, *sys.argv = sys.argv[1:]
owner = importlib.import_module(module)
for part in name.split(".")[:-1]:
    owner = getattr(owner, part)
name, calls = name.split(".")[-1], 0
function = getattr(owner, name)

def counted(*given, **named):
    global calls
    result = function(*given, **named)
    calls += not str(given[-1]).endswith("edit.json")
    if calls == 3:
        os.kill(os.getpid(), int(number))
    return result

setattr(owner, name, counted)
runpy.run_module("pipeline", run_name="__main__", alter_sys=True)
"""
READING, ASIDE, PLACING = ("pathlib", "Path.read_bytes"), ("shutil", "copymode"), ("os", "replace")


def stopped(bundle, place, number):
    """Runs the tool and stops it at the place; returns what it said."""
    line = [sys.executable, "-c", PROGRAM, *place, str(int(number)), "pipeline", *COMMAND.split(), "--bundle", str(bundle)]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == (-number if number == signal.SIGKILL else 128 + number)
    return done.stderr


@pytest.fixture
def bundle(tmp_path):
    write(tmp_path, BEFORE)
    return tmp_path


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("place", [READING, ASIDE], ids=["reading", "aside"])
def test_before_the_first_file_is_in_place_a_signal_ends_it_and_nothing_is_changed(bundle, place, number):
    assert stopped(bundle, place, number) == STOPPED
    assert read(bundle) == BEFORE


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_while_files_are_put_in_place_a_signal_waits_until_all_are(bundle, number):
    said = stopped(bundle, PLACING, number)
    assert "Wrote n0.md, n1.md" in said and said.endswith("stale until you run doit.\n" + STOPPED)
    assert read(bundle) == AFTER


def test_killed_while_files_are_put_in_place_the_next_tool_finishes_it(bundle, capsys):
    stopped(bundle, PLACING, signal.SIGKILL)
    half = read(bundle)
    assert {half[name] == BEFORE[name] for name in NAMES} == {True, False}
    assert run(bundle, "log Update Tea.") == 0
    assert "Note: An edit that was killed half-way is finished now: 2 files.\n" in capsys.readouterr().err
    assert {name: content for name, content in read(bundle).items() if name != "log.md"} == AFTER


def test_killed_before_that_the_next_tool_clears_up(bundle, capsys):
    stopped(bundle, ASIDE, signal.SIGKILL)
    assert len(read(bundle)) > len(BEFORE)
    assert run(bundle, "log Update Tea.") == 0
    assert capsys.readouterr().err == "Wrote log.md. wiki.db and the views are stale until you run doit.\n"
    assert {name: content for name, content in read(bundle).items() if name != "log.md"} == BEFORE


@pytest.mark.parametrize("in_place", [True, False])
def test_when_a_file_was_edited_since_the_kill_all_stay_as_they_are(bundle, capsys, in_place):
    stopped(bundle, PLACING, signal.SIGKILL)
    name = next(name for name in NAMES if (read(bundle)[name] == AFTER[name]) == in_place)
    write(bundle, {name: b"hers"})
    before = {one: content for one, content in read(bundle).items() if one in NAMES}
    assert run(bundle, "log Update Tea.") == 0
    assert f"is not finished, for {name} was changed since" in capsys.readouterr().err
    assert {one: content for one, content in read(bundle).items() if one != "log.md"} == before


@pytest.mark.parametrize("content", [b"", b"[]", b'{"ready": true}', b'{"ready": true, "files": ["a"]}',
                                     json.dumps({"ready": True, "files": {"../outside.md": [None, "0"]}}).encode()])
def test_a_record_of_a_killed_edit_that_makes_no_sense_is_told_and_leads_nowhere(tmp_path, content, capsys):
    files = {"outside.md": b"hers", ".outside.md.edit": b"forged", "bundle/.wiki/edit.json": content}
    write(tmp_path, files)
    assert run(tmp_path / "bundle", "log Update Tea.") == 2
    assert "cannot be read: see what `git status` shows, then delete it" in capsys.readouterr().err
    assert {name: found for name, found in read(tmp_path).items() if "edit.lock" not in name and ".gitignore" not in name} == files
