"""Bundles as text for the cases of the writing tools: a command, the files before, the files that changed."""

from __future__ import annotations

import io
import re
import shlex
from datetime import datetime, timezone
from pathlib import Path

from pipeline.__main__ import main

NOW = datetime(2026, 8, 9, 10, tzinfo=timezone.utc)
_FILE = re.compile(r"^== (.+)\n", re.MULTILINE)


def files_in(text: str) -> dict[str, bytes]:
    """The files of a text in which each begins with a line `== its/path.md`."""
    parts = _FILE.split(text)
    return {name: content.rstrip("\n").encode() + b"\n" for name, content in zip(parts[1::2], parts[2::2])}


def as_text(files: dict[str, bytes]) -> str:
    return "".join(f"== {name}\n{content.decode()}" for name, content in sorted(files.items())).rstrip("\n")


def write(bundle: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        (bundle / name).parent.mkdir(parents=True, exist_ok=True)
        (bundle / name).write_bytes(content)


def read(bundle: Path) -> dict[str, bytes]:
    """Every file of a bundle, hidden ones too: nothing may be left behind, but for the lock."""
    files = {path.relative_to(bundle).as_posix(): path.read_bytes() for path in bundle.rglob("*") if path.is_file()}
    return {name: content for name, content in files.items() if name not in (".wiki/edit.lock", ".wiki/.gitignore")}


def run(bundle: Path, command: str, *options: str) -> int:
    """Runs a tool; `< text` at the end is its standard input."""
    words = shlex.split(command)
    given = words.pop() if "<" in words else ""
    return main([word for word in words if word != "<"] + ["--bundle", str(bundle), *options], io.StringIO(given), NOW)
