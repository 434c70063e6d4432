"""An edit after generation shows in git as two versions of a page under one `generated.at`."""

import subprocess

import pytest

from pipeline.history import edits_since_generation

PAGE = '---\ntype: Person\ngenerated: {{ by: agent/1, at: "{stamp}" }}\n---\n\n{text}\n'
FIRST, SECOND = "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"


@pytest.fixture
def repository(tmp_path):
    class Repository:
        folder = tmp_path / "repository"
        bundle = folder / "my bundle"

        def git(self, *words):
            subprocess.run(["git", "-C", self.folder, "-c", "user.name=a", "-c", "user.email=a@example.org", *words],
                           check=True, capture_output=True)

        def write(self, name, stamp, text):
            (self.bundle / name).parent.mkdir(parents=True, exist_ok=True)
            (self.bundle / name).write_text(PAGE.format(stamp=stamp, text=text), encoding="utf-8")

        def commit(self):
            self.git("add", "-A")
            self.git("commit", "-q", "--allow-empty", "-m", "a change")

        def verdict(self, name, stamp, bundle=None):
            return edits_since_generation(bundle or self.bundle, {name: stamp})[name]

    repository = Repository()
    repository.folder.mkdir()
    repository.git("init", "-q")
    repository.write("entities/ü.md", FIRST, "first")
    repository.write("entities/other.md", FIRST, "other")
    repository.commit()
    return repository


def test_a_page_as_it_was_generated(repository):
    repository.write("entities/other.md", SECOND, "made anew later")
    repository.commit()
    assert repository.verdict("entities/ü.md", FIRST) == "unedited"
    assert repository.verdict("entities/other.md", SECOND) == "unedited"


def test_a_commit_that_left_the_stamp(repository):
    repository.write("entities/ü.md", FIRST, "by hand")
    repository.commit()
    repository.commit()
    assert repository.verdict("entities/ü.md", FIRST) == "edited"


def test_a_change_not_yet_committed(repository):
    repository.write("entities/ü.md", FIRST, "by hand")
    assert repository.verdict("entities/ü.md", FIRST) == "edited"
    repository.write("entities/ü.md", SECOND, "made anew")
    assert repository.verdict("entities/ü.md", SECOND) == "unedited"


def test_what_git_does_not_know(repository, tmp_path):
    repository.write("entities/new.md", FIRST, "new")
    assert repository.verdict("entities/new.md", FIRST) == "unknown"
    assert repository.verdict("entities/ü.md", None) == "unknown"
    (tmp_path / "plain").mkdir()
    assert repository.verdict("entities/ü.md", FIRST, tmp_path / "plain") == "unknown"


def test_a_shallow_clone_does_not_vouch_for_what_it_lacks(repository, tmp_path):
    repository.write("entities/ü.md", FIRST, "by hand")
    repository.commit()
    subprocess.run(["git", "clone", "-q", "--depth", "1", repository.folder.as_uri(), tmp_path / "clone"], check=True, capture_output=True)
    assert repository.verdict("entities/ü.md", FIRST, tmp_path / "clone" / "my bundle") == "unknown"
