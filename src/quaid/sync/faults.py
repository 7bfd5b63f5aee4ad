"""What can go wrong with a knowledge base besides the errors of every command."""

from __future__ import annotations

import errno
from pathlib import Path

from quaid.errors import QuaidError, ReadOnly, StorageFailed

_FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)
_OF_THE_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE)


def told(error: OSError, root: Path) -> QuaidError | None:
    """What the system refused, as an error of ours; None for what it does not refuse by itself."""
    if error.errno in _FORBIDDEN:
        hint = "Look at the permissions of the directory, and whether the disk is read-only."
        return ReadOnly(f"{root} may not be written: {error.strerror}", hint=hint)
    if error.errno in _OF_THE_DISK:
        hint = "What is half-written will be undone by the next command that can write."
        return StorageFailed(f"{root} cannot be written: {error.strerror}", hint=hint)
    return None
