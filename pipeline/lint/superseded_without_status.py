"""`superseded_by` without `status: superseded`.

The status is what keeps an outdated concept from being taken as current; `superseded_by` only says where to go.
"""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.lint.bundle import LintBundle, Remark

ID = "superseded-without-status"
LEVEL = "error"


def check(bundle: LintBundle) -> Iterator[Remark]:
    for path, status, written in bundle.db.execute("""
            select _path, concepts.status, lines ->> 'status' from concepts join cache.pages using (_path)
            where concepts.superseded_by is not null and concepts.status <> 'superseded'"""):
        stands = f"the one written is read as {status}" if written else "none is written"
        yield Remark(path, f"needs status: superseded beside it; {stands}", "superseded_by")
