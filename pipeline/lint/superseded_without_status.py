"""`superseded_by` without `status: superseded`.

The status is what keeps an outdated concept from being taken as current; `superseded_by` only says where to go.
"""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.lint.bundle import LintBundle, Remark

ID = "superseded-without-status"
LEVEL = "error"


def check(bundle: LintBundle) -> Iterator[Remark]:
    for path, status in bundle.db.execute("""
            select _path, json_extract(page.frontmatter, '$.status') from concepts left join cache.pages page on page.path = _path
            where superseded_by is not null and status <> 'superseded'"""):
        stands = "none is written" if status is None else f"the one written is {status}"
        yield Remark(path, f"needs status: superseded beside it; {stands}", "superseded_by")
