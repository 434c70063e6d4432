"""All files of an edit change, or none does, whatever goes wrong."""

import errno
import os
from pathlib import Path

import pytest

from pipeline.edit.changes import Change, Refused, carry_out, diff
from tests.edit.bundles import read, run, write

ANN = b"---\ntype: Person\ntitle: Ann\n---\n"
BOB = b"---\ntype: Person\ntitle: Bob\n---\n"


def test_a_failure_half_way_puts_everything_back(tmp_path, monkeypatch):
    write(tmp_path, {"a.md": b"one", "b.md": b"two"})
    changes = [Change(tmp_path / "a.md", "a.md", b"one", b"1"), Change(tmp_path / "new/c.md", "new/c.md", None, b"3"),
               Change(tmp_path / "b.md", "b.md", b"two", b"2")]
    replace = os.replace

    def full_disk(source, target):
        if target.name == "b.md":
            raise OSError(28, "No space left on device", str(target))
        replace(source, target)

    monkeypatch.setattr(os, "replace", full_disk)
    with pytest.raises(Refused, match="Nothing was changed, for .*b.md cannot be written: No space left on device"):
        carry_out(tmp_path, changes)
    assert read(tmp_path) == {"a.md": b"one", "b.md": b"two"} and not (tmp_path / "new").exists()


def test_a_file_that_cannot_be_written_aside_stops_all(tmp_path):
    write(tmp_path, {"a.md": b"one", "b": b"a file, no folder"})
    with pytest.raises(Refused, match="Nothing was changed"):
        carry_out(tmp_path, [Change(tmp_path / "a.md", "a.md", b"one", b"1"), Change(tmp_path / "b/c.md", "b/c.md", None, b"3")])
    assert read(tmp_path) == {"a.md": b"one", "b": b"a file, no folder"}


def test_a_file_that_somebody_saves_meanwhile_keeps_what_they_wrote(tmp_path):
    write(tmp_path, {"a.md": b"one", "b.md": b"hers"})
    changes = [Change(tmp_path / "a.md", "a.md", b"one", b"1"), Change(tmp_path / "b.md", "b.md", b"two", b"2")]
    with pytest.raises(Refused, match="b.md was changed by someone else just now"):
        carry_out(tmp_path, changes)
    assert read(tmp_path) == {"a.md": b"one", "b.md": b"hers"}


def test_what_stands_where_a_file_would_wait_is_left_alone(tmp_path):
    write(tmp_path, {"a.md": b"one"})
    (tmp_path / ".a.md.edit").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Refused, match="a.md.edit is in the way"):
        carry_out(tmp_path, [Change(tmp_path / "a.md", "a.md", b"one", b"1")])
    assert read(tmp_path) == {"a.md": b"one"} and (tmp_path / ".a.md.edit").is_symlink()


def test_permissions_stay(tmp_path):
    write(tmp_path, {"a.md": b"one"})
    (tmp_path / "a.md").chmod(0o640)
    carry_out(tmp_path, [Change(tmp_path / "a.md", "a.md", b"one", b"1")])
    assert (tmp_path / "a.md").stat().st_mode & 0o777 == 0o640


def test_a_diff_names_a_missing_last_newline_and_a_new_file(tmp_path):
    shown = diff([Change(tmp_path, "a.md", b"x", b"y"), Change(tmp_path, "b.md", None, b"z\n")])
    assert shown == ("--- a/a.md\n+++ b/a.md\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+y\n\\ No newline at end of file\n"
                     "--- /dev/null\n+++ b/b.md\n@@ -0,0 +1 @@\n+z\n")


def test_a_concept_that_is_a_link_out_of_the_bundle_is_refused(tmp_path, capsys):
    write(tmp_path, {"outside.md": ANN, "bundle/b.md": BOB})
    (tmp_path / "bundle/a.md").symlink_to(tmp_path / "outside.md")
    assert run(tmp_path / "bundle", "relate /a.md knows Bob --inverse known_by") == 2
    assert "leads out of the bundle" in capsys.readouterr().err
    assert (tmp_path / "outside.md").read_bytes() == ANN


def test_a_log_that_is_a_link_out_of_the_bundle_is_refused(tmp_path, capsys):
    write(tmp_path, {"outside.md": b"# Log\n", "bundle/b.md": BOB})
    (tmp_path / "bundle/log.md").symlink_to(tmp_path / "outside.md")
    assert run(tmp_path / "bundle", "log Update Tea.") == 2
    assert capsys.readouterr().err == "log.md leads out of the bundle; nothing was changed.\n"
    assert (tmp_path / "outside.md").read_bytes() == b"# Log\n" and (tmp_path / "bundle/log.md").is_symlink()


def test_a_link_stays_one_and_two_names_of_a_file_are_edited_once(tmp_path, capsys):
    table = b"---\ntype: Guide\n---\n| predicate | inverse |\n|---|---|\n| likes | - |\n"
    write(tmp_path, {"AGENTS.md": table, "a.md": ANN.replace(b"title", b"relations: [{ predicate: likes, object: tea }]\ntitle")})
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")
    assert run(tmp_path, "rename-predicate likes loves") == 0
    assert (tmp_path / "CLAUDE.md").is_symlink() and read(tmp_path)["AGENTS.md"] == table.replace(b"likes", b"loves")


@pytest.mark.parametrize("content, reason", [(ANN + b"\xff", "not UTF-8"), (ANN.replace(b"\n", b"\r"), "not"), (b"", "mend it first")])
def test_a_file_that_is_not_text_as_expected_is_refused(content, reason, tmp_path, capsys):
    write(tmp_path, {"a.md": content, "b.md": BOB})
    assert run(tmp_path, "relate /a.md knows /b.md --inverse known_by") == 2
    assert reason in capsys.readouterr().err
    assert read(tmp_path) == {"a.md": content, "b.md": BOB}


def test_the_bundle_is_found_as_the_build_finds_it(tmp_path, monkeypatch, capsys):
    from pipeline.__main__ import main
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"a.md": ANN})
    assert main(["relate", "Ann", "likes", "tea", "--literal"]) == 0 and b"tea" in read(tmp_path)["a.md"]
    write(tmp_path, {"bundle/b.md": BOB})
    assert main(["relate", "Bob", "likes", "tea", "--literal"]) == 0 and b"tea" in read(tmp_path)["bundle/b.md"]
    assert main(["relate", "Bob", "likes", "tea", "--literal", "--bundle", "nowhere"]) == 2
    assert capsys.readouterr().err.endswith("There is no bundle at nowhere: name its folder with --bundle.\n")


@pytest.mark.parametrize("tool", ["relate", "supersede", "rename-predicate", "file-back", "log"])
def test_help_teaches_with_an_example_that_parses(tool, capsys):
    from pipeline.__main__ import _parser
    import shlex
    with pytest.raises(SystemExit) as ended:
        _parser().parse_args([tool, "--help"])
    assert ended.value.code == 0
    examples = [line.strip() for line in capsys.readouterr().out.partition("example:")[2].strip().splitlines()]
    for example in examples:
        words = shlex.split(example.partition(" < ")[0])
        assert words[:3] == ["python", "-m", "pipeline"] and _parser().parse_args(words[3:]).plan


@pytest.fixture
def files(tmp_path):
    write(tmp_path, {"a.md": b"before", "b.md": b"before"})
    return [tmp_path / "a.md", tmp_path / "b.md"]


def test_a_file_saved_by_hand_while_others_are_put_in_place_is_not_written_over(tmp_path, files, monkeypatch):
    place = os.replace

    def save_meanwhile(new, old):
        place(new, old)
        if Path(old) == files[0]:
            files[1].write_bytes(b"hers")

    monkeypatch.setattr(os, "replace", save_meanwhile)
    with pytest.raises(Refused, match="b.md was changed by someone else"):
        carry_out(tmp_path, [Change(file, file.name, b"before", b"after") for file in files])
    assert [file.read_bytes() for file in files] == [b"before", b"hers"]


def test_a_file_that_cannot_be_put_back_is_named(tmp_path, files, monkeypatch):
    place = os.replace

    def full_after_the_first(new, old):
        if Path(old) in files and files[0].read_bytes() == b"after":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        place(new, old)

    monkeypatch.setattr(os, "replace", full_after_the_first)
    with pytest.raises(Refused, match="a.md could not be put back"):
        carry_out(tmp_path, [Change(file, file.name, b"before", b"after") for file in files])
