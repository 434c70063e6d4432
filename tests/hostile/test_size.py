"""Much of anything: built in time that grows with its size, whatever it is made of. A quadratic step would not end."""

from __future__ import annotations

import json
from contextlib import closing

import apsw
import pytest

from pipeline.parse import MAX_BYTES, parse, parse_page
from pipeline.store import Store
from pipeline.understand import understand
from retrieval import Wiki
from retrieval.files import scan
from tests.build import build
from tests.casefile import CASES

PATTERNS = [json.loads(line) for line in (CASES / "hostile" / "patterns.txt").read_text(encoding="utf-8").splitlines()]
CHARACTERS = 1_000_000


@pytest.mark.parametrize("pattern", PATTERNS, ids=ascii)
def test_a_million_characters_of_it_are_read(pattern):
    body = pattern * (CHARACTERS // len(pattern))
    concept, _ = understand(parse_page("/a.md", f"---\ntype: Note\n---\n{body}".encode()))
    assert len(concept.body) >= CHARACTERS * len(pattern.replace("\r\n", "\n")) // len(pattern) - 8


def test_a_bundle_of_it_is_built_and_asked(tmp_path):
    for number, pattern in enumerate(PATTERNS):
        (tmp_path / f"p{number}.md").write_bytes(f"---\ntype: Note\ntitle: Pattern {number}\n---\n{pattern * (20_000 // len(pattern))}".encode())
    build(tmp_path)
    with closing(apsw.Connection(str(tmp_path / "wiki.db"), flags=apsw.SQLITE_OPEN_READONLY)) as db:
        assert db.execute("select count(*) from concepts").get == len(PATTERNS)
    context = Wiki(tmp_path).context_for("What is Pattern 7?", require_confidence=False)
    assert 0 < context.tokens <= context.budget


def test_a_page_of_ten_thousand_relations_and_long_fields_is_a_page(tmp_path):
    relations = "".join(f"  - {{ predicate: p{n}, object: /o{n}.md, date: '2001' }}\n" for n in range(10_000))
    (tmp_path / "many.md").write_text(f"---\ntype: Note\nrelations:\n{relations}---\n")
    words = ",".join(f"w{n}" for n in range(20_000))
    (tmp_path / "long.md").write_text(
        f"---\ntype: {'T' * 50_000}\ntitle: {'long ' * 50_000}\ndescription: {'d ' * 100_000}\ntags: [{words}]\naliases: [{words}]\n---\n")
    build(tmp_path)
    with closing(apsw.Connection(str(tmp_path / "wiki.db"), flags=apsw.SQLITE_OPEN_READONLY)) as db:
        assert db.execute("select count(*) from edges").get == 10_000
    wiki = Wiki(tmp_path)
    for question in ("What is Many?", "long long long", "w17"):
        context = wiki.context_for(question, require_confidence=False)
        assert context.tokens <= context.budget


def test_of_a_file_that_grows_while_it_is_read_no_more_than_the_limit_is_read(tmp_path):
    """As one that another program writes without end; its size was small when the folder was listed."""
    (tmp_path / "a.md").write_bytes(b"---\ntype: Note\n---\nSmall.\n")
    stamps = scan(tmp_path)
    (tmp_path / "a.md").unlink()
    (tmp_path / "a.md").symlink_to("/dev/zero")
    store = Store(tmp_path)
    store.prepare()
    with closing(store.open()) as db:
        parse(db, tmp_path, stamps)
        assert db.execute("select problem from seen").fetchall() == [("grew while it was being read",)]


def test_a_file_at_the_limit_is_read_and_one_beyond_it_is_told(tmp_path):
    head = b"---\ntype: Note\n---\n"
    (tmp_path / "most.md").write_bytes(head + b"word " * ((MAX_BYTES - len(head)) // 5))
    (tmp_path / "more.md").write_bytes(head + b"x" * MAX_BYTES)
    build(tmp_path)
    with closing(apsw.Connection(str(tmp_path / "wiki.db"), flags=apsw.SQLITE_OPEN_READONLY)) as db:
        assert db.execute("select _path from concepts").fetchall() == [("/most.md",)]
