"""The least that the work can cost, as bare scripts that do nothing but the unavoidable.

    floor.py build BUNDLE DATABASE     read, hash and parse the concept files, insert them, index their text
    floor.py ask DATABASE WORD         one full-text query
"""

import hashlib
import json
import os
import sys

import apsw


def build(bundle: str, database: str) -> None:
    db = apsw.Connection(database)
    db.execute("create table concepts (path text primary key, hash text, title text, description text, tags text, frontmatter text, body text)")
    db.execute("create virtual table concepts_fts using fts5(title, description, tags, body, content='concepts', tokenize='porter unicode61')")
    with db:
        for folder, _, names in os.walk(bundle):
            for name in names:
                if name.startswith("concept-"):
                    insert(db, os.path.join(folder, name))


def insert(db: apsw.Connection, path: str) -> None:
    import yaml
    with open(path, "rb") as file:
        data = file.read()
    _, block, body = data.decode().split("---\n", 2)
    frontmatter = yaml.load(block, yaml.CSafeLoader)
    texts = frontmatter["title"], frontmatter["description"], " ".join(frontmatter["tags"])
    db.execute("insert into concepts values (?,?,?,?,?,?,?)",
               (path, hashlib.sha256(data).hexdigest(), *texts, json.dumps(frontmatter), body))
    db.execute("insert into concepts_fts(rowid, title, description, tags, body) values (?,?,?,?,?)", (db.last_insert_rowid(), *texts, body))


def ask(database: str, word: str) -> None:
    db = apsw.Connection(database, flags=apsw.SQLITE_OPEN_READONLY)
    print(db.execute("select title from concepts where rowid in (select rowid from concepts_fts(?) order by rank limit 20)", (word,)).fetchall())


if __name__ == "__main__":
    {"build": build, "ask": ask}[sys.argv[1]](*sys.argv[2:])
