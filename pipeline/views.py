"""Rendering of templates, and files that are written only when their bytes differ."""

from __future__ import annotations

import hashlib
import os
from functools import cache
from pathlib import Path

from pipeline.escape import markdown, one_line, shell

# A template's output is escaped by what it is: timeline.md.j2 is markdown, hook.sh.j2 a script.
_ESCAPES = {".md": markdown, ".sh": shell, ".txt": lambda value: one_line(str(value))}


def render(templates: Path, name: str, **values: object) -> str:
    """The text of a template."""
    return template(templates, name).render(values)


def template(templates: Path, name: str):
    """A template of jinja2; every `{{ }}` is escaped for the kind of file it makes."""
    return _environment(templates, Path(name).suffix).get_template(name + ".j2")


@cache
def _environment(templates: Path, kind: str):
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # a tenth of a second: only when needed

    return Environment(
        loader=FileSystemLoader(templates), finalize=_ESCAPES[kind], undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )


def write(path: Path, data: bytes) -> bool:
    """Puts the bytes in place by rename; False when the file holds them already."""
    if path.is_file() and path.read_bytes() == data:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    # Hidden, and one name per file: what a killed run leaves is no concept, and the next run takes it over.
    aside = path.with_name(f".{path.name}.tmp")
    aside.write_bytes(data)
    os.replace(aside, path)
    return True


def digest(data: bytes) -> str:
    """The name of some bytes."""
    return hashlib.sha256(data).hexdigest()
