"""A relation to another concept which that concept's file does not answer with one back.

Both directions are written in the same pass, since nothing is inferred when a question is asked. When AGENTS.md
documents the predicate's inverse, that one is needed; otherwise any relation back will do. The message holds the
line to add to the other file; its predicate is the documented inverse, else the one mostly used in answer.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache

from pipeline.scalars import flow
from pipeline.lint.bundle import LintBundle, Remark

ID = "asymmetric-relation"
LEVEL = "error"


def check(bundle: LintBundle) -> Iterator[Remark]:
    missing = []
    answers: Counter[tuple[str, str]] = Counter()  # how often a predicate is answered by which ones, as JSON
    for *relation, answered in bundle.db.execute("""
            with answer as materialized (
              select subject_path, object_path, json_group_array(distinct predicate) as predicates
              from edges where object_path is not null group by subject_path, object_path)
            select edge.subject_path, edge.line, edge.predicate, edge.object_path, edge.date, edge.source_id,
                   coalesce(answer.predicates, '[]')
            from edges edge left join answer on answer.subject_path = edge.object_path and answer.object_path = edge.subject_path
            where edge.object_path in (select _path from concepts) and edge.object_path <> edge.subject_path"""):
        answers[relation[2], answered] += 1
        if not _is_answer(answered, bundle.vocabulary.inverses.get(relation[2], frozenset())):
            missing.append(relation)
    usual = _usual(answers)
    for path, line, predicate, target, date, source in missing:
        documented = bundle.vocabulary.inverses.get(predicate)
        inverse = min(documented) if documented else usual.get(predicate, f"<the inverse of {predicate}>")
        entry = {"predicate": inverse, "object": path}
        if date:
            entry["date"] = date
        if source and source in _source_ids(bundle, target):
            entry["source"] = source
        yield Remark(path, f"{predicate} is not answered; add to {target}: - {flow(entry)}", "relations", line)


@cache
def _is_answer(answered: str, needed: frozenset[str]) -> bool:
    """Whether one of the predicates that lead back will do."""
    predicates = json.loads(answered)
    return bool(needed.intersection(predicates) if needed else predicates)


def _usual(answers: Counter[tuple[str, str]]) -> dict[str, str]:
    """The predicate that mostly answers each one; the first by name among equals."""
    used: dict[str, Counter[str]] = defaultdict(Counter)
    for (asked, answered), count in answers.items():
        used[asked].update(dict.fromkeys(json.loads(answered), count))
    return {asked: min(found, key=lambda name: (-found[name], name)) for asked, found in used.items() if found}


def _source_ids(bundle: LintBundle, path: str) -> set[str]:
    sources = bundle.db.execute("select sources from concepts where _path = ?", (path,)).get
    return {source.get("id") for source in json.loads(sources)}
