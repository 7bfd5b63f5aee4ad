"""Taking a file's place without losing what somebody else put there in the last moment.

Between a look at a file and a rename over it, another program may save it. Where the system can exchange two
files in one step, the new file changes places with the old one, and the old one is looked at afterwards.

For a new file that takes the old one's place, the system asks the folder alone. So the file itself is asked
here whether its owner lets it have other bytes, also for root, whom no permission stops.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from quaid.errors import ReadOnly

_HERE = {"linux": -100, "darwin": -2}  # AT_FDCWD
_SWAP = 2  # RENAME_EXCHANGE, RENAME_SWAP
_WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
_UNABLE = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP)


def take_place(new: Path, path: Path, before: bytes | None) -> bool:
    """Put a file in the place of one that must hold these bytes, or not be there; whether it did.

    If not, what somebody else put there is there.
    """
    if before is None:
        return _take_free_place(new, path)
    data = new.read_bytes()
    try:
        if path.read_bytes() != before:
            return False
        if not exchange(new, path):
            new.replace(path)
            return True
    except FileNotFoundError:
        return False
    if new.read_bytes() == before:
        new.unlink()
        return True
    exchange(new, path)
    if new.read_bytes() != data:  # saved once more meanwhile: the latest stays
        exchange(new, path)
    return False


def _take_free_place(new: Path, path: Path) -> bool:
    """Put a file where there is none."""
    try:
        os.link(new, path)  # which refuses to take the place of anything
    except FileExistsError:
        return False
    except OSError:  # a file system without links
        if path.exists():
            return False
        new.replace(path)
        return True
    new.unlink()
    return True


def exchange(one: Path, other: Path) -> bool:
    """Let two files change places in one step; False where the system cannot."""
    rename = _renamer()
    if rename is None:
        return False
    here = _HERE[sys.platform]
    code = rename(here, os.fsencode(one), here, os.fsencode(other), _SWAP)
    if code in _UNABLE:
        return False
    if code:
        raise OSError(code, os.strerror(code), str(other))
    return True


@lru_cache(maxsize=1)
def _renamer() -> Callable[[int, bytes, int, bytes, int], int] | None:
    """The system's function; it answers 0, or the number of an error."""
    name = {"linux": "renameat2", "darwin": "renameatx_np"}.get(sys.platform)
    if name is None:
        return None
    import ctypes  # only writing to a file needs it

    found = getattr(ctypes.CDLL(None, use_errno=True), name, None)
    if found is None:
        return None

    def rename(from_: int, one: bytes, to: int, other: bytes, flags: int) -> int:
        return ctypes.get_errno() if found(from_, one, to, other, flags) else 0

    return rename


def demand_writable(path: Path) -> None:
    """Refuse a file that is protected or has several names, and one in a folder that is protected."""
    try:
        facts = os.lstat(path)
    except FileNotFoundError:
        facts = None
    if facts and not _allows(path, facts):
        raise ReadOnly(
            f"{path} is write-protected", hint="`chmod u+w` on it allows the change; nothing was changed."
        )
    if facts and facts.st_nlink > 1:
        raise ReadOnly(
            f"{path} has {facts.st_nlink} names (hard links), and a write would part them",
            hint="Give it a file of its own first: copy it, and move the copy into its place.",
        )
    folder = next(parent for parent in path.parents if parent.exists())
    if not _allows(folder, folder.stat()):
        raise ReadOnly(
            f"the folder {folder} is write-protected",
            hint="`chmod u+w` on it allows the change; nothing was changed.",
        )


def _allows(path: Path, facts: os.stat_result) -> bool:
    return bool(facts.st_mode & _WRITABLE) and os.access(path, os.W_OK)
