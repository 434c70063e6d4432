"""Guesses where a file that is looked for in vain lies now."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from functools import cached_property

import apsw


class Moved:
    """The bundle's concepts by file name, read when the first path is missing."""

    def __init__(self, db: apsw.Connection) -> None:
        self.db = db

    def hint(self, path: str) -> str:
        """`; is /people/x.md meant?` when one concept has the missing path's file name, else nothing."""
        found = self._by_name[posixpath.basename(path).casefold()]
        return f"; is {found[0]} meant?" if len(found) == 1 else ""

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        names = defaultdict(list)
        for path, in self.db.execute("select _path from concepts order by _path"):
            names[posixpath.basename(path).casefold()].append(path)
        return names
