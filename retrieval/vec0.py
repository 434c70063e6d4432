"""Teaches a connection the vec0 tables of sqlite-vec.

The package is looked up, not imported: it would bring numpy along, a tenth of a second.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import apsw


def load_vec0(con: apsw.Connection) -> None:
    """Load the extension; the connection takes no other afterwards."""
    package = find_spec("sqlite_vec")
    con.enable_load_extension(True)
    con.load_extension(str(Path(package.origin).with_name("vec0")))
    con.enable_load_extension(False)
