"""A word for what stands in a table, by which a stage tells the next one whether anything has changed."""

from __future__ import annotations

import hashlib

import apsw


def digest_of(db: apsw.Connection, table: str, *columns: str, head: str = "") -> str:
    """SHA-256 of `head` and of these columns of all rows, in order of the first one; none of them may be null.

    SQLite puts the text together, which costs less than to fetch each row.
    """
    row = " || char(0) || ".join(columns)
    rows = db.execute(f"select group_concat({row}, char(10)) from (select * from {table} order by {columns[0]})").get
    return hashlib.sha256(f"{head}\n{rows or ''}".encode()).hexdigest()
