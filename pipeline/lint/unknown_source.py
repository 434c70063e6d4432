"""A relation cites a source that the file's `sources` does not list, so the fact stands without its evidence.

`source` joins an `id` under `sources` of the same file.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator
from itertools import groupby

from pipeline.lint.bundle import LintBundle, Remark

ID = "unknown-source"
LEVEL = "error"


def check(bundle: LintBundle) -> Iterator[Remark]:
    rows = bundle.db.execute("""
        select subject_path, line, predicate, source_id from edges
        where source_id is not null order by subject_path, line, predicate, source_id""")
    for path, cited in groupby(rows, key=lambda row: row[0]):
        sources = bundle.db.execute("select sources from concepts where _path = ?", (path,)).get
        known = {str(source["id"]) for source in json.loads(sources) if source.get("id") is not None}
        for _, line, predicate, source in cited:
            if source not in known:
                close = difflib.get_close_matches(source, sorted(known), 1)
                hint = f"; is {close[0]} meant?" if close else ""
                yield Remark(path, f"{predicate} cites {source!r}, which is not among the ids of sources{hint}", "relations", line)
