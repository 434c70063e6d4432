"""Notes the changes to what the views show of the concepts, so that an edit renders only what shows it."""

from __future__ import annotations

import apsw

SHOWN = {
    "timeline": ("title", "status", "superseded_by", "superseded_at", "relations"),
    "index": ("type", "title", "description", "status", "superseded_by", "superseded_at"),
    "keywords": ("title", "aliases", "tags"),
}
"""Each view with the columns of `concepts` that it is made from, beside the paths."""

_TABLES = """
-- How often what each view shows has changed.
create table if not exists cache.shown (view text primary key, version integer not null) without rowid;
-- For the timeline, since it was last rendered: dates of relations that came or went, and concepts that came, went
-- or look different.
create table if not exists cache.retell (date text primary key) without rowid;
create table if not exists cache.relooked (path text primary key) without rowid;
-- The section of each month, as the timeline rendered it last, and the tally of its edges as JSON.
create table if not exists cache.sections (month text primary key, text text not null, tally text not null) without rowid;
"""
# Not `or ignore`: within a trigger, the statement that fires it decides what a conflict does.
_RETELL = ("insert into retell select distinct value ->> 'date' from json_each({0}.relations) "
           "where value ->> 'date' is not null on conflict do nothing;")
_RELOOK = "insert into relooked values ({0}._path) on conflict do nothing;"


def prepare(db: apsw.Connection) -> None:
    """Make the tables of the notes."""
    db.execute(_TABLES)
    db.executemany("insert or ignore into shown values (?, 0)", [(view,) for view in SHOWN])


def watch(db: apsw.Connection) -> None:
    """From now on, note on this connection whatever happens to `concepts`; of the first ones, all is rendered anyway."""
    prepare(db)
    if not db.execute("select exists (select 1 from concepts) or exists (select 1 from sections)").get:
        db.execute("update shown set version = version + 1")
        return
    for event, row in (("insert", "new"), ("delete", "old")):
        _on(db, event, "true", "update shown set version = version + 1;" + _RETELL.format(row) + _RELOOK.format(row))
    for view, columns in SHOWN.items():
        _on(db, "update", _differs(columns), f"update shown set version = version + 1 where view = '{view}';", view)
    _on(db, "update", _differs(["relations"]), _RETELL.format("old") + _RETELL.format("new"), "retell")
    _on(db, "update", _differs(["title", "status", "superseded_by", "superseded_at"]), _RELOOK.format("new"), "relook")


def versions(db: apsw.Connection) -> dict[str, int]:
    """How often what each view shows has changed."""
    return dict(db.execute("select view, version from cache.shown"))


def _on(db: apsw.Connection, event: str, condition: str, action: str, name: str = "") -> None:
    db.execute(f"create temp trigger if not exists {event}_{name} after {event} on main.concepts when {condition} begin {action} end")


def _differs(columns) -> str:
    old, new = (", ".join(f"{side}.{column}" for column in columns) for side in ("old", "new"))
    return f"({old}) is not ({new})"
