"""Writes the prompt hook: a shell script that tells an agent when the wiki may know something (seed §12)."""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path

from pipeline.views import render, write
from retrieval.errors import WikiError

NAMED = 5
"""Keywords that the hook's line names before it counts the rest."""
TIMEOUT = 5
"""Seconds after which the harness should give up on the hook (seed §12)."""

_OURS = b"Written by doit hook."


class HookError(WikiError):
    """The hook cannot be written where it was asked for."""


def hook(path: Path, bundle: Path, templates: Path, keywords: Path) -> str:
    """Writes the hook to `path`, executable; returns the settings that register it, as JSON. Raises HookError."""
    path, bundle = path.expanduser().absolute(), bundle.absolute()
    if path.is_dir():
        raise HookError(f"{path} is a directory: name the file to write, for example {path / 'wiki-trigger.sh'}.")
    if path.exists() and _OURS not in path.read_bytes():
        raise HookError(f"{path} is not a hook of this project and was left alone: choose another path or remove it.")
    command = f'{shlex.quote(sys.executable)} -m retrieval "<question>" --bundle {shlex.quote(str(bundle))}'
    write(path, render(templates, "hook.sh", keywords=keywords.absolute(), command=command, limit=NAMED).encode())
    os.chmod(path, 0o755)
    entry = {"hooks": [{"type": "command", "command": shlex.quote(str(path)), "timeout": TIMEOUT}]}
    return json.dumps({"hooks": {"UserPromptSubmit": [entry]}}, indent=2, ensure_ascii=False)
