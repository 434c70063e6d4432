"""The checks by their ids; each is the file of its name, whose docstring is the documentation.

A new check is a file and a line here. The files are read when lint runs: settings need only the ids.
"""

from importlib import import_module
from types import ModuleType

CHECKS = (
    "asymmetric-date",
    "asymmetric-relation",
    "asymmetric-supersession",
    "broken-link",
    "broken-target",
    "contradiction",
    "dangling-supersession",
    "duplicate-title",
    "orphan",
    "predicate-drift",
    "stale",
    "superseded-without-status",
    "supersession-cycle",
    "undocumented-predicate",
    "unknown-source",
    "unmanaged-index",
    "unreviewed-reference",
)


def load_checks() -> list[ModuleType]:
    """The module of each check, with its ID, its LEVEL and its `check`."""
    return [import_module(f"{__name__}.{check.replace('-', '_')}") for check in CHECKS]
