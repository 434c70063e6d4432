"""A supersession that only one of the two files tells of.

Both directions belong in one edit: `superseded_by` on the old concept, and the old one's path among `supersedes` of
the new one.
"""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.lint.bundle import LintBundle, Remark

ID = "asymmetric-supersession"
LEVEL = "error"


def check(bundle: LintBundle) -> Iterator[Remark]:
    for old, new in bundle.db.execute("""
            select old._path, new._path from concepts old join concepts new on new._path = old.superseded_by
            where old._path <> new._path and old._path not in (select value from json_each(new.supersedes))"""):
        yield Remark(old, f"{new} does not say so; add there: supersedes: [{old}]", "superseded_by")
    for new, old, other in bundle.db.execute("""
            select new._path, old._path, old.superseded_by
            from concepts new, json_each(new.supersedes) s join concepts old on old._path = s.value
            where old._path <> new._path and old.superseded_by is not new._path"""):
        instead = f" in place of {other}" if other else ""
        yield Remark(new, f"{old} does not say so; put there{instead}: superseded_by: {new}", "supersedes")
