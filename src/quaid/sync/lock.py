"""One writer at a time: a lock that agents, people's commands and Emacs share; and that of git's index.

The first is `flock` on a file in git's own directory, so that flock(1) and any other program can take part,
and it goes when the process that holds it does.

By the other one every git keeps the others from its index. One that is not ours is never touched. It
belongs to a git that runs, be it a `git commit` whose message somebody still writes, or to one that died,
which only a person can tell. Ours has a mark, so that it is known as ours if we are killed: whoever has the
lock of all writers may take it away.
"""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from quaid.errors import Busy, Corrupt, QuaidError, ReadOnly, StorageFailed
from quaid.files import exclusively, make_private_file, read_own, try_lock
from quaid.sync.git import Git

NAME, INDEX_LOCK = "ai-kb.lock", "index.lock"
PATIENCE = 120.0  # seconds
_PAUSE = 0.005
_LONGEST_PAUSE = 0.1
_FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)
INDEX_PATIENCE = 5.0  # seconds
_INDEX_PAUSE = 0.05
_MARK, _BESIDE = b"ai-kb ", "ai-kb-index-lock"
_UNITS = (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))
_PROCESSES = Path("/proc")  # of Linux; elsewhere nobody can be named
_OF_THE_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE)


@contextmanager
def write_lock(git: Git, patience: float = PATIENCE) -> Iterator[None]:
    """Write alone, as long as the block runs. What the system refuses in it comes out as our error.

    A git that we start holds the lock as well: if we are killed, the next writer waits for it to end.
    """
    git.refuse_stranger()  # before a file is made: its .git may lead anywhere
    path = git.directory / NAME
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


@contextmanager
def index_held(git: Git) -> Iterator[None]:
    """Keep every other git from the index, as long as the block runs. The lock of writers must be held."""
    place = git.directory / INDEX_LOCK
    end = time.monotonic() + INDEX_PATIENCE
    while not _made(place):
        await_index(git, end - time.monotonic())
    try:
        yield
    finally:
        place.unlink(missing_ok=True)


def await_index(git: Git, patience: float | None = None) -> None:
    """Wait until no git works on the index; Busy, which says who does. The lock of writers must be held."""
    place = git.directory / INDEX_LOCK
    end = time.monotonic() + (INDEX_PATIENCE if patience is None else patience)
    while os.path.lexists(place):
        if _is_ours(place):  # left by a writer that was killed
            place.unlink(missing_ok=True)
        elif time.monotonic() >= end:
            raise _busy(git.root, place)
        else:
            time.sleep(_INDEX_PAUSE)


def _busy(root: Path, place: Path) -> Busy:
    """What is said of a repository in which another git works."""
    age, holder = _age(place), next(_holders(root, place), "")
    if not holder:
        return Busy(
            f"{place} says that a git works there, {age}",
            hint="Nothing was written. If none runs, the file was left by one that died: remove it.",
        )
    return Busy(
        f"another git has locked the index of {root} {age}: process {holder}",
        hint="Nothing was written. End it, or wait until it has ended.",
    )


def _made(place: Path) -> bool:
    """Make the lock, unless there is one. It has its mark from the first moment, should we be killed."""
    beside = place.with_name(_BESIDE)
    beside.unlink(missing_ok=True)
    beside.write_bytes(_MARK + str(os.getpid()).encode())
    try:
        _link(beside, place)
    except FileExistsError:
        return False
    finally:
        beside.unlink()
    return True


def _link(beside: Path, place: Path) -> None:
    try:
        os.link(beside, place)
    except FileExistsError:
        raise
    except OSError:  # a disk that knows no links: the mark comes a moment later
        with place.open("xb") as file:
            file.write(beside.read_bytes())


def _is_ours(place: Path) -> bool:
    with suppress(OSError):
        return read_own(place, len(_MARK)) == _MARK
    return False


def _age(place: Path) -> str:
    with suppress(OSError):
        seconds = max(time.time() - place.lstat().st_mtime, 1)
        name, length = next(unit for unit in _UNITS if seconds >= unit[1])
        count = int(seconds // length)
        return f"for {count} {name}{'s' if count > 1 else ''}"
    return "until just now"


def _holders(root: Path, place: Path) -> Iterator[str]:
    """The processes that hold the lock, as far as can be seen: gits in that directory, or who has it open.

    git closes the file while somebody writes a message, and always goes to the root of its repository.
    """
    inside, file = os.path.realpath(root), os.path.realpath(place)
    for entry in sorted(_PROCESSES.glob("[0-9]*"), key=lambda each: int(each.name)):
        with suppress(OSError):
            words = (entry / "cmdline").read_bytes().split(b"\0")
            is_git = os.path.basename(words[0]) == b"git" and os.readlink(entry / "cwd") == inside
            if is_git or any(os.readlink(each) == file for each in (entry / "fd").iterdir()):
                yield f"{entry.name} ({b' '.join(words).decode(errors='replace').strip()})"
