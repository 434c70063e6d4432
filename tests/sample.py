"""The sample bundle, compiled once a session with the real model; kept vectors of an earlier build are used."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def sample(tmp_path_factory) -> Path:
    """A folder like a fresh clone whose `bundle/` is built; commands of the README run in it."""
    folder = tmp_path_factory.mktemp("clone")
    shutil.copytree(ROOT / "bundle", folder / "bundle", ignore=shutil.ignore_patterns(".wiki", "wiki.db"))
    shutil.copy(ROOT / "dodo.py", folder)
    (folder / "templates").symlink_to(ROOT / "templates")
    kept = ROOT / "bundle" / ".wiki" / "vectors.db"
    if kept.exists():
        (folder / "bundle" / ".wiki").mkdir()
        shutil.copy(kept, folder / "bundle" / ".wiki")
    subprocess.run([sys.executable, "-m", "doit"], cwd=folder, check=True, capture_output=True)
    return folder
