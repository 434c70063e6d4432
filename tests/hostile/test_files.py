"""Entries of a file system that are no readable concept file: each is told, none harms the others."""

from __future__ import annotations

import os
import socket
import unicodedata
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from pipeline.parse import MAX_BYTES, parse
from pipeline.store import Store
from pipeline.validate import findings
from retrieval.files import scan
from tests.build import build, contents, views

NOTE = "---\ntype: Note\ntitle: {}\n---\nZanzibarite.\n"


def write(bundle: Path, name: str | bytes, title: str = "A") -> None:
    file = os.path.join(os.fsencode(bundle), os.fsencode(name))
    os.makedirs(os.path.dirname(file), exist_ok=True)
    with open(file, "w", encoding="utf-8") as opened:
        opened.write(NOTE.format(title))


def told(bundle: Path) -> list[str]:
    """Build, and return what is told, one line each."""
    build(bundle)
    with closing(Store(bundle).open()) as db:
        return [f"{finding.level}: {finding}" for finding in findings(db)]


def titles(bundle: Path) -> dict[str, str]:
    with closing(apsw.Connection(str(bundle / "wiki.db"), flags=apsw.SQLITE_OPEN_READONLY)) as db:
        return dict(db.execute("select _path, title from concepts"))


def fifo(place: Path) -> None:
    os.mkfifo(place / "x.md")


def folder(place: Path) -> None:
    (place / "x.md").mkdir()


def a_socket(place: Path) -> None:
    here = os.getcwd()
    os.chdir(place)  # a socket's path may have some hundred characters
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind("x.md")
    finally:
        os.chdir(here)


def link_out(place: Path) -> None:
    outside = place.parent.parent / "outside.md"
    outside.write_text(NOTE.format("Secret"))
    (place / "x.md").symlink_to(outside)


def link_to_nowhere(place: Path) -> None:
    (place / "x.md").symlink_to("nowhere.md")


def link_to_itself(place: Path) -> None:
    (place / "x.md").symlink_to("x.md")


def link_to_a_device(place: Path) -> None:
    (place / "x.md").symlink_to("/dev/zero")


def link_to_a_folder(place: Path) -> None:
    (place / "sub").mkdir()
    (place / "x.md").symlink_to("sub")


def hundred_megabytes(place: Path) -> None:
    with open(place / "x.md", "wb") as file:
        file.truncate(100 * 2**20)


@pytest.mark.parametrize("make, message", [
    (fifo, "not a regular file"), (folder, "a folder, not a file"), (a_socket, "not a regular file"),
    (link_out, "a link that leads out of the bundle"), (link_to_nowhere, "a link to nowhere"),
    (link_to_itself, "a link to nowhere"), (link_to_a_device, "a link that leads out of the bundle"),
    (link_to_a_folder, "a link to something that is not a file"),
    (hundred_megabytes, f"is 100 MB; concepts of more than {MAX_BYTES // 2**20} MB are not read")])
def test_what_is_no_file_to_read_is_told_and_the_rest_is_built(tmp_path, make, message):
    bundle = tmp_path / "bundle"
    write(bundle, "entities/ok.md")
    make(bundle / "entities")
    assert told(bundle) == [f"error: entities/x.md: {message} [unreadable]"]
    assert titles(bundle) == {"/entities/ok.md": "A"}


def test_a_link_to_a_concept_of_the_bundle_is_that_concept_again(tmp_path):
    write(tmp_path, "a.md")
    (tmp_path / "b.md").symlink_to("a.md")
    assert told(tmp_path) == [] and titles(tmp_path) == {"/a.md": "A", "/b.md": "A"}


@pytest.mark.parametrize("target", [".", "..", "entities", "/etc"])
def test_links_to_folders_are_told_and_not_followed(tmp_path, target):
    write(tmp_path, "entities/ok.md")
    (tmp_path / "linked").symlink_to(target, target_is_directory=True)
    assert told(tmp_path) == ["warning: linked/: a link to a folder; links to folders are not followed [unreadable]"]
    assert titles(tmp_path) == {"/entities/ok.md": "A"}


def test_names_that_are_not_utf8_are_told_one_by_one(tmp_path):
    write(tmp_path, "ok.md")
    for name in (b"caf\xe9.md", b"caf\xea.md", b"fol\xffder/x.md"):
        write(tmp_path, name)
    assert told(tmp_path) == [f"error: {name}: the file name is not UTF-8 [unreadable]"
                              for name in (r"caf\xe9.md", r"caf\xea.md", r"fol\xffder/x.md")]
    assert titles(tmp_path) == {"/ok.md": "A"}


def test_of_two_unicode_forms_of_a_name_the_composed_one_is_the_concept(tmp_path):
    for form in ("NFD", "NFC"):
        write(tmp_path, unicodedata.normalize(form, "zoé.md"), form)
    if len(os.listdir(tmp_path)) == 1:
        return  # a file system that takes both for one name, as macOS does
    assert told(tmp_path) == ["error: zoe\u0301.md: another file is also named /zoé.md (the same name in another Unicode form) [unreadable]"]
    assert titles(tmp_path) == {"/zoé.md": "NFC"}
    (tmp_path / unicodedata.normalize("NFC", "zoé.md")).unlink()
    assert told(tmp_path) == [] and titles(tmp_path) == {"/zoé.md": "NFD"}


def test_names_that_differ_in_case_alone_are_two_concepts_and_told(tmp_path):
    write(tmp_path, "Ann.md", "Upper")
    write(tmp_path, "ann.md", "Lower")
    if len(os.listdir(tmp_path)) == 1:
        return  # a file system that takes both for one name
    assert told(tmp_path) == ["warning: ann.md: differs from /Ann.md in case alone, and many systems keep only one of the two [case-twin]"]
    assert titles(tmp_path) == {"/Ann.md": "Upper", "/ann.md": "Lower"}
    (tmp_path / "Ann.md").unlink()
    assert told(tmp_path) == []


@pytest.mark.parametrize("name", ["two\nlines", "esc\x1b[31m", "quote\"'`$(x)", "back\\slash", "[x](y)", "#hash?", " lead", "&amp;", "*a*", "<b>", "%41", "x" * 250])
def test_a_strange_name_is_a_name(tmp_path, name):
    write(tmp_path, f"entities/{name}.md")
    assert told(tmp_path) == [] and titles(tmp_path) == {f"/entities/{name}.md": "A"}


def test_a_title_from_a_file_name_has_no_control_characters(tmp_path):
    (tmp_path / "two\nlines\x1b[31m.md").write_text("---\ntype: Note\n---\n")
    assert told(tmp_path) == [] and list(titles(tmp_path).values()) == ["Two lines [31m"]


def test_a_finding_is_one_line_without_control_characters(tmp_path):
    (tmp_path / "a\nb\x1b[31m.md").write_text("no frontmatter")
    assert told(tmp_path) == [r"error: a\nb\x1b[31m.md:1: does not begin with a frontmatter block fenced by --- [no-frontmatter]"]


def test_a_folder_that_cannot_be_read_keeps_its_rows_marked(tmp_path, monkeypatch):
    """Nothing lost: what cannot be seen today is not gone."""
    write(tmp_path, "ok.md")
    write(tmp_path, "closed/a.md")
    write(tmp_path, "closed/deep/b.md")
    assert told(tmp_path) == []
    before = contents(tmp_path), views(tmp_path)
    listed = os.scandir
    with monkeypatch.context() as patch:
        patch.setattr(os, "scandir", lambda path: _refused() if os.path.basename(path) == "closed" else listed(path))
        for _ in range(2):
            assert told(tmp_path) == ["error: closed/: cannot be read: Permission denied [unreadable]",
                                      "error: closed/a.md: its folder cannot be read [unreadable]",
                                      "error: closed/deep/b.md: its folder cannot be read [unreadable]"]
            with closing(apsw.Connection(str(tmp_path / "wiki.db"), flags=apsw.SQLITE_OPEN_READONLY)) as db:
                assert db.execute("select _path, parse_error from concepts order by 1").fetchall() == [
                    ("/closed/a.md", "its folder cannot be read"), ("/closed/deep/b.md", "its folder cannot be read"), ("/ok.md", None)]
    assert told(tmp_path) == [] and (contents(tmp_path), views(tmp_path)) == before


def _refused():
    raise PermissionError(13, "Permission denied")


def test_a_file_that_cannot_be_read_keeps_its_row_marked(tmp_path):
    write(tmp_path, "a.md", "Ann")
    assert told(tmp_path) == []
    (tmp_path / "a.md").unlink()
    (tmp_path / "a.md").symlink_to("nowhere.md")
    assert told(tmp_path) == ["error: a.md: a link to nowhere [unreadable]"] and titles(tmp_path) == {"/a.md": "Ann"}


def test_a_file_that_vanishes_before_it_is_read_is_told(tmp_path):
    write(tmp_path, "a.md")
    write(tmp_path, "b.md")
    stamps = scan(tmp_path)
    (tmp_path / "b.md").unlink()
    store = Store(tmp_path)
    store.prepare()
    with closing(store.open()) as db:
        parse(db, tmp_path, stamps)
        assert db.execute("select path, problem from seen").fetchall() == [("/a.md", ""), ("/b.md", "cannot be read: No such file or directory")]


def test_every_finding_names_a_genuine_replacement_character_from_a_bad_byte(tmp_path):
    (tmp_path / "a.md").write_bytes("---\ntype: Note\n---\n\ufffd is text\n".encode() + b"\xff is none\n")
    assert told(tmp_path) == ["warning: a.md:5: is not UTF-8 here; the byte reads as \ufffd [encoding]"]
