"""Progress: a bar on a terminal, now and then a line elsewhere, nothing for what is over at once."""

import io

import pytest

from pipeline.progress import Progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Closing(io.StringIO):
    def write(self, text):
        raise BrokenPipeError


def run(stream, seconds, total=100, share=None):
    """What is told of `total` items, one each `seconds`."""
    now = [0.0]
    with Progress("embed", stream, clock=lambda: now[0]) as progress:
        for done in range(total + 1):
            progress(done, total, share and share(done / total))
            now[0] += seconds
    return stream.getvalue()


@pytest.fixture(autouse=True)
def terminal(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")


def test_work_of_less_than_a_second_is_silent():
    assert run(Terminal(), 0.009) == "" and run(io.StringIO(), 0.009) == ""


def test_a_terminal_has_one_line_with_rate_and_time_left():
    told = run(Terminal(), 0.5)
    assert told.count("\n") == 1 and told.endswith("\n")
    assert "\rembed  [############............] 50 of 100  2.0/s, 0:25 left" in told
    assert told.split("\r")[-1].strip() == "embed  [########################] 100 of 100 in 0:50"


def test_elsewhere_there_are_plain_lines_now_and_then():
    told = run(io.StringIO(), 0.5)
    assert told == ("embed  30 of 100  2.0/s, 0:35 left\nembed  60 of 100  2.0/s, 0:20 left\n"
                    "embed  90 of 100  2.0/s, 0:05 left\nembed  100 of 100 in 0:50\n")


def test_a_dumb_terminal_gets_plain_lines(monkeypatch):
    monkeypatch.setenv("TERM", "dumb")
    assert "\r" not in run(Terminal(), 0.5)


def test_time_left_follows_the_work_and_not_the_count():
    assert "50 of 100  2.0/s, 0:08 left" in run(Terminal(), 0.5, share=lambda part: min(1, part * 1.5))


def test_a_narrow_terminal_is_not_overrun(monkeypatch):
    monkeypatch.setenv("COLUMNS", "30")
    assert max(map(len, run(Terminal(), 0.5).strip().split("\r"))) <= 30


@pytest.mark.parametrize("stream", [None, Closing()])
def test_a_stream_that_cannot_be_written_to_silences_it(stream):
    with Progress("embed", stream, clock=iter(range(0, 900, 30)).__next__) as progress:
        for done in range(4):
            progress(done, 3)
