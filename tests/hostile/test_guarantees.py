"""docs/guarantees.md names tests that exist."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def test_every_promise_names_tests_that_exist():
    rows = [line for line in (ROOT / "docs" / "guarantees.md").read_text(encoding="utf-8").splitlines()
            if line.startswith("| ") and not line.startswith("| Promise")]
    assert len(rows) > 20
    for row in rows:
        names = re.findall(r"`(tests/\S+)::(test_\w+)`", row)
        assert names, row
        for file, test in names:
            assert re.search(rf"^ *def {test}\(", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE), f"{file}::{test}"
