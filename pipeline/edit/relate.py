"""Asserts a relation in both directions in one pass (seed §7.1): the hard rule, kept by a tool."""

from __future__ import annotations

from pathlib import Path

import yaml

from pipeline.dates import WRITE_DATE, fact_date
from pipeline.edit.changes import Edit, Refused
from pipeline.edit.concepts import concept_of, open_concept
from pipeline.edit.document import Document
from pipeline.frontmatter import line_of
from pipeline.model import Relation
from pipeline.scalars import copied, text_of
from pipeline.edit.vocabulary import undocumented


def relate(bundle: Path, subject: str, predicate: str, object: str, inverse: str | None = None, date: str | None = None,
           source: str | None = None, inverse_source: str | None = None) -> Edit:
    """`subject predicate object`, and `object inverse subject` on the other file; without `inverse`, object is a literal.

    A direction that stands already is left as it is, so that a missing one can be added, with the date of the one that
    stands; one without a date is given this one. The entry of the source is copied to the other file, unless that has
    it or cites `inverse_source`. Raises Refused.
    """
    predicates = [one_line(name, "predicate") for name in (predicate, inverse) if name is not None]
    there = open_concept(bundle, subject)
    if inverse is None:
        documents = [_add(there, predicates[0], _literal(object), date, source)]
    else:
        back = open_concept(bundle, object)
        if back.page.path == there.page.path:
            raise there.refused("would be related to itself")
        date = date or _only_date(there, predicates[0], back.page.path) or _only_date(back, predicates[1], there.page.path)
        documents = [_add(there, predicates[0], back.page.path, date, source),
                     _add(back, predicates[1], there.page.path, date, inverse_source or source, None if inverse_source else there)]
    changes = tuple(document.change() for document in documents if document.changed)
    if not changes:
        raise there.refused(f"already says {predicates[0]} {object}")
    return Edit(changes, undocumented(bundle, predicates))


def one_line(text: str, what: str) -> str:
    """The text with single spaces. Raises Refused when there is none."""
    if not text.strip():
        raise Refused(f"The {what} is empty; nothing was changed.")
    return " ".join(text.split())


def _literal(text: str) -> str:
    if text.startswith("/"):
        raise Refused(f"{text} would be read as the path of a concept: name its --inverse, or write the value otherwise; "
                      "nothing was changed.")
    return one_line(text, "object")


def checked_date(date: str) -> str:
    """The date as given. Raises Refused when it is no year, month or day of the calendar."""
    if fact_date(date) != date:
        raise Refused(f"{date!r} is not a date: {WRITE_DATE}; nothing was changed.")
    return date


def _add(document: Document, predicate: str, object: str, date: str | None, source: str | None,
         lender: Document | None = None) -> Document:
    """The document with the relation, if it lacks it; `lender` is the document whose source may be taken along."""
    if date is not None:
        checked_date(date)
    standing = _standing(document, predicate, object)
    if any(relation.date == date or date is None for relation in standing):
        return document
    if source is not None:
        document = _with_source(document, source, lender)
    item = {key: value for key, value in (("predicate", predicate), ("object", object), ("date", date), ("source", source)) if value}
    undated = next((one for one in standing if one.date is None and one.source in (None, source)), None)
    number = _number(document, undated) if undated else None
    if number is None:
        return document.append("relations", item)
    return document.complete("relations", number, "object", {key: item[key] for key in item if key not in document.data["relations"][number]})


def _standing(document: Document, predicate: str, object: str) -> list[Relation]:
    """The relations of this predicate and object that the file holds, whatever their dates."""
    return [relation for relation in concept_of(document).relations
            if (relation.predicate, relation.object_path or relation.object_literal) == (predicate, object)]


def _only_date(document: Document, predicate: str, object: str) -> str | None:
    dates = {relation.date for relation in _standing(document, predicate, object)}
    return dates.pop() if len(dates) == 1 else None


def _number(document: Document, relation: Relation) -> int | None:
    """The place of a relation among the entries, when those can be told apart by their lines and it has no date at all."""
    entries = document.data["relations"]
    if not isinstance(entries, list):
        return None
    lines = [line_of(f"relations[{number}]", document.page.lines) for number in range(len(entries))]
    return lines.index(relation.line) if lines.count(relation.line) == 1 and "date" not in entries[lines.index(relation.line)] else None


def _with_source(document: Document, id: str, lender: Document | None) -> Document:
    """The document with a source of this id. Raises Refused when it has another of that id, or none can be had."""
    own, lent = _sources(document).get(id), _sources(lender).get(id) if lender else None
    if own is None and lent is None:
        known = ", ".join(_sources(document)) or "none"
        raise document.refused(f"has no source with the id {id} (it has: {known}): add it to `sources` first")
    if own is None:
        return document.append("sources", copied(lent))
    if lent is not None and _resource(own) != _resource(lent):
        raise document.refused(f"means another source by the id {id}: name the one to cite there with --inverse-source")
    return document


def _sources(document: Document) -> dict[str, yaml.MappingNode]:
    """The entries of `sources` by their id."""
    entries = getattr(document.node("sources"), "value", ())
    return {text_of(value): entry for entry in entries if isinstance(entry, yaml.MappingNode)
            for key, value in entry.value if key.value == "id"}


def _resource(entry: yaml.MappingNode) -> str | None:
    return next((text_of(value) for key, value in entry.value if key.value == "resource"), None)
