"""Records that one concept replaces another, on both files in one pass (seed §7.7)."""

from __future__ import annotations

from pathlib import Path

from pipeline.edit.changes import Edit
from pipeline.edit.concepts import concept_of, open_concept
from pipeline.edit.document import Document
from pipeline.edit.relate import checked_date


def supersede(bundle: Path, old: str, new: str, at: str | None = None) -> Edit:
    """Marks `old` as superseded by `new` since `at`; what stands already is left, so that a half can be completed.

    Raises Refused.
    """
    outdated, successor = open_concept(bundle, old), open_concept(bundle, new)
    concept, path = concept_of(outdated), successor.page.path
    if concept.superseded_by not in (None, path):
        raise outdated.refused(f"is superseded by {concept.superseded_by} already: a concept has one successor")
    _check_chain(bundle, outdated, successor)
    documents = [_outdated(outdated, path, at), _successor(successor, outdated.page.path)]
    changes = tuple(document.change() for document in documents if document.changed)
    if not changes:
        raise outdated.refused(f"is superseded by {path} already")
    return Edit(changes)


def _outdated(document: Document, path: str, at: str | None) -> Document:
    concept = concept_of(document)
    if concept.status != "superseded":
        document = document.put("status", "superseded")
    if concept.superseded_by is None:
        document = document.put("superseded_by", path, after="status")
    if at is not None and concept.superseded_at != at:
        document = document.put("superseded_at", checked_date(at), after="superseded_by")
    return document


def _successor(document: Document, path: str) -> Document:
    return document if path in concept_of(document).supersedes else document.append("supersedes", path)


def _check_chain(bundle: Path, outdated: Document, successor: Document) -> None:
    """Follows the successors from the new one on. Raises Refused when they lead back to the old one."""
    seen, document = set(), successor
    while document.page.path not in seen:
        seen.add(document.page.path)
        if document.page.path == outdated.page.path:
            raise outdated.refused(f"would supersede itself by way of {successor.page.path}")
        following = concept_of(document).superseded_by
        if following is None or not (bundle / following[1:]).is_file():
            return
        document = open_concept(bundle, following)
