"""The prompt hook names what a prompt mentions of the wiki, in any POSIX shell and awk (seed §12)."""

import json
import os
import pty
import shlex
import shutil
import stat
import subprocess
import sys
import time

import pytest

from pipeline.hook import HookError, hook
from pipeline.views import render
from tests.casefile import cases
from tests.pipeline.compiled import TEMPLATES

KEYWORDS = ["#MeToo", ".NET", "ai", "Andreessen Horowitz", "C++", "Go", "London", "MeToo", "München", "OpenAI", "R&D", "東京"]


def installed(*commands):
    """Those of the commands that are there, each program once: `sh` is often dash, `awk` often mawk."""
    found = {(os.path.realpath(shutil.which(command.split()[0]) or ""), *command.split()[1:]): command for command in reversed(commands)}
    return sorted(command for (program, *_), command in found.items() if os.path.isfile(program))


SHELLS = installed("sh", "dash", "bash", "busybox sh")
AWKS = installed("awk", "mawk", "gawk", "original-awk", "busybox awk")


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    bundle = tmp_path_factory.mktemp("a b'c\"d $e\\n")
    (bundle / "keywords.txt").write_text(render(TEMPLATES, "keywords.txt", keywords=KEYWORDS), encoding="utf-8")
    hook(bundle / "hook.sh", bundle, TEMPLATES, bundle / "keywords.txt")
    for awk in AWKS:
        program = bundle / awk.replace(" ", "-") / "awk"
        program.parent.mkdir()
        program.write_text(f'#!/bin/sh\nexec {shutil.which(awk.split()[0])} {awk.partition(" ")[2]} "$@"\n')
        program.chmod(0o755)
    return bundle


def run(bundle, payload, shell="sh", awk="awk"):
    search = f"{bundle / awk.replace(' ', '-')}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run([*shell.split(), "hook.sh"], input=payload, capture_output=True, cwd=bundle, timeout=20,
                          env={"PATH": search, "LANG": "en_US.UTF-8"})


def named(done):
    assert done.returncode == 0 and done.stderr == b""
    line = done.stdout.decode()
    assert line.count("\n") == (1 if line else 0)
    return line.removeprefix("The wiki knows of ").partition(". Before answering")[0]


@pytest.mark.parametrize("awk", AWKS)
@pytest.mark.parametrize("case", cases("views/hook.txt"), ids=str)
def test_payloads(case, awk, bundle):
    assert named(run(bundle, case.given.encode(), awk=awk)) == case.expected
    assert not (bundle / "hacked").exists()


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell(shell, bundle):
    case = next(case for case in cases("views/hook.txt") if case.title.startswith("what looks like code"))
    assert named(run(bundle, case.given.encode(), shell)) == case.expected


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("payload", [b"", b"\n", b"{}", b"[]", b"null", b'"', bytes(range(256)) * 300, b"{" * 100_000,
                                     b'{"prompt":' * 20_000, b'{"prompt": "' + b"\\u" * 50_000, b"\n" * 200_000],
                         ids=lambda payload: repr(payload[:12]))
def test_it_is_silent_on_anything_odd(shell, payload, bundle):
    assert named(run(bundle, payload, shell)) == ""


@pytest.mark.parametrize("awk", AWKS)
@pytest.mark.parametrize("unit", ["a", '"', "\\", "é", "<context ", '<a x="', "the "])
def test_a_megabyte_neither_hangs_nor_fails(unit, awk, bundle):
    prompt = "OpenAI " + unit * (1_000_000 // len(unit.encode())) + " Go"
    assert "OpenAI" in named(run(bundle, json.dumps({"prompt": prompt}).encode(), awk=awk))


def test_a_question_below_a_long_paste_is_seen(bundle):
    assert named(run(bundle, json.dumps({"prompt": "log line\n" * 50_000 + "Was that Go?"}).encode())) == "Go"


@pytest.mark.parametrize("awk", AWKS)
def test_ten_thousand_keywords_cost_little(awk, bundle, tmp_path):
    many = tmp_path / "many.txt"
    many.write_text("".join(f"Concept {n} of some kind\n" for n in range(10_000)))
    hook(tmp_path / "hook.sh", bundle, TEMPLATES, many)
    payload = json.dumps({"prompt": "What do we know of concept 77 of some kind, and why?"}).encode()
    best = 9.0
    for _ in range(5):
        before = os.times()
        done = subprocess.run(["sh", tmp_path / "hook.sh"], input=payload, capture_output=True,
                              env={"PATH": f"{bundle / awk.replace(' ', '-')}{os.pathsep}{os.environ['PATH']}"})
        after = os.times()
        best = min(best, after.children_user - before.children_user + after.children_system - before.children_system)
    assert named(done) == "Concept 77 of some kind"
    assert best < 0.25  # 0.01 to 0.05 s of CPU on an idle machine; a process per keyword would take ten


def test_standard_input_may_stay_open(bundle):
    process = subprocess.Popen(["sh", "hook.sh"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=bundle)
    process.stdin.write(b'{"prompt": "Go')
    process.stdin.flush()
    time.sleep(0.2)
    process.stdin.write(b' on"}')
    process.stdin.flush()
    assert process.wait(timeout=10) == 0
    assert process.stdout.read().startswith(b"The wiki knows of Go.")
    process.stdin.close()
    process.stdout.close()


def test_a_terminal_is_not_waited_for(bundle):
    ours, theirs = pty.openpty()
    assert subprocess.run(["sh", "hook.sh"], stdin=theirs, cwd=bundle, timeout=10, capture_output=True).stdout == b""
    os.close(ours)
    os.close(theirs)


@pytest.mark.parametrize("place", ["missing.txt", "."])
def test_it_is_silent_without_keywords(place, bundle, tmp_path):
    hook(tmp_path / "hook.sh", bundle, TEMPLATES, tmp_path / place)
    done = subprocess.run(["sh", tmp_path / "hook.sh"], input=b'{"prompt": "Go"}', capture_output=True)
    assert named(done) == ""


def test_its_line_holds_the_command_that_asks_the_wiki(bundle):
    command = run(bundle, b'{"prompt": "Go"}').stdout.decode().partition("asking it: ")[2].strip()
    assert shlex.split(command) == [sys.executable, "-m", "retrieval", "<question>", "--bundle", str(bundle)]


def test_it_is_executable_and_its_registration_runs_it(tmp_path, bundle):
    path = tmp_path / "my hooks' $dir" / "wiki.sh"
    settings = json.loads(hook(path, bundle, TEMPLATES, bundle / "keywords.txt"))
    entry, = settings["hooks"]["UserPromptSubmit"]
    command, = entry["hooks"]
    assert command["type"] == "command" and command["timeout"] == 5
    assert path.stat().st_mode & stat.S_IXUSR
    assert b"Go" in subprocess.run(command["command"], shell=True, input=b'{"prompt": "go"}', capture_output=True).stdout


def test_a_file_of_someone_else_is_left_alone(tmp_path, bundle):
    path = tmp_path / "hook.sh"
    path.write_text("#!/bin/sh\n")
    with pytest.raises(HookError, match="left alone"):
        hook(path, bundle, TEMPLATES, bundle / "keywords.txt")
    with pytest.raises(HookError, match="is a directory"):
        hook(tmp_path, bundle, TEMPLATES, bundle / "keywords.txt")
    assert path.read_text() == "#!/bin/sh\n"


def test_a_keyword_can_be_found_by_a_plain_loop_that_drops_comments(bundle):
    loop = r"""grep -v '^#' keywords.txt | while IFS= read -r k; do printf %s "$1" | grep -qiFw -- "$k" && echo "$k"; done"""
    found = subprocess.run(["sh", "-c", loop, "sh", "about #metoo and openai"], cwd=bundle, capture_output=True, text=True)
    assert found.stdout.split() == ["MeToo", "OpenAI"]
