"""Prints the README's table of tables from the schema and its comments: python -m tests.schema_table."""

from __future__ import annotations

import re

import apsw
import sqlite_vec

from retrieval.schema import EMBEDDINGS, SCHEMA


def schema_table() -> str:
    """One row per table: its name, what it is (the comment above it), its columns."""
    text = SCHEMA + EMBEDDINGS.format(dimension=384)
    db = apsw.Connection(":memory:")
    db.enable_load_extension(True)
    db.load_extension(sqlite_vec.loadable_path())
    db.execute(text)
    rows, comment = ["| table | what | columns |", "|---|---|---|"], []
    for line in text.splitlines():
        if line.startswith("-- "):
            comment.append(line.removeprefix("-- "))
        elif found := re.match(r"create (?:virtual )?table (\w+)", line):
            columns = ", ".join(f"`{name}`" for _, name, *_ in db.execute(f"pragma table_info({found[1]})"))
            rows.append(f"| `{found[1]}` | {' '.join(comment).rstrip('.')} | {columns} |")
        if not line.startswith("-- "):
            comment = []
    return "\n".join(rows)


if __name__ == "__main__":
    print(schema_table())
