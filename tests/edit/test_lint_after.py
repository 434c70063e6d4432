"""After a tool has run, lint finds nothing that it did not find before."""

import pytest

from pipeline.lint.run import lint
from pipeline.settings import load_settings
from tests.edit.bundles import files_in, run, write
from tests.pipeline.compiled import compile_bundle

BUNDLE = """\
== AGENTS.md
---
type: Guide
---
| predicate | inverse | meaning |
|---|---|---|
| knows | known_by | One person has met another. |
| likes | - | A person has a taste. |
== entities/ann.md
---
type: Person
title: Ann
relations:
  - { predicate: knows, object: /entities/bob.md, date: "2020", source: diary }
sources:
  - { id: diary, resource: "https://example.org/diary", usage_count: 5 }
---
Ann and [Cleo](/entities/cleo.md).
== entities/bob.md
---
type: Person
title: Bob
relations:
  - { predicate: known_by, object: /entities/ann.md, date: "2020", source: diary }
sources:
  - { id: diary, resource: "https://example.org/diary" }
---
Bob.
== entities/cleo.md
---
type: Person
title: Cleo
---
Cleo and [Ann](/entities/ann.md).
"""


def found(bundle):
    settings = load_settings(bundle)
    return [str(finding) for finding in lint(compile_bundle(bundle), bundle, settings.lint, settings.multi_valued, "2026-08-09")]


@pytest.mark.parametrize("command", [
    "relate Ann knows Cleo --inverse known_by --date 2021-05 --source diary",
    "relate Ann likes tea --literal --source diary",
    "supersede Ann Cleo --at 2022",
    "rename-predicate knows met --inverse known_by met_by",
    'file-back --title "What Ann is like" --linked-from Bob < "[Ann](/entities/ann.md) is kind."',
    "log Update Nothing.",
])
def test_lint_is_as_clean_as_before(command, tmp_path, capsys):
    write(tmp_path, files_in(BUNDLE))
    assert found(tmp_path) == []
    assert run(tmp_path, command) == 0
    assert found(tmp_path) == []
