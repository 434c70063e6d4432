"""Proposes the confidence threshold of a bundle from its labelled questions, with what other thresholds would do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import apsw

from pipeline.evaluate.questions import Question, read_questions
from pipeline.evaluate.settings_text import with_setting
from pipeline.evaluate.trade_off import Point, Sample, at, best, reaching, trade_off
from pipeline.views import write
from retrieval import Wiki
from retrieval.errors import WikiError

TARGETS = (50.0, 70.0, 80.0, 90.0, 95.0, 98.0, 100.0)
"""Shares of refused out-of-bundle questions for which the table shows what is left of the good ones."""
ENOUGH = 20
"""Questions of either kind below which a threshold fits these questions more than the bundle."""


class CalibrateError(WikiError):
    """There are no questions to calibrate by."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """A threshold with what speaks for it."""

    good: int
    """In-bundle questions it was found by."""
    bad: int
    """Out-of-bundle ones."""
    current: Point
    """What the threshold in force does."""
    proposed: Point
    """The best balance; the one in force when none is better."""
    table: tuple[Point, ...]
    """The trade-off, from lenient to strict, both of these included."""


def confidences(wiki: Wiki, questions: Sequence[Question], today: str,
                progress: Callable[[int, int], None] = lambda done, total: None) -> list[Sample]:
    """How sure a wiki is of each question."""
    samples = []
    for done, question in enumerate(questions, 1):
        samples.append(Sample(wiki.context_for(question.text, today=today).verdict.probability, question.in_bundle))
        progress(done, len(questions))
    return samples


def calibrate(samples: Sequence[Sample], current: float) -> Calibration:
    """Weigh every threshold against labelled questions. Raises CalibrateError unless there are both kinds."""
    good = sum(sample.in_bundle for sample in samples)
    if not good or good == len(samples):
        raise CalibrateError("a threshold is found by questions of both kinds: write some that the bundle covers and "
                             "some that it does not into its evaluate.json.")
    points, now = trade_off(samples), at(current, samples)
    found = best([now, *points])
    table = {point for target in TARGETS if (point := reaching(points, target))}
    return Calibration(good, len(samples) - good, now, found, tuple(sorted({*table, now, found})))


def as_text(calibration: Calibration) -> str:
    """The trade-off as a table, and what to do next."""
    lines = [f"{calibration.good} in-bundle and {calibration.bad} out-of-bundle questions, answered from this confidence on:",
             "", f"{'threshold':>10} {'answered':>9} {'refused':>8}"]
    for point in calibration.table:
        marks = [word for word, marked in (("in force", calibration.current), ("proposed", calibration.proposed)) if marked == point]
        lines.append(f"{point.threshold:10.6g} {point.accepted:9.1f} {point.refused:8.1f}  {', '.join(marks)}".rstrip())
    if min(calibration.good, calibration.bad) < ENOUGH:
        lines += ["", f"Fewer than {ENOUGH} questions of a kind: what is proposed may be chance."]
    lines += ["", "The threshold in force is the best balance." if calibration.proposed == calibration.current else
              f"doit calibrate --write puts confidence_threshold: {calibration.proposed.threshold!r} into wiki.yaml."]
    return "\n".join(lines) + "\n"


def calibrate_command(db: apsw.Connection, bundle: Path, questions: str, threshold: float, today: str, *,
                      save: bool = False, progress=lambda done, total: None) -> str:
    """The text to print; with `save` the proposal is written into wiki.yaml. Raises CalibrateError, SettingsError.

    `db` holds the concepts, `questions` is the name of the file in the bundle, `threshold` the one in force.
    """
    rows = read_questions(bundle / questions, db).rows
    calibration = calibrate(confidences(Wiki(bundle), rows, today, progress) if rows else (), threshold)
    if not save or calibration.proposed == calibration.current:
        return as_text(calibration)
    file = bundle / "wiki.yaml"
    text = file.read_bytes().decode("utf-8") if file.exists() else ""
    write(file, with_setting(text, "retrieval", "confidence_threshold", calibration.proposed.threshold).encode())
    table = as_text(calibration).rpartition("\n\n")[0]
    return f"{table}\n\nwiki.yaml now says confidence_threshold: {calibration.proposed.threshold!r}; it holds from the next doit on.\n"
