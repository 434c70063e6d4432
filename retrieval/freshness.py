"""Tells whether the concept files of a bundle are still those that its wiki.db was built from."""

from __future__ import annotations

import hashlib
from pathlib import Path

import apsw

from retrieval.files import FileStamp, scan


def is_current(bundle: Path, con: apsw.Connection) -> bool:
    """Compare the files with what the build saw; only those with another size or time are read.

    False too when the folder cannot be looked into.
    """
    built = {path: (size, mtime, digest) for path, size, mtime, digest in con.execute("select * from files")}
    try:
        stamps = scan(bundle)
    except OSError:
        return False
    return {stamp.path for stamp in stamps} == built.keys() and all(
        _same(bundle, stamp, *built[stamp.path]) for stamp in stamps)


def _same(bundle: Path, stamp: FileStamp, size: int, mtime_ns: int, digest: str) -> bool:
    if stamp.problem:
        return digest == ""
    if (stamp.size, stamp.mtime_ns) == (size, mtime_ns):
        return True
    try:
        content = (bundle / stamp.name).read_bytes()
    except OSError:
        return False
    return hashlib.sha256(content).hexdigest() == digest
