"""doit under signals, odd environments, hung-up pipes and full disks: one sentence, nothing torn, and it recovers."""

from __future__ import annotations

import os
import random
import resource
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.build import build, contents, views
from tests.test_doit import ROOT, command, doit, ran, rows, write

ENGLISH = "---\ntype: Person\ntitle: Zoë 東京 {}\nrelations: none\n---\n" + "Zoë likes tea. " * 60 + "\n"


@pytest.fixture
def people(tmp_path):
    """A bundle with file names, titles and findings that ASCII cannot hold; not yet compiled."""
    bundle = tmp_path / "it's a “bundle”, ünd so"
    (bundle / "entities").mkdir(parents=True)
    (bundle / "wiki.yaml").write_text("embedding: { backend: none }\n")
    for number in range(40):
        (bundle / "entities" / f"zoë-{number}.md").write_text(ENGLISH.format(number), encoding="utf-8")
    return bundle


def quiet(done: subprocess.CompletedProcess) -> bool:
    return "Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize("surroundings", [
    {"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C"}, {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"},
    {"TERM": "dumb", "COLUMNS": "x", "NO_COLOR": "1", "OLLAMA_HOST": ":::"}, None], ids=str)
def test_no_environment_stops_it(people, surroundings):
    """None stands for an environment without HOME or anything else."""
    environment = {"PATH": os.environ["PATH"]} if surroundings is None else os.environ | surroundings
    done = subprocess.run(command(people), cwd=ROOT, capture_output=True, env=environment, timeout=60)
    output = (done.stdout + done.stderr).decode("utf-8", "replace")
    assert "Traceback" not in output and "40 warnings" in output
    assert rows(people, "select count(*) from concepts") == [(40,)]


def test_where_file_names_are_not_read_as_utf8_it_says_what_to_set(people):
    environment = os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(command(people), cwd=ROOT, capture_output=True, text=True, env=environment, timeout=60)
    assert done.returncode != 0 and quiet(done) and "PYTHONUTF8=1" in done.stderr


def test_a_bundle_whose_own_name_is_not_utf8_is_told(tmp_path):
    bundle = os.path.join(os.fsencode(tmp_path), b"caf\xe9")
    os.mkdir(bundle)
    done = doit(Path(os.fsdecode(bundle)))
    assert done.returncode != 0 and quiet(done) and "rename the folder" in done.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_at_once_and_the_next_run_goes_on(people, number):
    chance = random.Random(number)
    for _ in range(4):
        for name in ("lock", "doit.db", "build.db"):
            (people / ".wiki" / name).unlink(missing_ok=True)
        running = subprocess.Popen(command(people), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while not (people / ".wiki" / "lock").exists():
            time.sleep(0.01)
        time.sleep(chance.uniform(0, 0.25))
        running.send_signal(number)
        told, said = running.communicate(timeout=60)
        assert "Traceback" not in said
        if running.returncode == 128 + number:
            assert "stopped; what was finished is kept" in said
        else:  # too late: it was done, or done and Python was already putting away what it had
            assert running.returncode in (0, -number) and "is current" in told
    assert doit(people).returncode == 0 and ran(people) == []
    assert rows(people, "select count(*) from concepts") == [(40,)]


def test_a_reader_that_hangs_up_does_not_stop_the_build(people):
    with subprocess.Popen(command(people), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        running.stdout.close()
        said = running.stderr.read()
    assert running.returncode == 0 and "Traceback" not in said and "Exception" not in said
    assert ran(people) == []


@pytest.mark.parametrize("line, status", [
    ("doit -f {dodo} bundle={bundle} lint", 0), ("doit -f {dodo} bundle={bundle} lint --format json", 0),
    ("doit -f {dodo} bundle={bundle} rebuild_candidates", 0), ("doit -f {dodo} bundle={bundle} list", -signal.SIGPIPE),
    ("pipeline log --bundle {bundle} Update x --dry-run", 0)])
def test_a_tool_whose_reader_has_gone_says_nothing_of_it(people, line, status):
    """As `doit lint | head` ends in silence; whether all is well it still tells by its status."""
    assert doit(people).returncode == 0
    words = [word.format(dodo=ROOT / "dodo.py", bundle=people) for word in line.split(" ")]
    with subprocess.Popen([sys.executable, "-m", *words], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        running.stdout.close()
        said = running.stderr.read()
    assert "roken" not in said and "Traceback" not in said and running.returncode == status


def test_closed_streams_stop_no_build(people):
    for closed in (">&-", "2>&-", ">&- 2>&-", "<&-"):
        line = f"{shlex.join(command(people))} {closed}"
        assert subprocess.run(line, shell=True, cwd=ROOT, capture_output=True, timeout=60).returncode == 0
    assert ran(people) == []


def test_a_full_disk_at_any_stage_leaves_the_old_wiki_and_passes(people, tmp_path):
    """A limit on the size of files stands in for the disk: the first write beyond it fails, at one stage after another."""
    assert doit(people).returncode == 0
    before = (people / "wiki.db").read_bytes()
    for file in (people / "entities").glob("*.md"):
        file.write_text(file.read_text(encoding="utf-8").replace("likes tea", "likes mate"), encoding="utf-8")
    (people / ".wiki" / "build.db").unlink()
    stages = set()
    for share in (0, 0.02, 0.4, 0.75, 0.95):
        limit = int(len(before) * share)
        done = doit(people, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        assert done.returncode != 0 and quiet(done) and (people / "wiki.db").read_bytes() == before
        stages.update(line.split()[0] for line in done.stdout.splitlines() if " failed: " in line)
    assert len(stages) >= 2, stages
    assert doit(people).returncode == 0 and ran(people) == []
    (tmp_path / "fresh" / "entities").mkdir(parents=True)
    for file in (people / "entities").glob("zoë*.md"):
        (tmp_path / "fresh" / "entities" / file.name).write_bytes(file.read_bytes())
    (tmp_path / "fresh" / "wiki.yaml").write_bytes((people / "wiki.yaml").read_bytes())
    build(tmp_path / "fresh")
    assert contents(people) == contents(tmp_path / "fresh") and views(people) == views(tmp_path / "fresh")


def test_tasks_may_run_beside_each_other(people):
    """doit -n runs the views in processes of their own."""
    for _ in range(3):
        done = doit(people, "-n", "3")
        assert done.returncode == 0 and quiet(done)
        for name in ("timeline.md", "entities/index.md", "wiki-trigger-keywords.txt"):
            (people / name).unlink()
    assert doit(people).returncode == 0 and ran(people) == []


def test_it_runs_from_any_folder_by_a_relative_path(people, tmp_path):
    elsewhere = tmp_path / "else where"
    elsewhere.mkdir()
    words = [*command(people)[:-1], f"bundle=../{people.name}"]
    done = subprocess.run(words, cwd=elsewhere, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and quiet(done) and list(elsewhere.iterdir()) == []
    assert ran(people) == []


def test_a_bundle_inside_a_bundle_is_a_bundle_of_its_own(people):
    inner = people / "inner"
    inner.mkdir()
    (inner / "wiki.yaml").write_text("embedding: { backend: none }\n")
    write(inner, 0)
    assert doit(inner).returncode == 0 and rows(inner, "select _path from concepts") == [("/entities/p0.md",)]
    assert doit(people).returncode == 0
    assert ("/inner/entities/p0.md",) in rows(people, "select _path from concepts")


@pytest.mark.parametrize("make, told", [
    (lambda bundle: (bundle / ".wiki").write_text("a file"), "cannot be written"),
    (lambda bundle: os.mkfifo(bundle / "wiki.yaml"), "is not a file"),
    (lambda bundle: (bundle / "wiki.yaml").mkdir(), "is not a file"),
    (lambda bundle: (bundle / "wiki.yaml").symlink_to("/dev/zero"), "is not a file"),
    (lambda bundle: os.truncate(_made(bundle / "wiki.yaml"), 100 * 2**20), "has more than 16 MB and is not read"),
    (lambda bundle: (bundle / "wiki.yaml").write_bytes(b"embedding: \xff"), "cannot be read"),
    (lambda bundle: (bundle / "wiki.yaml").write_text(r'embedding: { backend: "no\0ne" }'), "control character"),
    (lambda bundle: (bundle / "wiki.db").mkdir(), "could not be published"),
    (lambda bundle: (bundle / "timeline.md").mkdir(), "Is a directory"),
    (lambda bundle: (bundle / "entities" / "index.md").mkdir(), "index.md"),
    (lambda bundle: (bundle / ".wiki" / "build.db").mkdir(parents=True), "Is a directory")],
    ids=["wiki-folder", "fifo", "folder", "device", "size", "bytes", "control", "wiki.db", "timeline", "index", "build.db"])
def test_what_stands_in_its_place_is_told(people, make, told):
    (people / "wiki.yaml").unlink()
    make(people)
    done = doit(people, "embedding=none")
    assert done.returncode != 0 and quiet(done) and told in done.stdout + done.stderr


@pytest.mark.parametrize("name", ["build.db", "cache.db", "doit.db", "id", "index.json"])
@pytest.mark.parametrize("make", [
    lambda file: file.symlink_to("/dev/full"), lambda file: file.symlink_to("/dev/zero"), lambda file: file.symlink_to("nowhere/x"), os.mkfifo],
    ids=["full", "endless", "nowhere", "pipe"])
def test_what_is_no_file_in_the_working_state_gives_way(people, name, make):
    assert doit(people).returncode == 0
    (people / ".wiki" / name).unlink()
    make(people / ".wiki" / name)
    (people / "entities" / "zoë-3.md").unlink()
    done = doit(people)
    assert done.returncode == 0 and quiet(done) and ran(people) == []
    assert rows(people, "select count(*) from concepts") == [(39,)]


def _made(file: Path) -> Path:
    file.touch()
    return file


def test_a_clock_set_back_hides_no_edit(people):
    file = people / "entities" / "zoë-3.md"
    assert doit(people).returncode == 0
    file.write_text(file.read_text(encoding="utf-8").replace("tea", "ale"), encoding="utf-8")
    os.utime(file, (1, 1))
    assert doit(people).returncode == 0
    os.utime(file, (2**33, 2**33))
    assert doit(people).returncode == 0 and ran(people) == []
    assert rows(people, "select count(*) from concepts where body like '%ale%'") == [(1,)]
