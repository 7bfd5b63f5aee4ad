"""What can go wrong with a knowledge base besides the errors of every command."""

from __future__ import annotations

import errno
from pathlib import Path

from quaid.errors import FINDINGS_STATUS, QuaidError, ReadOnly, StorageFailed

_FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)
_OF_THE_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE)


class GitFailed(QuaidError):
    """git, or a hook of the person's, did not do what was asked."""

    code = "git"
    exit_status = 13
    meaning = "git, or one of its hooks, refused; what was to be written was not."


class LintFailed(QuaidError):
    """The change would break a rule; nothing of it stays."""

    code = "lint"
    exit_status = FINDINGS_STATUS
    meaning = "The knowledge base would be invalid; `findings` say where, and nothing was written."


def told(error: OSError, root: Path) -> QuaidError | None:
    """What the system refused, as an error of ours; None for what it does not refuse by itself."""
    if error.errno in _FORBIDDEN:
        hint = "Look at the permissions of the directory, and whether the disk is read-only."
        return ReadOnly(f"{root} may not be written: {error.strerror}", hint=hint)
    if error.errno in _OF_THE_DISK:
        hint = "What is half-written will be undone by the next command that can write."
        return StorageFailed(f"{root} cannot be written: {error.strerror}", hint=hint)
    return None
