"""SQLite's failures in the words of the error tree."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from quaid.errors import Busy, Corrupt, QuaidError, ReadOnly, StorageFailed

RESCUE = "`quaid rescue DIR` saves all that can be read into DIR, and says what is lost."
VALIDATE = f"`quaid validate --all` says what is wrong, with --repair it makes anew what is derived; {RESCUE}"

_KINDS: tuple[tuple[tuple[type[apsw.Error], ...], type[QuaidError], str, str], ...] = (
    (
        (apsw.BusyError, apsw.LockedError),
        Busy,
        "{path} is in use by another process",
        "Try again; nothing was changed.",
    ),
    (
        (apsw.CorruptError, apsw.NotADBError),
        Corrupt,
        "{path} is damaged or is not a Quaid memory",
        VALIDATE,
    ),
    (
        (apsw.SQLError, apsw.ConstraintError, apsw.MismatchError),
        Corrupt,
        "the tables of {path} are not as they should be",
        VALIDATE,
    ),
    (
        (apsw.ReadOnlyError, apsw.PermissionsError, apsw.AuthError),
        ReadOnly,
        "{path} cannot be written",
        "Check the permissions of the file and of its directory.",
    ),
    (
        (apsw.FullError,),
        StorageFailed,
        "the disk of {path} is full",
        "Free some space and try again; nothing was changed.",
    ),
    (
        (apsw.CantOpenError, apsw.IOError),
        StorageFailed,
        "{path} cannot be read or written",
        "Check the permissions and free space of its directory.",
    ),
)

# What SQLite raises when the memory cannot be written to, whatever is to be written.
NOT_WRITTEN = (apsw.BusyError, apsw.LockedError, apsw.ReadOnlyError, apsw.FullError, apsw.IOError)


@contextmanager
def translation(path: Path) -> Iterator[None]:
    """Raise what SQLite or the file system reports as one of our errors."""
    try:
        yield
    except apsw.Error as error:
        raise _translation(error, path) from error
    except UnicodeDecodeError as error:
        raise Corrupt(
            f"{path} holds text that is no text any more",
            hint=VALIDATE,
            reason=str(error),
        ) from error
    except PermissionError as error:
        raise ReadOnly(f"{path} cannot be written", hint="Check its permissions.") from error
    except OSError as error:
        raise StorageFailed(
            f"{path}: {error.strerror or error}", hint="Check the path and the disk."
        ) from error


def _translation(error: apsw.Error, path: Path) -> Exception:
    for classes, ours, message, hint in _KINDS:
        if isinstance(error, classes):
            return ours(message.format(path=path), hint=hint, reason=str(error))
    return error
