"""Judges whether the bundle covers a question."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether an answer may be trusted to be about the question."""

    confident: bool
    reason: str
    """One sentence for a person or a model."""


def judge(query, seeds, expansion, vector, con, settings, meta) -> Verdict:
    return Verdict(bool(seeds), "The bundle holds words of the question." if seeds else "Nothing in the bundle matches.")
