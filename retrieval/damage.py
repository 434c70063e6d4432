"""Tells a damaged wiki.db from a fault of this program, by the checksum that the build left in it."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from retrieval.errors import WikiBusy, WikiDamaged, WikiError

_FIELD = slice(68, 72)
"""Bytes of the header that SQLite leaves to applications: `pragma application_id`."""


@contextmanager
def damage_told(wiki: Path) -> Iterator[None]:
    """Whatever goes wrong within, while a damaged wiki.db is read, is a WikiDamaged; else it stays what it is.

    A torn page can hold any text, number or path and so raise anything, and a bug must keep its traceback.
    """
    try:
        yield
    except WikiError:
        raise
    except apsw.BusyError as fault:
        raise WikiBusy(f"{wiki} is locked by another program ({fault}): ask again when that is done.") from None
    except Exception as fault:
        if is_whole(wiki):
            raise
        raise WikiDamaged(f"{wiki} is damaged ({fault}): run `doit reindex` to build it anew.") from fault


def is_whole(wiki: Path) -> bool:
    """Whether the file is, byte for byte, what the build published."""
    try:
        return signature(wiki) == checksum(wiki)
    except OSError:
        return False


def signature(database: Path) -> bytes:
    """The checksum that was written into a database."""
    with open(database, "rb") as file:
        return file.read(_FIELD.stop)[_FIELD]


def checksum(database: Path) -> bytes:
    """CRC-32 of a database, but for the field that holds it."""
    with open(database, "rb") as file:
        total = zlib.crc32(file.read(_FIELD.start))
        file.seek(_FIELD.stop)
        while part := file.read(2**20):
            total = zlib.crc32(part, total)
    return total.to_bytes(4)


def sign(database: Path) -> None:
    """Write the checksum into its field."""
    found = checksum(database)
    with open(database, "rb+") as file:
        file.seek(_FIELD.start)
        file.write(found)
