"""Two concepts with one title, by the letters and digits that a question is matched by.

A question that names the title seeds both, and a wikilink to it leads nowhere. Tell them apart in the titles, merge
the files, or supersede one: superseded concepts may keep the title of their successor.
"""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.lint.bundle import LintBundle, Remark

ID = "duplicate-title"
LEVEL = "warning"


def check(bundle: LintBundle) -> Iterator[Remark]:
    for path, title, first in bundle.db.execute("""
            with titled as (
              select name, path, title, min(path) over (partition by name) as first
              from names join concepts on _path = path where kind = 'title' and status <> 'superseded')
            select path, title, first from titled where path <> first"""):
        yield Remark(path, f"{title!r} is the title of {first} too", "title")
