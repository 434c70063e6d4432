"""A concept is said to be superseded by, or to supersede, a file that is no concept.

Questions about a superseded concept are answered from its successor, and here they find none. Correct the path.
"""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.lint.bundle import LintBundle, Remark
from pipeline.lint.moved import Moved

ID = "dangling-supersession"
LEVEL = "error"


def check(bundle: LintBundle) -> Iterator[Remark]:
    moved = Moved(bundle.db)
    for path, field, target in bundle.db.execute("""
            select _path, 'superseded_by', superseded_by from concepts where superseded_by is not null
              and superseded_by not in (select _path from concepts)
            union all
            select c._path, 'supersedes', s.value from concepts c, json_each(c.supersedes) s
              where s.value not in (select _path from concepts)"""):
        yield Remark(path, f"names no concept{moved.hint(target)}: {target}", field)
