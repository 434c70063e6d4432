"""Asks git what became of concept files since they were generated: content that changed under an unchanged stamp."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path

from pipeline.parse import parse_page

EDITED, UNEDITED, UNKNOWN = "edited", "unedited", "unknown"


def edits_since_generation(bundle: Path, stamps: dict[str, str | None]) -> dict[str, str]:
    """For each file, whether it was edited after its `generated.at`: edited, unedited or unknown.

    `stamps` maps the path of a file below the bundle to its `generated.at` of today. Commit times tell nothing,
    since a page is committed some time after it was generated; but an ingest renews the stamp, so two versions
    that bear one stamp mean an edit. Unknown without git, and for files it does not hold or whose past it lacks.
    """
    try:
        shallow = _git(bundle, "rev-parse", "--is-shallow-repository").strip() == b"true"
        changed = set(_git(bundle, "diff", "--name-only", "-z", "--relative", "HEAD", "--", ".").decode("utf-8", "replace").split("\0"))
        versions = _versions(bundle, stamps)
        texts = _texts(bundle, [version for found in versions.values() for version in found])
    except (OSError, subprocess.CalledProcessError):
        return dict.fromkeys(stamps, UNKNOWN)
    return {path: _verdict(stamp, path in changed, [_stamp(texts.get(version)) for version in versions[path]], shallow)
            for path, stamp in stamps.items()}


def _verdict(stamp: str | None, changed: bool, committed: list[str | None], shallow: bool) -> str:
    """From the stamps of today and of the last two commits that touched the file, newest first."""
    if stamp is None or not committed:
        return UNKNOWN
    before = committed if changed else committed[1:]
    if stamp in before:
        return EDITED
    return UNKNOWN if shallow and len(committed) < 2 else UNEDITED


def _versions(bundle: Path, paths: Iterable[str]) -> dict[str, list[str]]:
    """The last two versions of each file as git names them: `COMMIT:./path`."""
    found: dict[str, list[str]] = {path: [] for path in paths}
    log = _git(bundle, "log", "--format=%x01%H", "--name-only", "-z", "--relative", "--diff-filter=AMR", "--", ".")
    for commit in log.decode("utf-8", "replace").split("\x01")[1:]:
        name, _, files = commit.partition("\0")
        for path in files.strip("\n").split("\0"):
            if path in found and len(found[path]) < 2:
                found[path].append(f"{name}:./{path}")
    return found


def _texts(bundle: Path, versions: list[str]) -> dict[str, bytes]:
    """What stood in each version."""
    output = _git(bundle, "cat-file", "--batch", given="".join(f"{version}\n" for version in versions).encode())
    texts, at = {}, 0
    for version in versions:
        end = output.index(b"\n", at)
        header = output[at:end].split()
        at = end + 1
        if header[-1].isdigit():
            texts[version] = output[at:at + int(header[-1])]
            at += int(header[-1]) + 1
    return texts


def _stamp(text: bytes | None) -> str | None:
    generated = (parse_page("", text).frontmatter or {}).get("generated") if text is not None else None
    return generated.get("at") if isinstance(generated, dict) else None


def _git(bundle: Path, *words: str, given: bytes | None = None) -> bytes:
    # Names are spelt out as they are, and no setting of the person's git changes what is printed.
    command = ["git", "-C", str(bundle), "-c", "core.quotePath=false", "--no-pager", *words]
    return subprocess.run(command, input=given, capture_output=True, check=True).stdout
