"""A concept that nothing leads to: no relation or supersession of another concept names it, and no prose links to it.

Expansion can never reach it; only a question that names it can. Link to it from a page it belongs with, or give it
a relation (each relation is written on both sides, so the other file then leads here).
"""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.lint.bundle import LintBundle, Remark

ID = "orphan"
LEVEL = "warning"


def check(bundle: LintBundle) -> Iterator[Remark]:
    for path, in bundle.db.execute("""
            select _path from concepts
            where not exists (select 1 from edges where object_path = _path and subject_path <> _path)
              and not exists (select 1 from links where object_path = _path and subject_path <> _path)
              and _path not in (select superseded_by from concepts where superseded_by is not null and superseded_by <> _path)
              and _path not in (select value from concepts, json_each(supersedes) where value <> _path)"""):
        yield Remark(path, "no relation, link or supersession of another concept leads here")
