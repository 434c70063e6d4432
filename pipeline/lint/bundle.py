"""What a check is given, and what it gives back."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import apsw

from pipeline.lint.settings import LintSettings
from pipeline.lint.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class LintBundle:
    """A compiled bundle, open to questions."""

    db: apsw.Connection
    """The build database, with the tables of the contract and the cache of pages."""
    folder: Path
    """The bundle's root, for what is not in the database."""
    settings: LintSettings
    multi_valued: tuple[str, ...]
    """Predicates of which a subject may have several objects at a time."""
    today: str
    """ISO 8601 date."""
    vocabulary: Vocabulary


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing a check noticed; its id and level are the check's."""

    path: str
    """Concept path, or path of another file of the bundle."""
    message: str
    field: str = ""
    """Frontmatter field it is about: `supersedes[1]`."""
    line: int = 0
    """Line in the file; 0 for that of the field, or for the whole file when there is no field."""
