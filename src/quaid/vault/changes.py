"""Changes of files that belong to a transaction of the memory: all are made, and committed, or none.

Before the first file changes, a journal beside memory.db says what each was. It goes after the commit.
Whoever finds it next, with the write lock in hand, knows from the memory whether there was a commit; if not,
the files become what they were, unless somebody has changed them since.

A journal says what is to be written where, so it must not come from anybody else: it is signed with a key
that only the person has, and names files of the memory's own folders alone.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import secrets
import threading
from collections.abc import Callable
from contextlib import suppress
from hmac import compare_digest
from pathlib import Path
from typing import Any

import apsw

from quaid.errors import Conflict, Corrupt, ReadOnly, StorageFailed, Untrusted
from quaid.files import (
    left_behind,
    make_private_directory,
    read_own,
    replace_file,
    sync_directory,
    write_beside,
)
from quaid.model.record import record
from quaid.store import file_state
from quaid.trust import Territory
from quaid.vault.exchange import take_place
from quaid.vault.folder import SCRATCH, is_page, is_sidecar
from quaid.vault.permissions import demand_writable

Applied = Callable[[os.stat_result], None]


@record
class Change:
    """What a file is to become (nothing: it goes), and what it must be until then."""

    data: bytes | None
    before: bytes | None
    applied: Applied | None = None


class FileChanges:
    """The file changes of each thread's transaction."""

    def __init__(self, database: Path, territory: Territory) -> None:
        self._journal = database.with_name(database.name + ".files")
        self._territory = territory
        self._local = threading.local()

    @property
    def _changes(self) -> dict[Path, Change]:
        changes: dict[Path, Change] | None = getattr(self._local, "changes", None)
        if changes is None:
            changes = self._local.changes = {}
        return changes

    @property
    def _checked(self) -> dict[Path, bytes | None]:
        checked: dict[Path, bytes | None] | None = getattr(self._local, "checked", None)
        if checked is None:
            checked = self._local.checked = {}
        return checked

    def read(self, path: Path) -> bytes | None:
        """A file as this transaction leaves it; None if it is not there."""
        if path in self._changes:
            return self._changes[path].data
        return current(path)

    def check(self, path: Path, digest: str | None) -> None:
        """Refuse to go on if somebody has changed a file: it must have this hash, or not be there."""
        if path in self._changes:
            return
        found = current(path)
        self._checked[path] = found
        if _digest(found) != digest:
            raise Conflict(
                f"{path} was changed meanwhile", hint="Read the page again, and repeat your change."
            )

    def is_changing(self, path: Path) -> bool:
        """Whether this transaction has another idea of a file than the disk."""
        return path in self._changes

    def write(self, path: Path, data: bytes, applied: Applied | None = None) -> None:
        """Give a file other bytes at the end of the transaction; `applied` learns its state."""
        self._changes[path] = Change(data, self._before(path), applied)

    def remove(self, path: Path) -> None:
        """Let a file go at the end of the transaction."""
        self._changes[path] = Change(None, self._before(path))

    def begin(self, connection: apsw.Connection) -> None:
        """Finish what a process left behind that died."""
        self._changes.clear()
        self._checked.clear()
        if os.path.lexists(self._journal):
            self._recover(file_state.last_transaction(connection))

    def prepare(self, connection: apsw.Connection) -> None:
        """Change the files, after the journal says what they were."""
        changes = {path: each for path, each in self._changes.items() if each.data != each.before}
        for path, each in self._changes.items():
            if path not in changes and each.applied and each.data is not None:
                each.applied(path.stat())
        if not changes:
            return
        for path in changes:
            demand_writable(path)
        try:
            self._apply(connection, changes)
        except PermissionError as error:
            raise ReadOnly(
                f"{error.filename or 'a file'} cannot be written",
                hint="Check its permissions and those of its folder.",
            ) from error
        except OSError as error:
            raise StorageFailed(
                f"{error.filename or 'a file'} cannot be written: {error.strerror}",
                hint="Free some space or check the disk, then try again; nothing was changed.",
            ) from error

    def undo(self) -> None:
        """Bring the files back to what they were."""
        self._changes.clear()
        self._checked.clear()
        if getattr(self._local, "identity", None):
            self._local.identity = None
            self._recover("")

    def finish(self) -> None:
        """The files and the memory agree."""
        self._changes.clear()
        self._checked.clear()
        if getattr(self._local, "identity", None):
            self._local.identity = None
            self._journal.unlink(missing_ok=True)

    def _before(self, path: Path) -> bytes | None:
        if path in self._changes:
            return self._changes[path].before
        return self._checked[path] if path in self._checked else current(path)

    def _apply(self, connection: apsw.Connection, changes: dict[Path, Change]) -> None:
        identity = secrets.token_hex(16)
        for place in left_behind(self._journal.parent, f"{self._journal.name}-"):
            place.unlink(missing_ok=True)  # of a process that died before it had a journal
        replace_file(self._journal, self._sealed(_described(identity, changes)), f"{self._journal.name}-")
        self._local.identity = identity
        file_state.note_transaction(connection, identity)
        ready: dict[Path, Path] = {}
        try:
            for path, change in changes.items():
                if change.data is not None:
                    make_private_directory(path.parent)
                    ready[path] = write_beside(path, change.data, SCRATCH)
                    if change.applied:
                        change.applied(ready[path].stat())
            for path, change in changes.items():
                if change.data is None:
                    taken = current(path) == change.before
                    if taken:
                        path.unlink(missing_ok=True)
                else:
                    taken = take_place(ready[path], path, change.before)
                if not taken:
                    raise Conflict(
                        f"{path} was changed meanwhile", hint="Read the page again, and repeat your change."
                    )
                ready.pop(path, None)
            for directory in {path.parent for path in changes}:
                sync_directory(directory)
        finally:
            for place in ready.values():
                place.unlink(missing_ok=True)

    def _recover(self, committed: str) -> None:
        """Undo what the journal describes, unless that was committed."""
        changes = self._described_changes(committed)
        for directory in {path.parent for path, _, _ in changes}:
            for place in left_behind(directory, SCRATCH):
                place.unlink(missing_ok=True)
        for path, before, after in changes:
            with suppress(StorageFailed):
                found = current(path)
                if found == before or _digest(found) != after:
                    continue
                if before is None:
                    path.unlink(missing_ok=True)
                else:
                    replace_file(path, before)
        self._journal.unlink(missing_ok=True)

    def _sealed(self, description: str) -> bytes:
        """A journal with what only this person can say about it."""
        signature = self._territory.signed(description.encode())
        return json.dumps({"description": description, "signature": signature}).encode()

    def _described_changes(self, committed: str) -> list[tuple[Path, bytes | None, str | None]]:
        try:
            sealed: dict[str, Any] = json.loads(read_own(self._journal))
            description = str(sealed.get("description", ""))
            self._demand_own(description, str(sealed.get("signature", "")))
            journal: dict[str, Any] = json.loads(description)
            if journal["transaction"] == committed:
                return []
            return [
                (self._confined(Path(os.fsdecode(base64.b64decode(path)))), _decoded(before), after)
                for path, before, after in reversed(journal["changes"])
            ]
        except FileNotFoundError:
            return []
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise Corrupt(
                f"{self._journal} cannot be read: {error}",
                hint="It says what files were before an unfinished write. Move it away to go on.",
            ) from None

    def _demand_own(self, description: str, signature: str) -> None:
        """Refuse a journal that this person did not write here: it could have anything written anywhere."""
        if not compare_digest(self._territory.signed(description.encode()), signature):
            raise Untrusted(
                f"{self._journal} was not written by you for this memory, and nothing was done with it",
                hint="It came from elsewhere, from before a move, or from an older Quaid, whose unfinished "
                "write it would undo. Move it away to go on.",
            )

    def _confined(self, path: Path) -> Path:
        """A file of a journal; refused unless it is one that a collection of this memory could have."""
        inside = self._territory.admits(path) and self._territory.admits(path.parent)
        if not inside or not (is_page(path.name) or is_sidecar(f"{path.parent.name}/{path.name}")):
            raise Untrusted(
                f"{self._journal} names {path}, which is no file of this memory; nothing was done with it",
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


def _described(identity: str, changes: dict[Path, Change]) -> str:
    listed = [
        (_encoded(os.fsencode(path)), _encoded(each.before), _digest(each.data))
        for path, each in changes.items()
    ]
    return json.dumps({"transaction": identity, "changes": listed})


def _digest(data: bytes | None) -> str | None:
    return None if data is None else hashlib.sha256(data).hexdigest()


def _encoded(data: bytes | None) -> str | None:
    return None if data is None else base64.b64encode(data).decode()


def _decoded(text: str | None) -> bytes | None:
    return None if text is None else base64.b64decode(text)
