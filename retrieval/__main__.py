"""`python -m retrieval "question"`: prints the context block for a prompt, or says that the bundle has no answer."""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from retrieval.errors import WikiError
from retrieval.terminal import complain, put, take_any_encoding, typed

if TYPE_CHECKING:
    from datetime import date

ANSWERED, FAULT, NO_MATCH = 0, 2, 3
"""Exit status; argparse too uses 2."""
MOST_BYTES = 2**20
"""Of a question on standard input; far more than is considered of one."""

EPILOG = """\
exit status: 0 an answer, 3 no confident match, 2 a fault told in one sentence

examples:
  python -m retrieval "Who was Secretary of State before Antony Blinken?"
  python -m retrieval --bundle notes --budget 800 "why did we drop the message queue"
  echo "who founded OpenAI" | python -m retrieval --json
  python -m retrieval --explain --anyway "best pizza in town"
"""


def main(arguments: list[str] | None = None) -> int:
    """The command; returns the exit status."""
    take_any_encoding()
    options = _parser().parse_args(arguments)
    question = typed(" ".join(options.question)) if options.question else _from_standard_input()
    if question is None:
        return _fault('No question: give one as an argument or on standard input; see `python -m retrieval --help`.')
    try:
        return _answer(question, options)
    except WikiError as fault:
        return _fault(str(fault))


def _answer(question: str, options: argparse.Namespace) -> int:
    from retrieval.wiki import Wiki  # after the arguments are known to be good: --help needs no database
    context = Wiki(options.bundle or _default_bundle()).context_for(
        question, options.budget, options.today, require_confidence=not options.anyway)
    if options.json:
        import json
        text = json.dumps(context.to_dict(), ensure_ascii=False, indent=2)
    elif options.explain:
        from retrieval.explain import explain
        text = explain(context)
    else:
        text = str(context)
    put(text + "\n")
    return ANSWERED if context.confident else NO_MATCH


def _parser() -> argparse.ArgumentParser:
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        prog="python -m retrieval", formatter_class=partial(form, width=0), epilog=EPILOG,
        description="Print what a bundle knows about a question, as a context block for an LLM.")
    parser.add_argument("question", nargs="*", help="the question; without it, standard input is read")
    parser.add_argument("--bundle", type=Path, metavar="DIR", help="folder with wiki.db (default: bundle, else the current one)")
    parser.add_argument("--budget", type=_budget, metavar="N", help="tokens the block may hold (default: 2000)")
    parser.add_argument("--today", type=_day, metavar="DATE", help="decides what is stale (default: today)")
    parser.add_argument("--anyway", action="store_true", help="show the best there is, even when it is no confident match")
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print everything known of the answer as JSON")
    output.add_argument("--explain", action="store_true", help="print why: ranks of each seed, factors of each fact")
    parser.formatter_class = form  # only now as wide as the terminal: each argument has tried it, and asking loads much
    return parser


def _budget(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text[:20]) > 0):
        raise argparse.ArgumentTypeError(f"a whole number of tokens, at least 1, not {text!r}")
    return int(text[:20])


def _day(text: str) -> date:
    from datetime import date
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"an ISO date such as 2026-05-31, not {text!r}") from None


def _default_bundle() -> Path:
    return Path("bundle") if Path("bundle").is_dir() else Path(".")


def _from_standard_input() -> str | None:
    """The question piped in; None when a person sits at the terminal."""
    if sys.stdin is None or sys.stdin.isatty():
        return None
    return sys.stdin.buffer.read(MOST_BYTES).decode("utf-8", "replace").strip()


def _fault(sentence: str) -> int:
    complain(sentence)
    return FAULT


if __name__ == "__main__":
    sys.exit(main())
