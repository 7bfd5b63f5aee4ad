"""Files and directories that only their owner may read, and files that change all at once."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from quaid.errors import ReadOnly, StorageFailed
from quaid.system import fcntl

PRIVATE_FILE = 0o600
PRIVATE_DIRECTORY = 0o700
# Neither through a link, nor waiting for whoever writes into a pipe.
_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def make_private_directory(path: Path) -> None:
    """Make a directory, with parents; those that are new are readable by their owner alone."""
    if path.is_dir():
        return
    make_private_directory(path.parent)
    path.mkdir(mode=PRIVATE_DIRECTORY, exist_ok=True)


def make_private_file(path: Path) -> None:
    """Make an empty file that its owner alone may read, unless it exists."""
    os.close(os.open(path, os.O_CREAT | os.O_RDWR | _NO_LINK, PRIVATE_FILE))


def open_own(path: Path) -> IO[bytes]:
    """Open a file for reading and writing, made if it is not there; a link or a device is not followed."""
    return _regular(os.open(path, os.O_CREAT | os.O_RDWR | _NO_LINK, PRIVATE_FILE), path, "r+b")


def read_own(path: Path | str, most: int = -1) -> bytes:
    """The bytes of a file, or the first of them; a link or a device in its place is not followed."""
    descriptor = os.open(path, os.O_RDONLY | _NO_LINK)
    try:
        size = _regular_size(descriptor, path) + 1  # one more, so that most files are read at once
        parts: list[bytes] = []
        left = size if most < 0 else most
        while left > 0 and (part := os.read(descriptor, left)):
            parts.append(part)
            left = size if most < 0 else left - len(part)  # a file may grow meanwhile
    finally:
        os.close(descriptor)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _regular(descriptor: int, path: Path | str, mode: str) -> IO[bytes]:
    file = os.fdopen(descriptor, mode)
    try:
        _regular_size(descriptor, path)
    except OSError:
        file.close()
        raise
    return file


def _regular_size(descriptor: int, path: Path | str) -> int:
    """The size of a file that is neither a device nor anything else that is odd."""
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    return status.st_size


def left_behind(directory: Path, prefix: str) -> Iterator[Path]:
    """The files of that prefix that were to take another's place when their writer died."""
    with suppress(OSError), os.scandir(directory) as entries:
        for entry in list(entries):
            if entry.name.startswith(prefix) and entry.name.endswith(".tmp"):
                yield directory / entry.name


def write_beside(path: Path, data: bytes, prefix: str) -> Path:
    """Write bytes to a new file that is to take another's place, and make them durable.

    It has mode and owner of the file whose place it will take, or is readable by its owner alone.
    """
    place = path.with_name(f"{prefix}{os.urandom(6).hex()}.tmp")
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)
    descriptor = os.open(place, flags, PRIVATE_FILE)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            with suppress(FileNotFoundError):
                _take_after(place, path.stat())
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        place.unlink(missing_ok=True)
        raise
    return place


def _take_after(place: Path, facts: os.stat_result) -> None:
    own = place.stat()
    if hasattr(os, "chown") and (own.st_uid, own.st_gid) != (facts.st_uid, facts.st_gid):
        os.chown(place, facts.st_uid, facts.st_gid)
    os.chmod(place, facts.st_mode & 0o777)


def replace_file(path: Path, data: bytes, prefix: str = ".quaid-") -> None:
    """Give a file other bytes: afterwards it holds all of them, whatever happens, or is as it was."""
    make_private_directory(path.parent)
    place = write_beside(path, data, prefix)
    try:
        place.replace(path)
    except BaseException:
        place.unlink(missing_ok=True)
        raise
    sync_directory(path.parent)


def sync_directory(path: Path) -> None:
    """Make the names in a directory durable."""
    if os.name == "nt":  # where a directory cannot be opened
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def write_errors(place: Path, kind: str) -> Iterator[None]:
    """Turn what the system reports while a place is written into errors that say what to do."""
    try:
        yield
    except PermissionError:
        raise ReadOnly(f"{place} cannot be written", hint=f"Choose a {kind} that is yours.") from None
    except OSError as error:
        raise StorageFailed(
            f"{place} cannot be written: {error.strerror}",
            hint=f"Free some space, or choose another {kind}.",
        ) from None


def file_identity(path: Path) -> tuple[int, int] | None:
    """Which file or directory is at a path, whatever it is called; None if there is none."""
    try:
        facts = path.stat()
    except OSError:
        return None
    return facts.st_dev, facts.st_ino


def try_lock(file: IO[bytes]) -> bool:
    """Hold a file until it is closed, unless another process does."""
    if fcntl is not None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def is_locked(path: Path) -> bool:
    """Whether another process holds a file; those who only look do not see each other."""
    if fcntl is None:
        return False
    try:
        with _regular(os.open(path, os.O_RDONLY | _NO_LINK), path, "rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


@contextmanager
def exclusively(file: IO[bytes]) -> Iterator[None]:
    """Hold a file against other processes that do the same; the lock goes when a process does."""
    if fcntl is None:
        yield
        return
    fcntl.flock(file, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(file, fcntl.LOCK_UN)
