"""Whose turn it is to write: that of whoever asked first, among all processes and threads.

SQLite lets the one write that happens to look when the lock is free, and under load one can look at the wrong
moments for minutes. So who finds it taken takes a number, from a file beside the memory, and waits until no
smaller one is in use; while that file is there, everybody does. A number is in use while its byte of the file
is locked; the lock goes when a process does, however that ends. Who leaves last takes the file away.

SQLite's own lock is what keeps writers apart. Where there are no such locks of files, it alone decides.
"""

from __future__ import annotations

import os
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import apsw

from quaid.files import open_own
from quaid.system import fcntl

SUFFIX = ".turn"
_SUPPORTED = hasattr(fcntl, "F_OFD_SETLK")
_LOCK = "hhqqi"  # kind, whence, start, length, process
_FIRST = 64  # the byte of the number 0; before them, the next number
_NUMBERS = 2**60  # after which they begin again
_SHORTEST, _LONGEST = 0.0005, 0.005  # seconds between two looks


@contextmanager
def begun(connection: apsw.Connection, database: Path, patience_ms: int) -> Iterator[None]:
    """A transaction that writes, begun when its turn has come; the turn ends with the block."""
    place = database.with_name(database.name + SUFFIX)
    if not os.path.lexists(place) and _begin(connection, 0):
        connection.set_busy_timeout(patience_ms)
        yield
        return
    connection.set_busy_timeout(patience_ms)
    file = _numbers_file(place) if _SUPPORTED else None
    if file is None:
        connection.execute("BEGIN IMMEDIATE")
        yield
        return
    with file, _turn(place, file, time.monotonic() + patience_ms / 1000):
        connection.execute("BEGIN IMMEDIATE")
        yield


def _begin(connection: apsw.Connection, patience_ms: int) -> bool:
    connection.set_busy_timeout(patience_ms)
    try:
        connection.execute("BEGIN IMMEDIATE")
    except apsw.BusyError:
        return False
    return True


@contextmanager
def _turn(place: Path, file: IO[bytes], ends: float) -> Iterator[None]:
    """Wait for one's turn, and keep it."""
    number = _number(file, ends)
    if number is None or not _is_first(file, number, ends):
        raise apsw.BusyError("others were before")
    try:
        yield
    finally:
        if not _in_use(file, _FIRST + number + 1, _NUMBERS):
            with suppress(OSError):
                place.unlink()


def _numbers_file(place: Path) -> IO[bytes] | None:
    """The file of numbers; None where none can be had, or locks do not work."""
    try:
        file = open_own(place)
    except OSError:
        return None
    try:
        _in_use(file, _FIRST, 1)
    except OSError:
        file.close()
        return None
    return file


def _number(file: IO[bytes], ends: float) -> int | None:
    """The next number, in use from now on until the file is closed."""
    if not any(_lock(file, fcntl.F_WRLCK, 0, _FIRST) for _ in _looks(ends)):
        return None
    number = int.from_bytes(os.pread(file.fileno(), 8, 0), "little") % _NUMBERS
    _lock(file, fcntl.F_WRLCK, _FIRST + number, 1)
    os.pwrite(file.fileno(), (number + 1).to_bytes(8, "little"), 0)
    _lock(file, fcntl.F_UNLCK, 0, _FIRST)
    return number


def _is_first(file: IO[bytes], number: int, ends: float) -> bool:
    """Wait until no smaller number is in use."""
    return number == 0 or any(not _in_use(file, _FIRST, number) for _ in _looks(ends))


def _looks(ends: float) -> Iterator[None]:
    """Look at once, and then again and again until time is up."""
    pause = _SHORTEST
    yield
    while time.monotonic() < ends:
        time.sleep(pause)
        pause = min(pause * 1.5, _LONGEST)
        yield


def _lock(file: IO[bytes], kind: int, start: int, length: int) -> bool:
    """Lock bytes, or let go of them; False if somebody else has them."""
    try:
        fcntl.fcntl(file, fcntl.F_OFD_SETLK, struct.pack(_LOCK, kind, os.SEEK_SET, start, length, 0))
    except (BlockingIOError, PermissionError):  # which of them, systems do not agree about
        return False
    return True


def _in_use(file: IO[bytes], start: int, length: int) -> bool:
    """Whether somebody else has locked one of these bytes."""
    asked = struct.pack(_LOCK, fcntl.F_WRLCK, os.SEEK_SET, start, length, 0)
    told: Any = fcntl.fcntl(file, fcntl.F_OFD_GETLK, asked)
    return bool(struct.unpack_from(_LOCK, told)[0] != fcntl.F_UNLCK)
