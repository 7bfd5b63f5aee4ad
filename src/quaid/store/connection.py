"""The memory's file: opening it, reading it, and one write at a time."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import apsw

from quaid.errors import Corrupt, InvalidInput, NewerSchema, NotFound, Untrusted
from quaid.files import make_private_directory, make_private_file, read_own
from quaid.store import packing
from quaid.store.companion import Companion
from quaid.store.failures import RESCUE, translation
from quaid.store.migrations import READ_OTHERWISE, SCHEMA_VERSION, migrate
from quaid.system import hash_function

APPLICATION_ID = 1364541769
CACHE_KIB = 16_384
MAPPED_BYTES = 1 << 30
_UNMADE = 8192  # bytes: less than any memory has
_JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")
SEAL = 16  # bytes of a hash: enough to notice what nobody did on purpose
ATTEMPTS, PAUSE = 200, 0.02  # to become the one who makes a memory; seconds between them


class GateNeeded(Exception):
    """A transaction must begin anew, after the gate of a collection: that is never passed within one."""

    def __init__(self, collection: str) -> None:
        super().__init__(collection)
        self.collection = collection


def _nobody() -> None:
    return None


class Store:
    """One memory.db. Each thread has a connection of its own; `write` is exclusive between processes."""

    def __init__(self, path: Path, busy_timeout: float = 30.0) -> None:
        self.path = path
        self.was_older = False  # an older Quaid has read its pages, and not seen all in them
        self.companion: Callable[[], Companion | None] = _nobody
        self._busy_ms = int(busy_timeout * 1000)
        self._local = threading.local()
        self._opened: list[apsw.Connection] = []
        self._lock = threading.Lock()

    @classmethod
    def create(
        cls, path: Path, busy_timeout: float = 30.0, fill: Callable[[apsw.Connection], None] | None = None
    ) -> Store:
        """Make a new memory, filled in the same transaction; one that exists already is opened as it is."""
        with translation(path):
            make_private_directory(path.parent)
            make_private_file(path)
            with closing(_connect(path, int(busy_timeout * 1000))) as connection:
                _initialise(connection, path, fill)
        return cls.open(path, busy_timeout)

    @classmethod
    def open(cls, path: Path, busy_timeout: float = 30.0) -> Store:
        """Open a memory that exists, migrating it when it is older than this program."""
        if not path.is_file():
            raise NotFound(f"there is no memory at {path}", hint="`quaid init` makes one.")
        store = cls(path, busy_timeout)
        try:
            with translation(path):
                store.was_older = _check_identity(store.connection, path)
        except Corrupt as error:
            error.hint = f"It cannot be opened. {RESCUE}"
            raise
        return store

    @property
    def connection(self) -> apsw.Connection:
        """This thread's connection."""
        connection: apsw.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = _connect(self.path, self._busy_ms)
            self._local.connection = connection
            with self._lock:
                self._opened.append(connection)
        return connection

    def map_file(self) -> None:
        """Read from a map of the file, for what goes through all texts: thousands of system calls less.

        A disk that fails then ends the process. So it is for a memory that can be made anew.
        """
        self.connection.execute(f"PRAGMA mmap_size = {MAPPED_BYTES}")

    def wait_for_others(self, seconds: float) -> None:
        """How long this thread waits for a process that writes."""
        self._busy_ms = int(seconds * 1000)
        self.connection.set_busy_timeout(self._busy_ms)

    @contextmanager
    def impatient(self, seconds: float) -> Iterator[apsw.Connection]:
        """This thread's connection, while it waits no longer than that for others."""
        connection = self.connection
        self._local.patience = min(int(seconds * 1000), self._busy_ms)
        connection.set_busy_timeout(self._local.patience)
        try:
            yield connection
        finally:
            del self._local.patience
            connection.set_busy_timeout(self._busy_ms)

    @contextmanager
    def write(self) -> Iterator[apsw.Connection]:
        """One transaction: all of it is there afterwards, or nothing. Who asks first is first to write."""
        connection = self.connection
        if connection.in_transaction:  # whoever began it translates what SQLite reports
            yield connection
            return
        from quaid.store.tickets import begun  # only writers wait for one another

        patience = getattr(self._local, "patience", self._busy_ms)
        with translation(self.path), begun(connection, self.path, patience):
            companion = None
            try:
                companion = self.companion()
                if companion:
                    companion.begin(connection)
                yield connection
                if companion:
                    companion.prepare(connection)
                connection.execute("COMMIT")
            except BaseException:
                if companion:
                    companion.undo()  # before others may write
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
            if companion:
                companion.finish()

    @contextmanager
    def examination(self) -> Iterator[apsw.Connection]:
        """The memory for checks, damaged or not. Nobody else writes meanwhile, and nothing is kept of it."""
        with suppress(Corrupt), self.write():
            pass  # what somebody left behind is finished
        connection = self.connection
        with translation(self.path):
            try:
                connection.execute("BEGIN IMMEDIATE")
            except (apsw.ReadOnlyError, apsw.CorruptError):
                connection.execute("BEGIN")
            try:
                yield connection
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    @contextmanager
    def attempt(self) -> Iterator[apsw.Connection]:
        """A part of a transaction that may fail on its own: then nothing of it is there."""
        connection = self.connection
        connection.execute("SAVEPOINT attempt")
        try:
            yield connection
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK TO attempt; RELEASE attempt")
            raise
        connection.execute("RELEASE attempt")

    @contextmanager
    def hasty(self) -> Iterator[None]:
        """Commits that a power cut may take back, for what can be derived again."""
        connection = self.connection
        if connection.in_transaction:
            yield
            return
        connection.execute("PRAGMA synchronous = NORMAL")
        try:
            yield
        finally:
            connection.execute("PRAGMA synchronous = FULL")

    @contextmanager
    def read(self) -> Iterator[apsw.Connection]:
        """One consistent view of the memory over several statements."""
        connection = self.connection
        if connection.in_transaction:
            yield connection
            return
        with translation(self.path):
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                connection.execute("ROLLBACK")

    def close(self) -> None:
        """Close the connections of all threads."""
        with self._lock:
            while self._opened:
                self._opened.pop().close()
        self._local = threading.local()


def is_made(path: Path) -> bool:
    """Whether a memory's file is there, and is not the beginning of one that was never finished."""
    return path.is_file() and path.stat().st_size > _UNMADE


@contextmanager
def glimpse(path: Path) -> Iterator[apsw.Connection]:
    """A look into a memory that may be anybody's: nothing is written, and nothing brought up to date."""
    _refuse_foreign_journal(path)
    with translation(path), closing(_guarded(_open_unwritable(path))) as connection:
        _demand_memory(connection, path)
        yield connection


def _connect(path: Path, busy_ms: int) -> apsw.Connection:
    _refuse_foreign_journal(path)
    connection = _guarded(_open(path))
    connection.set_busy_timeout(busy_ms)
    prepare(connection)
    return connection


def prepare(connection: apsw.Connection) -> None:
    """The functions and settings with which every connection works."""
    segment: Any = segmented  # which is given texts alone
    connection.create_scalar_function("segment", segment, 1, deterministic=True, flags=apsw.SQLITE_INNOCUOUS)
    packing.register(connection)
    connection.create_scalar_function("seal", sealed, deterministic=True)
    connection.create_scalar_function("sha256", _sha256, 1, deterministic=True)
    connection.execute(
        f"PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY;"
        f"PRAGMA cache_size = -{CACHE_KIB}"
    )


def _guarded(connection: apsw.Connection) -> apsw.Connection:
    """Let what stands in the file itself call no function that could do something, and damage nothing."""
    connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    return connection


def _refuse_foreign_journal(path: Path) -> None:
    """SQLite may delete the file that a rollback journal names at its end. Ours never names one."""
    journal = path.with_name(f"{path.name}-journal")
    if not os.path.lexists(journal):
        return
    with translation(path), suppress(FileNotFoundError):  # there is none, or whoever wrote it is done
        if read_own(journal).endswith(_JOURNAL_MAGIC):
            raise Untrusted(
                f"{journal} names another file, and was not written by Quaid",
                hint="Move it away, and check with `quaid validate --all`.",
            )


def _refuse_foreign_schema(connection: apsw.Connection, path: Path) -> None:
    """What runs when rows change, or stands for rows, must be what Quaid put there."""
    known = schema()
    found = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type IN ('trigger', 'view')")
    strange = [name for name, sql in found if sql not in known]
    if strange:
        raise Untrusted(
            f"{path} holds programs that are not Quaid's: {', '.join(sorted(strange))}",
            hint="Do not use it. If its pages are files, delete it: the next command makes it anew.",
        )


def segmented(text: str) -> str:
    """A text as the word indexes read it: words apart in scripts without spaces, without placeholders."""
    if "[" in text or "Page created" in text:
        from quaid.formats.placeholders import without_placeholders  # most texts do without

        text = without_placeholders(text)
    if text.isascii():
        return text
    from quaid.formats.segments import segment  # most texts do without

    return segment(text)


def sealed(*values: Any) -> bytes:
    """A hash of some values, each with its length, so that nothing can pass from one to the next."""
    whole = hash_function("sha256")()
    for value in values:
        data = value if isinstance(value, bytes) else repr(value).encode()
        whole.update(f"{type(value).__name__} {len(data)} ".encode())
        whole.update(data)
    digest: bytes = whole.digest()
    return digest[:SEAL]


def _sha256(*values: Any) -> str | None:
    return hash_function("sha256")(values[0]).hexdigest() if isinstance(values[0], bytes) else None


def _open(path: Path) -> apsw.Connection:
    effective = os.access in os.supports_effective_ids
    if all(os.access(each, os.W_OK, effective_ids=effective) for each in (path, path.parent)):
        return apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    return _open_unwritable(path)


def _open_unwritable(path: Path) -> apsw.Connection:
    # SQLite wants to make files beside a database in WAL mode even to read it. Where nobody can write and no
    # log is left over, the file cannot change, and may be read as it is.
    log = path.with_name(path.name + "-wal")
    unchanging = "" if log.exists() and log.stat().st_size else "?immutable=1"
    escaped = str(path.absolute()).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return apsw.Connection(
        f"file:{escaped}{unchanging}", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    )


def _initialise(
    connection: apsw.Connection, path: Path, fill: Callable[[apsw.Connection], None] | None
) -> None:
    """Turn an empty file into a memory, in one transaction, whoever comes first."""
    # In this order: another may make it between the two.
    is_empty = connection.execute("SELECT 1 FROM sqlite_schema").fetchone() is None
    if connection.pragma("application_id") == APPLICATION_ID:
        return
    if not is_empty:
        raise InvalidInput(f"{path} is a database of something else", hint="Choose another path.")
    _write_ahead(connection)
    connection.execute("BEGIN IMMEDIATE")
    try:
        if connection.pragma("application_id") != APPLICATION_ID:
            connection.execute(schema())
            if fill:
                fill(connection)
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _write_ahead(connection: apsw.Connection) -> None:
    """Log changes ahead. SQLite does not wait for others who are about to do the same, so we do."""
    for _ in range(ATTEMPTS):
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except apsw.BusyError:
            time.sleep(PAUSE)
        else:
            return
    connection.execute("PRAGMA journal_mode = WAL")


@lru_cache(maxsize=1)
def schema() -> str:
    """The schema of a new memory."""
    return Path(__file__).with_name("schema.sql").read_text(encoding="utf-8")


def _check_identity(connection: apsw.Connection, path: Path) -> bool:
    """Refuse what is no memory of ours, and bring an older one up to date.

    The answer is whether its pages are to be read again, which takes longer than a change of tables.
    """
    _demand_memory(connection, path)
    version = connection.pragma("user_version")
    if version > SCHEMA_VERSION:
        raise NewerSchema(
            f"{path} has schema version {version}; this Quaid knows versions up to {SCHEMA_VERSION}",
            hint="Upgrade Quaid; `quaid version` says which one this is.",
            found=version,
            supported=SCHEMA_VERSION,
        )
    if not connection.readonly("main") and connection.pragma("journal_mode") != "wal":
        _write_ahead(connection)  # a backup that was restored has no log, and readers would block writers
    was_older = version < SCHEMA_VERSION and migrate(connection, path) is not None
    _refuse_foreign_schema(connection, path)
    return was_older and version < READ_OTHERWISE


def _demand_memory(connection: apsw.Connection, path: Path) -> None:
    if connection.pragma("application_id") != APPLICATION_ID:
        raise Corrupt(f"{path} is not a Quaid memory", hint="`quaid init PATH` makes one at a free path.")
