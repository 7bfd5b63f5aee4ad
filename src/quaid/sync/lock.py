"""One writer at a time: a lock that agents, people's commands and Emacs share.

It is `flock` on a file in git's own directory, so that flock(1) and any other program can take part, and it
goes when the process that holds it does.
"""

from __future__ import annotations

import errno
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from quaid.errors import Busy, Corrupt, QuaidError, ReadOnly, StorageFailed
from quaid.files import exclusively, make_private_file, try_lock
from quaid.sync.git import Git, git_directory

NAME = "ai-kb.lock"
PATIENCE = 120.0  # seconds
_PAUSE = 0.005
_LONGEST_PAUSE = 0.1
_FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)
_OF_THE_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE)


@contextmanager
def write_lock(git: Git, patience: float = PATIENCE) -> Iterator[None]:
    """Write alone, as long as the block runs. What the system refuses in it comes out as our error.

    A git that we start holds the lock as well: if we are killed, the next writer waits for it to end.
    """
    git.refuse_stranger()  # before a file is made: its .git may lead anywhere
    path = git_directory(git.root) / NAME
    try:
        with _lock_file(path) as file:
            _wait(file, path, patience)
            git.guards.append(file.fileno())
            try:
                with exclusively(file):  # it lets go in the end, even if a hook left something running
                    yield
            finally:
                git.guards.clear()
    except OSError as error:
        raise _refusal(error, git.root) or error from None


def _lock_file(path: Path) -> IO[bytes]:
    try:
        make_private_file(path)
        return path.open("rb+")
    except FileNotFoundError:
        raise Corrupt(f"{path.parent} is not there", hint="`ai-kb init` makes a repository.") from None


def _wait(file: IO[bytes], path: Path, patience: float) -> None:
    end, pause = time.monotonic() + patience, _PAUSE
    while not try_lock(file):
        if time.monotonic() > end:
            raise Busy(
                f"another process has been writing for {patience:g} seconds",
                hint=f"Try again; `fuser {path}` says which process it is.",
            )
        time.sleep(pause)
        pause = min(pause * 1.5, _LONGEST_PAUSE)


def _refusal(error: OSError, root: Path) -> QuaidError | None:
    """What the system refused, as an error of ours; None for what it does not refuse by itself."""
    if error.errno in _FORBIDDEN:
        hint = "Look at the permissions of the directory, and whether the disk is read-only."
        return ReadOnly(f"{root} may not be written: {error.strerror}", hint=hint)
    if error.errno in _OF_THE_DISK:
        hint = "What is half-written will be undone by the next command that can write."
        return StorageFailed(f"{root} cannot be written: {error.strerror}", hint=hint)
    return None
