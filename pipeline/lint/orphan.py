"""A concept that nothing leads to: no relation of another concept has it as its object, and no prose links to it.

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
              and not exists (select 1 from links where object_path = _path and subject_path <> _path)"""):
        yield Remark(path, "no relation and no link of another concept leads here")
