"""Taking a file's place without losing what somebody else put there in the last moment.

Between a look at a file and a rename over it, another program may save it. Where the system can exchange two
files in one step, the new file changes places with the old one, and the old one is looked at afterwards.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

_HERE = {"linux": -100, "darwin": -2}  # AT_FDCWD
_SWAP = 2  # RENAME_EXCHANGE, RENAME_SWAP
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
