"""A predicate that the vocabulary of AGENTS.md does not explain.

The vocabulary is open and grows by use, but each predicate is written down when it is coined, with its inverse, in
a table `| predicate | inverse | meaning |`, so that the next author takes the same word for the same thing.
"""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.lint.bundle import LintBundle, Remark
from pipeline.lint.predicates import first_uses

ID = "undocumented-predicate"
LEVEL = "warning"


def check(bundle: LintBundle) -> Iterator[Remark]:
    uses = first_uses(bundle.db)
    if uses and not bundle.vocabulary.inverses:
        yield Remark(bundle.vocabulary.file, "no table | predicate | inverse | meaning | explains the predicates in use")
        return
    for predicate, use in uses.items():
        if predicate not in bundle.vocabulary.inverses:
            yield Remark(use.path, f"{predicate} is not in the vocabulary of {bundle.vocabulary.file}", "relations", use.line)
