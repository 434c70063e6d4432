"""The writing tools on the command line: `python -m pipeline relate | supersede | rename-predicate | file-back | log`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable
from datetime import datetime, timezone
from pathlib import Path
from typing import TextIO

from pipeline.edit.changes import Edit, carry_out, diff
from pipeline.escape import visible
from retrieval.errors import WikiError
from retrieval.terminal import complain, end_at_once, put, take_any_encoding

STALE = "wiki.db and the views are stale until you run doit."


def main(arguments: list[str] | None = None, stdin: TextIO | None = sys.stdin, now: datetime | None = None) -> int:
    """Runs one tool; returns the exit status: 0 when done or shown, 2 when refused."""
    take_any_encoding()
    words = sys.argv[1:] if arguments is None else arguments
    try:
        _demand_utf8(words)
        given = _parser().parse_args(words)
        bundle, body = _bundle(given.bundle), _text_of(stdin) if given.reads else ""

        def plan() -> Edit:
            return given.plan(bundle, given, body, now or datetime.now(timezone.utc))

        _show(plan()) if given.dry_run else _make(bundle, plan)
    except (WikiError, OSError) as fault:
        _tell(str(fault))
        return 2
    return 0


def _show(edit: Edit) -> None:
    shown = diff(edit.changes)
    put(visible(shown, keep="\n\t") if sys.stdout.isatty() else shown)
    _tell_notes(edit.notes)
    _tell(f"Nothing was written; this would change {_names(edit)}.")


def _make(bundle: Path, plan: Callable[[], Edit]) -> None:
    """The edit under the lock, from the first look at a file to the last one written."""
    from pipeline.edit.journal import settle
    from pipeline.edit.lock import edit_lock
    from pipeline.edit.signals import held_back
    with edit_lock(bundle):
        _tell_notes(settle(bundle))
        edit = plan()
        with held_back() as due:
            carry_out(bundle, edit.changes, due)
            _tell_notes(edit.notes)
            _tell(f"Wrote {_names(edit)}. {STALE}")


def _names(edit: Edit) -> str:
    names = [change.name for change in edit.changes]
    return ", ".join(names) if len(names) < 6 else f"{len(names)} files"


def _tell_notes(notes: Iterable[str]) -> None:
    for note in notes:
        _tell(f"Note: {note}")


def _tell(sentence: str) -> None:
    """What is said may hold the name of a file, and that an escape code."""
    complain(visible(sentence))


def _demand_utf8(words: list[str]) -> None:
    """What is written into files is UTF-8, and so are the names of the files."""
    from pipeline.store import demand_utf8_names
    demand_utf8_names()
    for word in words:
        if not _is_utf8(os.fsencode(word)):
            raise WikiError(f"The argument {word!a} is not UTF-8: write it in a terminal that is.")


def _is_utf8(data: bytes) -> bool:
    return data.decode("utf-8", "replace").encode() == data


def _text_of(stdin: TextIO | None) -> str:
    """What stands on standard input, in UTF-8 whatever the locale; empty when it is closed."""
    if stdin is None or not hasattr(stdin, "buffer"):
        return stdin.read() if stdin else ""
    from pipeline.parse import MAX_BYTES
    data = stdin.buffer.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES or not _is_utf8(data):
        raise WikiError(f"Standard input is not UTF-8, or more than the {MAX_BYTES // 2**20} MB that a page may hold.")
    return data.decode("utf-8-sig").replace("\r\n", "\n")


def _bundle(given: Path | None) -> Path:
    bundle = given or (Path("bundle") if Path("bundle").is_dir() else Path("."))
    if not bundle.is_dir():
        raise WikiError(f"There is no bundle at {bundle}: name its folder with --bundle.")
    return bundle


# The tools. Each is imported when it is asked for.

def _relate(bundle: Path, given: argparse.Namespace, body: str, now: datetime) -> Edit:
    from pipeline.edit.relate import relate
    return relate(bundle, given.subject, given.predicate, given.object,
                  given.inverse, given.date, given.source, given.inverse_source)


def _supersede(bundle: Path, given: argparse.Namespace, body: str, now: datetime) -> Edit:
    from pipeline.edit.supersede import supersede
    return supersede(bundle, given.old, given.new, given.at)


def _rename(bundle: Path, given: argparse.Namespace, body: str, now: datetime) -> Edit:
    from pipeline.edit.rename_predicate import rename_predicate
    return rename_predicate(bundle, dict([(given.old, given.new), *([given.inverse] if given.inverse else [])]))


def _file_back(bundle: Path, given: argparse.Namespace, body: str, now: datetime) -> Edit:
    from pipeline.edit.file_back import Filing, file_back
    tags = tuple(tag for tag in given.tags.split(",") if tag.strip())
    filing = Filing(title=given.title, body=body, type=given.type, by=given.by, description=given.description,
                    tags=tags, path=given.path, linked_from=tuple(given.linked_from))
    return file_back(bundle, filing, now)


def _log(bundle: Path, given: argparse.Namespace, body: str, now: datetime) -> Edit:
    from pipeline.edit.log import log
    return log(bundle, given.kind, given.text, now.date())


# What they are given on the command line.

def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m pipeline", description="Edits of a bundle that touch several files, made in one pass: all of it or nothing, "
        "also when it is interrupted. An edit waits for another that goes on; one that was killed outright (SIGKILL) half-way is finished by "
        "the next. Comments, order and formatting stay. A concept is named by its path, its title or an alias.")
    tools = parser.add_subparsers(required=True, metavar="TOOL")
    _tool_relate(tools)
    _tool_supersede(tools)
    _tool_rename(tools)
    _tool_file_back(tools)
    _tool_log(tools)
    return parser


def _tool(tools, name: str, plan: Callable[..., Edit], summary: str, example: str) -> argparse.ArgumentParser:
    tool = tools.add_parser(name, help=summary, description=summary[:1].upper() + summary[1:] + ".",
                            epilog="example:\n  " + example, formatter_class=argparse.RawDescriptionHelpFormatter)
    tool.add_argument("--bundle", type=Path, metavar="DIR", help="the bundle's folder (default: bundle/, or this folder)")
    tool.add_argument("--dry-run", action="store_true", help="show the edit as a diff, write nothing")
    tool.set_defaults(plan=plan, reads=False)
    return tool


def _tool_relate(tools) -> None:
    tool = _tool(tools, "relate", _relate, "assert a relation on both files, each in its direction",
                 'python -m pipeline relate "Andreessen Horowitz" invested_in OpenAI --inverse backed_by --date 2021-04\n'
                 '  python -m pipeline relate /entities/marc-andreessen.md born_on 1971-07-09 --literal')
    tool.add_argument("subject", help="the concept that the relation is about")
    tool.add_argument("predicate", help="what it says of it, as AGENTS.md explains it")
    tool.add_argument("object", help="the other concept, or a value with --literal")
    kind = tool.add_mutually_exclusive_group(required=True)
    kind.add_argument("--inverse", metavar="PREDICATE", help="the predicate of the other direction")
    kind.add_argument("--literal", action="store_true", help="the object is a value, not a concept")
    tool.add_argument("--date", help="since when it holds: 2021, 2021-04 or 2021-04-01")
    tool.add_argument("--source", metavar="ID",
                      help="id of an entry of the subject's `sources`; the other file gets a copy of the entry")
    tool.add_argument("--inverse-source", metavar="ID", help="id to cite on the other file, when it has a source of its own")


def _tool_supersede(tools) -> None:
    tool = _tool(tools, "supersede", _supersede, "record on both files that one concept replaces another",
                 "python -m pipeline supersede /entities/george-hw-bush-presidency.md /entities/bill-clinton-presidency.md --at 1993-01-20")
    tool.add_argument("old", help="the concept that is replaced; it stays, marked")
    tool.add_argument("new", help="the concept that replaces it")
    tool.add_argument("--at", metavar="DATE", help="when: 1993, 1993-01 or 1993-01-20 (default: left to the successor's `generated`)")


def _tool_rename(tools) -> None:
    tool = _tool(tools, "rename-predicate", _rename,
                 "give a predicate another name in every file, AGENTS.md, wiki.yaml and evaluate.json",
                 "python -m pipeline rename-predicate backs invested_in --inverse backed backed_by")
    tool.add_argument("old", help="its name now")
    tool.add_argument("new", help="its name from now on; may be one that is in use")
    tool.add_argument("--inverse", nargs=2, metavar=("OLD", "NEW"), help="rename the predicate of the other direction too")


def _tool_file_back(tools) -> None:
    tool = _tool(tools, "file-back", _file_back, "make a page of an answer worth keeping, from standard input, and log it",
                 'python -m pipeline file-back --title "Who funded the early labs" --tags synthesis,ai --linked-from OpenAI < answer.md')
    tool.set_defaults(reads=True)
    tool.add_argument("--title", required=True, help="the page's title")
    tool.add_argument("--description", help="one sentence (default: the first of the text)")
    tool.add_argument("--tags", default="", help="comma-separated")
    tool.add_argument("--type", default="Concept", help="its type (default: Concept)")
    tool.add_argument("--path", help="where it goes (default: /concepts/ and the title's words)")
    tool.add_argument("--by", default="process:file-back", metavar="ACTOR",
                      help="who wrote it: agent/model or human:name (default: process:file-back)")
    tool.add_argument("--linked-from", action="append", default=[], metavar="CONCEPT",
                      help="a concept that gets a link to the page; may be repeated")


def _tool_log(tools) -> None:
    tool = _tool(tools, "log", _log, "add an entry to log.md, under today's date",
                 'python -m pipeline log Ingest "Two profiles of [OpenAI](/entities/openai.md)."')
    tool.add_argument("kind", help="what was done, in a word: Ingest, Update, Supersession, Rebuild")
    tool.add_argument("text", help="one sentence, with links")


if __name__ == "__main__":
    end_at_once("Stopped; nothing was written that is not told above.")
    sys.exit(main())
