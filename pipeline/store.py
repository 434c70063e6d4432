"""The working state of a build, in `.wiki/` beside the bundle: three databases and a lock.

`build.db` is the next wiki.db, table for table; `cache.db` holds what was read from the files and which rows of
build.db are up to date; `vectors.db` the vectors that were paid for. All of it can be deleted; only `vectors.db`
costs time to get back.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import sys
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import apsw

from pipeline.lock import Taken, lock
from retrieval.damage import checksum
from retrieval.errors import WikiError
from retrieval.schema import SCHEMA, SCHEMA_VERSION

PIPELINE_VERSION = 7
"""Raised when the same files would compile to other rows; a build of another version starts from nothing."""
ROOM = 2**20
"""Bytes that must be free for a build to begin: doit's own state would not survive less."""

PAGE_SIZE = 16384
"""Bytes of a page in the databases. A concept's row is 2 to 5 kB: on pages of 4 kB, a third of the file is waste."""

_CACHE = """
-- Every candidate file as last seen; problem says why it was not read.
create table seen (
  path text primary key, size integer, mtime_ns integer, ctime_ns integer, inode integer,
  content_hash text not null, problem text not null
) without rowid;
-- What each file says: the row of `concepts` that it makes; as JSON lists and without its path, the rows that it makes of other
-- tables; and the lines of its frontmatter. The body stands last, so that who asks for something else need not read it.
create table pages (
  _path text primary key not null, type, title, description, tags, aliases, sources, relations, generated, verified, trust_tier,
  status, stale_after, superseded_by, superseded_at, supersedes, extra, content_hash, parse_error,
  names text not null, edges text not null, links text not null, pieces text not null, lines text not null, body
);
-- What is to be told of each file.
create table findings (path text not null, finding text not null);
create index findings_by_path on findings(path);
-- What each row of concepts was made from: who asks what has changed reads this, and not the bodies.
create table understood (path text primary key, content_hash text not null, parse_error text not null) without rowid;
-- Text that still stands in concepts_fts though its row has changed since.
create table retired (docid integer, title text, description text, tags text, body text);
-- Concepts that stand in concepts_fts and pieces, with what content.
create table indexed (path text primary key, docid integer not null, content_hash text not null) without rowid;
-- Concepts whose edges, links and names are written, with what content.
create table edged (path text primary key, content_hash text not null) without rowid;
"""


class BundleUnwritable(WikiError):
    """The bundle, or its `.wiki/`, does not let the build write."""


class NamesUnreadable(WikiError):
    """File names cannot be read as what they are: UTF-8."""


class BuildRunning(WikiError):
    """Another build of the same bundle holds the lock."""


class StateDamaged(Exception):
    """The working state was changed by something else than a build: throw it away and build from nothing."""


def demand_utf8_names() -> None:
    """Raises NamesUnreadable where Python reads file names in another encoding."""
    if sys.getfilesystemencoding() != "utf-8":
        raise NamesUnreadable(f"Python reads file names as {sys.getfilesystemencoding()} here, and a bundle's are UTF-8: "
                              "set PYTHONUTF8=1, or a locale such as C.UTF-8.")


@dataclass(frozen=True, slots=True)
class Store:
    """The places of one bundle's working state."""

    bundle: Path
    """The bundle's root."""

    @property
    def folder(self) -> Path:
        return self.bundle / ".wiki"

    @property
    def wiki(self) -> Path:
        return self.bundle / "wiki.db"

    def make_folder(self) -> None:
        """Make `.wiki/`, ignored by git. Raises OSError."""
        self.folder.mkdir(exist_ok=True)
        ignore = self.folder / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n", encoding="utf-8")

    def prepare(self) -> None:
        """Make `.wiki/`, ignored by git. Raises BundleUnwritable, NamesUnreadable."""
        demand_utf8_names()
        if not str(self.bundle).isascii() and os.fsencode(self.bundle).decode("utf-8", "replace") != str(self.bundle):
            raise NamesUnreadable(f"The path {str(self.bundle)!a} is not UTF-8, and no database can be opened there: rename the folder.")
        try:
            self.make_folder()
            if not os.access(self.folder, os.W_OK | os.X_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            if shutil.disk_usage(self.folder).free < ROOM:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            if not _readable(self.folder / "doit.db"):
                discard(self.folder / "doit.db")
        except OSError as fault:
            raise self._unwritable(fault) from None

    def _unwritable(self, fault: OSError) -> BundleUnwritable:
        return BundleUnwritable(
            f"{self.folder} cannot be written ({fault.strerror}), so nothing can be built; "
            "questions to an existing wiki.db still work. Give write permission and room, or build a copy of the bundle.")

    def lock(self) -> None:
        """Hold the build lock until the process ends. Raises BuildRunning when another process has it, BundleUnwritable."""
        try:
            lock(self.folder / "lock")
        except Taken:
            raise BuildRunning(f"another build of {self.bundle} is running; wait for it to end, then run doit again.") from None
        except OSError as fault:
            raise self._unwritable(fault) from None

    def open(self, writing: bool = True) -> apsw.Connection:
        """The build database, `cache` attached, so that a stage's transaction spans both.

        They are one state: when the cache is missing, damaged, of another version, or may have been torn by a failure
        of the machine, both begin anew; when only build.db is, the pages that were read stay. Who only reads leaves
        the seal whole, and may do so beside others. Raises StateDamaged when build.db is not what was sealed.
        """
        build, cache = self.folder / "build.db", self.folder / "cache.db"
        boot = _boot()
        word, written_in, sealed, stamp = self._mark()
        if not (_usable(cache) and (sealed or written_in == boot)):
            self.clear()
            _create(cache, _CACHE)
        if not _usable(build):
            self._forget("build.db")
            _keep_pages(cache)
            _create(build, SCHEMA)
            word = os.urandom(8).hex()
        elif writing and sealed and stamp != _stamp(build) and sealed != checksum(build).hex():
            raise StateDamaged(f"{build} is not as the last build left it")
        if word != self._mark()[0] or writing and (sealed or written_in != boot):
            self._set_mark(word, boot)
        db = apsw.Connection(str(build))
        db.set_busy_timeout(5000)
        db.execute("attach ? as cache", (str(cache),))
        db.execute("pragma main.cache_size = -32000; pragma cache.cache_size = -32000; pragma temp_store = memory")
        if boot:
            db.execute("pragma main.synchronous = off; pragma cache.synchronous = off")
        return db

    def seal(self, build: bytes = b"") -> None:
        """Make the working state durable, once a run has come to its end and doit has noted what it did. Raises OSError.

        `build` is the checksum of build.db, where the caller has it. SQLite keeps none, and text damaged in place would go
        unseen into the next wiki.db. It is compared when the file was written to since, or is another one.
        """
        if self.is_sealed() or not self.identity():
            return
        for name in ("build.db", "cache.db"):
            with open(self.folder / name, "rb+") as file:
                os.fsync(file.fileno())
        word, boot, *_ = self._mark()
        self._set_mark(word, boot, (build or checksum(self.folder / "build.db")).hex(), _stamp(self.folder / "build.db"))

    def identity(self) -> str:
        """A word that stays while the working state does; empty when there is none to build upon."""
        return self._mark()[0] if _usable(self.folder / "build.db") and _usable(self.folder / "cache.db") else ""

    def is_sealed(self) -> bool:
        """Whether the last build that wrote to the working state came to its end.

        Of one that was killed doit remembers nothing, and might take a stage for up to date that went on without it.
        """
        return bool(self._mark()[2])

    def remember(self, name: str, value: object) -> None:
        """Keep a small value as JSON."""
        aside = self.folder / f"{name}.new"
        aside.write_text(json.dumps(value), encoding="utf-8")
        os.replace(aside, self.folder / name)

    def recall(self, name: str) -> dict | None:
        """A mapping kept before; None when there is none that can be read."""
        try:
            value = json.loads(_text(self.folder / name))
        except (OSError, ValueError):
            return None
        return value if isinstance(value, dict) else None

    def clear(self, vectors: bool = False) -> None:
        """Throw away the working state, so that the next build starts from nothing."""
        self._forget("build.db", "cache.db", *(("vectors.db",) if vectors else ()))

    def _forget(self, *databases: str) -> None:
        """Remove databases, and first of all the mark: a kill half-way leaves what will begin anew."""
        for name in ("id", "index.json"):
            (self.folder / name).unlink(missing_ok=True)
        for name in databases:
            discard(self.folder / name)

    def _mark(self) -> tuple[str, str, str, str]:
        """The state's word, the boot it was last written in, and build.db's checksum and stamp when it has been synced since."""
        try:
            word, boot, *seal = _text(self.folder / "id").splitlines()
        except (OSError, ValueError):
            return "", "", "", ""
        return word, boot, *(seal[:2] if len(seal) > 1 else ("", ""))

    def _set_mark(self, *lines: str) -> None:
        aside = self.folder / "id.new"
        with open(aside, "w", encoding="ascii") as file:
            file.write("\n".join(lines) + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, self.folder / "id")


def _boot() -> str:
    """A word that stays until the machine starts again; empty where the system tells none.

    Working within one boot, a database need not be synced: a killed process loses nothing that it wrote.
    """
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""


def _stamp(path: Path) -> str:
    """What the file system tells of a file: any write to it, or another file in its place, changes it."""
    info = path.stat()
    return f"{info.st_size} {info.st_mtime_ns} {info.st_ctime_ns} {info.st_ino}"


def discard(path: Path) -> None:
    """Remove a database with its journals."""
    for suffix in ("", "-journal", "-wal", "-shm"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)


def _usable(path: Path) -> bool:
    """Whether the file is a whole database of this version."""
    return _whole(path) and int.from_bytes(_header(path)[60:64]) == _version()


def _readable(path: Path) -> bool:
    """Whether doit will find its state, a handful of rows of JSON, in the file; it does not forgive what it cannot read."""
    if not _whole(path):
        return not os.path.lexists(path)
    try:
        with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as db:
            for _, state in db.execute("select * from doit"):
                json.loads(state)
    except (apsw.Error, ValueError):
        print(f"{path} was damaged: nothing is known to be up to date", file=sys.stderr)
        return False
    return True


def _whole(path: Path) -> bool:
    """Whether the file is a database as long as it says, or one whose last transaction is to be rolled back.

    Told by its header and size, without reading a page. See https://www.sqlite.org/fileformat2.html#the_database_header.
    """
    header = _header(path)
    if len(header) < 100 or header[:16] != b"SQLite format 3\0":
        return False
    page_size, pages = int.from_bytes(header[16:18]), int.from_bytes(header[28:32])
    return path.stat().st_size == (65536 if page_size == 1 else page_size) * pages or Path(f"{path}-journal").exists()


def _text(path: Path) -> str:
    """What stands in a small file. Raises OSError, also for what is no file and may have no end, and ValueError."""
    if not path.is_file():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
    return path.read_text(encoding="utf-8")


def _header(path: Path) -> bytes:
    try:
        if not path.is_file():
            return b""
        with open(path, "rb") as file:
            return file.read(100)
    except OSError:
        return b""


def _version() -> int:
    return SCHEMA_VERSION * 1000 + PIPELINE_VERSION


def _keep_pages(cache: Path) -> None:
    """Empty the cache of all that it knows of build.db."""
    with closing(apsw.Connection(str(cache))) as db, db:
        for table in db.execute("select name from sqlite_schema where type = 'table' and name not in ('seen', 'pages', 'findings')").fetchall():
            db.execute(f"delete from {table[0]}")


def _create(path: Path, schema: str) -> None:
    """Create a database in one step: a kill leaves the file whole or absent."""
    aside = path.with_suffix(".new")
    discard(aside)
    db = apsw.Connection(str(aside))
    db.execute(f"pragma page_size = {PAGE_SIZE}")
    db.execute(schema)
    db.execute(f"pragma user_version = {_version()}")
    db.close()
    os.replace(aside, path)
