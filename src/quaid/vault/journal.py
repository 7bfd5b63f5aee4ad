"""What files were before a change of several of them, kept until the change is whole.

A process that is killed leaves it behind. Whoever finds it puts every file back that is still as the dead
process left it; a file that somebody has changed since is theirs.

A journal says what is to be written where, so it must not come from anybody else: it is signed with a key
that only the person has, and names files alone that it may have to do with.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from hmac import compare_digest
from pathlib import Path
from typing import Any

from quaid.errors import Corrupt, StorageFailed, Untrusted
from quaid.files import left_behind, read_own, replace_file
from quaid.vault.folder import SCRATCH

Versions = tuple[bytes | None, bytes | None]  # what a file was, and what it becomes


class Journal:
    """One file, which is there only while others change."""

    def __init__(self, path: Path, signed: Callable[[bytes], str], admits: Callable[[Path], bool]) -> None:
        """`signed` is what the person alone can say of its text; `admits` says which files it may name."""
        self._path = path
        self._signed = signed
        self._admits = admits

    def exists(self) -> bool:
        """Whether a change was not finished."""
        return os.path.lexists(self._path)

    def write(self, identity: str, changes: Mapping[Path, Versions]) -> None:
        """Write down what files are, before they become what is given here."""
        self.sweep()
        listed = [
            (_text_of_bytes(os.fsencode(path)), _text_of_bytes(before), digest(data))
            for path, (before, data) in changes.items()
        ]
        description = json.dumps({"transaction": identity, "changes": listed})
        sealed = {"description": description, "signature": self._signed(description.encode())}
        replace_file(self._path, json.dumps(sealed).encode(), f"{self._path.name}-")

    def undo(self, committed: str = "", among: Callable[[Path], bool] = lambda path: True) -> list[Path]:
        """Bring the files back to what they were, unless that change was committed; which of them were.

        `among` says of a file whether it may be touched.
        """
        restored: list[Path] = []
        changes = self._changes(committed)
        for directory in {path.parent for path, _, _ in changes}:
            for place in left_behind(directory, SCRATCH):
                place.unlink(missing_ok=True)
        # New files go first: on a full disk that makes the room which the others need.
        for path, before, after in sorted(changes, key=lambda each: each[1] is not None):
            with suppress(StorageFailed):
                found = current(path)
                if found == before or digest(found) != after or not among(path):
                    continue
                if before is None:
                    path.unlink(missing_ok=True)
                else:
                    replace_file(path, before)
                restored.append(path)
        self.remove()
        return restored

    def paths(self) -> list[Path]:
        """The files that it is about."""
        return [path for path, _, _ in self._changes("")]

    def remove(self) -> None:
        """The change is whole, or undone."""
        self._path.unlink(missing_ok=True)

    def sweep(self) -> None:
        """Remove what a process left that died before it had a journal."""
        for place in left_behind(self._path.parent, f"{self._path.name}-"):
            place.unlink(missing_ok=True)

    def _changes(self, committed: str) -> list[tuple[Path, bytes | None, str | None]]:
        try:
            sealed: dict[str, Any] = json.loads(read_own(self._path))
            description = str(sealed.get("description", ""))
            self._demand_own(description, str(sealed.get("signature", "")))
            journal: dict[str, Any] = json.loads(description)
            if journal["transaction"] == committed:
                return []
            return [
                (self._confined(Path(os.fsdecode(base64.b64decode(path)))), _bytes_of_text(before), after)
                for path, before, after in reversed(journal["changes"])
            ]
        except FileNotFoundError:
            return []
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise Corrupt(
                f"{self._path} cannot be read: {error}",
                hint="It says what files were before an unfinished write. Move it away to go on.",
            ) from None

    def _demand_own(self, description: str, signature: str) -> None:
        """Refuse a journal that this person did not write here: it could have anything written anywhere."""
        if not compare_digest(self._signed(description.encode()), signature):
            raise Untrusted(
                f"{self._path} was not written by you at this place, and nothing was done with it",
                hint="It came from elsewhere, from before a move, or from an older Quaid, whose unfinished "
                "write it would undo. Move it away to go on.",
            )

    def _confined(self, path: Path) -> Path:
        """A file of a journal; refused unless it is one that it may have to do with."""
        if not self._admits(path):
            raise Untrusted(
                f"{self._path} names {path}, with which it has nothing to do; nothing was done with it",
                hint="Move the journal away to go on.",
            )
        return path


def current(path: Path) -> bytes | None:
    """What a file holds; None if it is not there. A link in its place is not followed."""
    try:
        return read_own(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StorageFailed(
            f"{path} cannot be read: {error.strerror}",
            hint="Look what is at that place; nothing was changed.",
        ) from None


def digest(data: bytes | None) -> str | None:
    """What tells the bytes of a file from others."""
    return None if data is None else hashlib.sha256(data).hexdigest()


def _text_of_bytes(data: bytes | None) -> str | None:
    return None if data is None else base64.b64encode(data).decode()


def _bytes_of_text(text: str | None) -> bytes | None:
    return None if text is None else base64.b64decode(text)
