"""The lock of a file, between processes."""

import os
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest

from pipeline.lock import Taken, lock

HOLDER = "import sys; from pathlib import Path; from pipeline.lock import lock; lock(Path(sys.argv[1])); print('held', flush=True); sys.stdin.read()"


@contextmanager
def holder(file):
    """Another process that has the lock until it is told to end, or killed."""
    words = [sys.executable, "-c", HOLDER, str(file)]
    with subprocess.Popen(words, cwd=Path(__file__).parents[2], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "held\n"
        yield process


def test_one_process_has_it_at_a_time(tmp_path):
    with holder(tmp_path / "lock"):
        with pytest.raises(Taken):
            lock(tmp_path / "lock")
    os.close(lock(tmp_path / "lock"))


def test_a_process_that_is_killed_frees_it(tmp_path):
    with holder(tmp_path / "lock") as process:
        process.kill()
        process.wait()
        os.close(lock(tmp_path / "lock"))


def test_who_waits_gets_it_when_it_is_free(tmp_path):
    first = lock(tmp_path / "lock")
    threading.Timer(0.1, os.close, [first]).start()
    os.close(lock(tmp_path / "lock", wait=30))


def test_what_stands_in_the_file_does_not_matter_and_stays(tmp_path):
    (tmp_path / "lock").write_bytes(b"\0 not a lock's business")
    os.close(lock(tmp_path / "lock"))
    assert (tmp_path / "lock").read_bytes() == b"\0 not a lock's business"


@pytest.mark.skipif(not hasattr(os, "O_NOFOLLOW"), reason="the system opens what a link leads to")
def test_a_link_is_not_followed(tmp_path):
    (tmp_path / "lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError):
        lock(tmp_path / "lock")
    assert not (tmp_path / "elsewhere").exists()


def test_where_it_cannot_be_made_the_system_says_why(tmp_path):
    with pytest.raises(FileNotFoundError):
        lock(tmp_path / "missing" / "lock")
