"""Files and directories that only their owner may read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

try:
    import fcntl
except ImportError:  # Windows, where an open file cannot be replaced anyway
    fcntl = None  # type: ignore[assignment]

PRIVATE_FILE = 0o600
PRIVATE_DIRECTORY = 0o700


def make_private_directory(path: Path) -> None:
    """Make a directory, with parents; those that are new are readable by their owner alone."""
    if path.is_dir():
        return
    make_private_directory(path.parent)
    path.mkdir(mode=PRIVATE_DIRECTORY, exist_ok=True)


def make_private_file(path: Path) -> None:
    """Make an empty file that its owner alone may read, unless it exists."""
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, PRIVATE_FILE))


def try_lock(file: IO[bytes]) -> bool:
    """Hold a file until it is closed, unless another process does."""
    if fcntl is not None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


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
