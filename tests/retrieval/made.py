"""Facts, passages and queries for the tests of the block, with all but what matters filled in."""

from __future__ import annotations

from typing import Any

from retrieval.context import Passage
from retrieval.model import Fact


def fact(**given: Any) -> Fact:
    """An unverified fact with a literal object, unless told otherwise."""
    values = dict(
        subject_path="/a.md", subject_title="A", predicate="is", object_path=None, object_title=None, object_literal=None,
        date=None, source=None, trust="unverified", stale=False, superseded_by=None, superseded_at=None, hop=1, score=0.5,
        factors={}) | given
    if values["object_path"] is None and values["object_literal"] is None:
        values["object_literal"] = "B"
    return Fact(**values)


def passage(text: str, path: str = "/a.md", title: str = "A", heading: str = "") -> Passage:
    return Passage(path, title, heading, text)
