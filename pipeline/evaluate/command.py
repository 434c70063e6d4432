"""What `doit evaluate` does: asks, compares with the accepted scores, keeps the report, and says it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import apsw

from pipeline.evaluate.run import Answers, evaluate
from pipeline.evaluate.settings import EvaluateSettings
from pipeline.evaluate.measures import MEASURES
from pipeline.evaluate.questions import read_questions
from pipeline.evaluate.scoreboard import accepted_json, as_json, passes, read_accepted, text
from pipeline.views import write
from retrieval.errors import SettingsError

FORMATS = {"text": text, "json": as_json}


def evaluate_command(db: apsw.Connection, bundle: Path, settings: EvaluateSettings, open_wiki: Callable[[], Answers],
                     today: str | None = None, *, format: str = "text", accept: bool = False,
                     progress: Callable[[int, int], None] = lambda done, total: None) -> tuple[str, bool]:
    """The text to print, and whether the wiki answers well enough.

    `db` holds the concepts; `open_wiki` opens the published wiki, and is called only when there are questions.
    `.wiki/evaluate.json` always gets the whole report. With `accept` these scores are what later runs are compared
    with. Raises SettingsError, AcceptedError and what the wiki raises.
    """
    if format not in FORMATS:
        raise SettingsError(f"there is no format {format!r}; choose one of {', '.join(FORMATS)}.")
    known = [measure.name for measure in MEASURES]
    if unknown := [name for name in settings.minimum if name.partition(":")[0] not in known]:
        raise SettingsError(f"evaluate.minimum of wiki.yaml: there is no measure {unknown[0]!r}; there are {', '.join(known)}.")
    file = bundle / settings.questions
    if not file.exists():
        return f"There is no {settings.questions} in the bundle, so there is nothing to ask.\n", True
    questions = read_questions(file, db)
    evaluation = evaluate(open_wiki(), questions, today, progress)
    if accept:
        write(bundle / settings.accepted, accepted_json(evaluation).encode())
    accepted = read_accepted(bundle / settings.accepted)
    write(bundle / ".wiki" / "evaluate.json", as_json(evaluation, accepted, settings).encode())
    return FORMATS[format](evaluation, accepted, settings), passes(evaluation, accepted, settings)
