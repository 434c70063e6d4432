"""A relation whose object is a concept path, but no concept lies there.

OKF allows it, since it may be knowledge not yet written; so it is told, and kept as an edge. Write the concept, or
correct the path.
"""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.lint.bundle import LintBundle, Remark
from pipeline.lint.moved import Moved

ID = "broken-target"
LEVEL = "warning"


def check(bundle: LintBundle) -> Iterator[Remark]:
    moved = Moved(bundle.db)
    for path, line, predicate, target, is_file in bundle.db.execute("""
            select subject_path, line, predicate, object_path, object_path in (select path from cache.seen)
            from edges where object_path not in (select _path from concepts)"""):
        why = "is a file but no concept" if is_file else f"does not exist{moved.hint(target)}"
        yield Remark(path, f"the object of {predicate} {why}: {target}", "relations", line)
