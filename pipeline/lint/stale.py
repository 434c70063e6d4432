"""A concept whose `stale_after` has passed. Its facts are ranked down and marked in answers.

Check it against its sources, then move `stale_after` on and add a `verified` entry; or supersede it.
"""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.lint.bundle import LintBundle, Remark

ID = "stale"
LEVEL = "warning"


def check(bundle: LintBundle) -> Iterator[Remark]:
    for path, since in bundle.db.execute(
            "select _path, stale_after from concepts where substr(stale_after, 1, 10) <= ?", (bundle.today,)):
        yield Remark(path, f"stale since {since}", "stale_after")
