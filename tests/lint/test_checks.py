"""Each check by small bundles: a clean one, of which lint says nothing at all, and others with what the check finds.

A case is a folder `cases/lint/<check>/<case>`: a bundle, and in `expected.txt` the findings of that check, each
after its level. Without that file the bundle is clean.
"""

from pathlib import Path

import pytest

from pipeline.lint import CHECKS, load_checks
from pipeline.lint.run import lint
from pipeline.settings import load_settings
from tests.casefile import CASES
from tests.compile import compile_bundle

TODAY = "2026-06-01"
BUNDLES = sorted((CASES / "lint").glob("*/*/"))


def found(case: Path) -> list[str]:
    settings = load_settings(case)
    return [f"{finding.level}: {finding}" for finding in lint(compile_bundle(case), case, settings.lint, settings.multi_valued, TODAY)]


@pytest.mark.parametrize("case", BUNDLES, ids=lambda case: f"{case.parent.name}-{case.name}")
def test_a_check_finds_what_is_expected(case):
    if case.name == "clean":
        assert found(case) == []
    else:
        own = [line for line in found(case) if line.endswith(f"[{case.parent.name}]")]
        assert sorted(own) == sorted((case / "expected.txt").read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize("check", load_checks(), ids=lambda check: check.ID)
def test_every_check_has_a_clean_bundle_a_faulty_one_and_its_documentation(check):
    folder = CASES / "lint" / check.ID
    assert (folder / "clean").is_dir() and (folder / "faulty" / "expected.txt").is_file()
    assert Path(check.__file__).stem == check.ID.replace("-", "_")
    assert check.__doc__.strip().partition("\n\n")[2], "a sentence on what it finds, then what to do about it"


def test_every_check_is_registered():
    here = {path.stem for path in Path(load_checks()[0].__file__).parent.glob("*.py") if "\nLEVEL = " in path.read_text(encoding="utf-8")}
    assert here == {check.replace("-", "_") for check in CHECKS}
