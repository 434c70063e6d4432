"""A chain of `superseded_by` that comes back to where it was, so that it has no current end.

Told once per cycle, on its first concept by path. Remove the pointer that goes back in time.
"""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.lint.bundle import LintBundle, Remark

ID = "supersession-cycle"
LEVEL = "error"

_SHOWN = 8
"""Concepts of a cycle that are named."""


def check(bundle: LintBundle) -> Iterator[Remark]:
    successors = dict(bundle.db.execute("select _path, superseded_by from concepts where superseded_by is not null order by _path"))
    walked: set[str] = set()
    for start in successors:
        chain: dict[str, None] = {}
        at = start
        while at in successors and at not in walked:
            walked.add(at)
            chain[at] = None
            at = successors[at]
        if at in chain:
            cycle = list(chain)[list(chain).index(at):]
            first = cycle.index(min(cycle))
            cycle = cycle[first:] + cycle[:first + 1]
            shown = cycle if len(cycle) <= _SHOWN else [*cycle[:_SHOWN - 2], "…", cycle[-1]]
            yield Remark(cycle[0], f"comes back to itself: {' → '.join(shown)}", "superseded_by")
