"""Counts the changes to what each view shows of the concepts, so that an edit renders only the views that show it."""

from __future__ import annotations

import apsw

SHOWN = {
    "timeline": ("title", "status", "superseded_by", "superseded_at", "relations"),
    "index": ("type", "title", "description", "status", "superseded_by", "superseded_at"),
    "keywords": ("title", "aliases", "tags"),
}
"""Each view with the columns of `concepts` that it is made from, beside the paths."""


def watch(db: apsw.Connection) -> None:
    """From now on, count on this connection whatever happens to `concepts`."""
    db.execute("create table if not exists cache.shown (view text primary key, version integer not null) without rowid")
    db.executemany("insert or ignore into shown values (?, 0)", [(view,) for view in SHOWN])
    for event in ("insert", "delete"):
        db.execute(f"create temp trigger if not exists {event}_shown after {event} on main.concepts "
                   "begin update shown set version = version + 1; end")
    for view, columns in SHOWN.items():
        old, new = (", ".join(f"{side}.{column}" for column in columns) for side in ("old", "new"))
        db.execute(f"create temp trigger if not exists update_{view} after update on main.concepts when ({old}) is not ({new}) "
                   f"begin update shown set version = version + 1 where view = '{view}'; end")


def versions(db: apsw.Connection) -> dict[str, int]:
    """How often what each view shows has changed."""
    return dict(db.execute("select view, version from cache.shown"))
