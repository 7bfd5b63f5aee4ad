"""Telling whether a folder was touched since the last look, without looking at its files.

Linux puts a change into the queue of whoever watches a directory before the call that made it returns. So
what another process has done before a question is in the queue when the question comes. Not seen are writes
through a memory map, or through a second name of the file elsewhere: so whoever trusts a tripwire looks from
time to time all the same. Where changes may be made on another machine, or there is no such queue, there is
no tripwire.
"""

from __future__ import annotations

import ctypes
import os
import re
import struct
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from quaid.files import file_identity
from quaid.vault.folder import IGNORE_FILE, IGNORED, SCRATCH, is_page

# Of <sys/inotify.h>.
MODIFY, ATTRIBUTES, CLOSE_WRITE = 0x2, 0x4, 0x8
MOVED_FROM, MOVED_TO, CREATE, DELETE, DELETE_SELF, MOVE_SELF = 0x40, 0x80, 0x100, 0x200, 0x400, 0x800
UNMOUNT, OVERFLOW, ENDED, IS_DIRECTORY = 0x2000, 0x4000, 0x8000, 0x40000000
ONLY_DIRECTORIES, NO_LINKS = 0x01000000, 0x02000000
TOUCHES = (
    MODIFY | ATTRIBUTES | CLOSE_WRITE | MOVED_FROM | MOVED_TO | CREATE | DELETE | DELETE_SELF | MOVE_SELF
)
HEAD = struct.Struct("iIII")
ESCAPED = re.compile(r"\\([0-7]{3})")  # a space in a name, as the list of mounts writes it

# Disks whose files nobody changes but through this kernel.
OWN_DISKS = (
    "bcachefs",
    "btrfs",
    "ext2",
    "ext3",
    "ext4",
    "f2fs",
    "jfs",
    "overlay",
    "ramfs",
    "tmpfs",
    "xfs",
    "zfs",
)
MOST_DIRECTORIES = 4_000  # a person may watch some thousands in all, other programs included
PAUSE = 60.0  # seconds until a folder that could not be watched is tried again
BLOCK = 65_536


class Untold(Exception):
    """A folder of which cannot be told whether it was touched."""


class Tripwires:
    """Those of a process, whose threads share them."""

    def __init__(self) -> None:
        self._wires: dict[Path, Tripwire] = {}
        self._lock = threading.Lock()

    def mark(self, root: Path) -> int | None:
        """A number that is another one when the folder may have been touched; None where nobody can tell."""
        if sys.platform != "linux":
            return None
        with self._lock:
            return self._wires.setdefault(root, Tripwire(root)).mark()

    def close(self) -> None:
        """Watch nothing any more."""
        with self._lock:
            for wire in self._wires.values():
                wire.close()
            self._wires.clear()


class Tripwire:
    """Watches the directories of one folder."""

    def __init__(self, root: Path) -> None:
        self._root = os.fspath(root)
        self._queue: int | None = None
        self._identity: tuple[int, int] | None = None
        self._mark = 0
        self._not_before = 0.0

    def mark(self) -> int | None:
        """See `Tripwires.mark`. To be called before the look whose outcome it stands for."""
        if self._queue is None and time.monotonic() < self._not_before:
            return None
        try:
            if self._queue is None or self._identity != file_identity(Path(self._root)):
                self._begin()
            elif self._was_touched():
                self._mark += 1
        except (OSError, Untold):
            self.close()
            self._not_before = time.monotonic() + PAUSE
            return None
        return self._mark

    def close(self) -> None:
        """Watch nothing any more."""
        if self._queue is not None:
            os.close(self._queue)
        self._queue = None

    def _begin(self) -> None:
        self.close()
        if _kind_of_disk(self._root) not in OWN_DISKS:
            raise Untold(self._root)
        self._queue = _checked(_libc().inotify_init1(os.O_CLOEXEC | os.O_NONBLOCK))
        self._identity = file_identity(Path(self._root))
        self._mark += 1
        self._watch_all(self._queue)

    def _watch_all(self, queue: int) -> None:
        """Watch each directory, then see what is in it: what is made later makes itself known."""
        libc = _libc()
        device = os.stat(self._root).st_dev
        pending = [self._root]
        count = 0
        while pending:
            directory = pending.pop()
            count += 1
            if count > MOST_DIRECTORIES:
                raise Untold(self._root)
            try:
                flags = TOUCHES | ONLY_DIRECTORIES | (NO_LINKS if directory != self._root else 0)
                _checked(libc.inotify_add_watch(queue, os.fsencode(directory), flags))
                if os.stat(directory).st_dev != device:
                    raise Untold(directory)  # another disk, of whatever kind
                with os.scandir(directory) as entries:
                    pending += [
                        entry.path
                        for entry in entries
                        if entry.name not in IGNORED and entry.is_dir(follow_symlinks=False)
                    ]
            except (FileNotFoundError, NotADirectoryError, PermissionError):
                # It went meanwhile, or nobody can look into it; the one above makes known when that changes.
                if directory == self._root:
                    raise

    def _was_touched(self) -> bool:
        """Take what is in the queue; new directories are watched from now on."""
        if self._queue is None:
            return True
        touched = moved = False
        for happened, name in _events(self._queue):
            if happened & (OVERFLOW | UNMOUNT):
                self._begin()
                return True
            if happened & IS_DIRECTORY and name not in IGNORED:
                touched = moved = True
            elif not happened & ENDED and (not name or _matters(name)):
                touched = True
        if moved:
            self._watch_all(self._queue)
        return touched


def _matters(name: str) -> bool:
    """Whether a file of that name may be a page, raw data, or say what is left out."""
    return (is_page(name) or name.endswith(".json") or name == IGNORE_FILE) and not name.startswith(SCRATCH)


def _events(queue: int) -> Iterator[tuple[int, str]]:
    """What happened, and to which name in a directory; nothing for the directory itself."""
    while True:
        try:
            block = os.read(queue, BLOCK)
        except BlockingIOError:
            return
        place = 0
        while place < len(block):
            _, happened, _, length = HEAD.unpack_from(block, place)
            place += HEAD.size
            yield happened, os.fsdecode(block[place : place + length].rstrip(b"\0"))
            place += length


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _checked(answer: int) -> int:
    """What the system answers, unless that is an error."""
    if answer < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return answer


def _kind_of_disk(path: str) -> str:
    """The kind of file system on which a directory is; nothing where that is not known."""
    real = os.path.realpath(path)
    kind, longest = "", -1
    with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as mounts:
        for line in mounts:
            before, _, after = line.partition(" - ")
            place = ESCAPED.sub(lambda octal: chr(int(octal[1], 8)), before.split()[4]).rstrip("/")
            if len(place) >= longest and (real + "/").startswith(place + "/"):
                kind, longest = after.split()[0], len(place)
    return kind
