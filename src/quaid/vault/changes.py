"""Changes of files that belong to a transaction of the memory: all are made, and committed, or none.

Before the first file changes, a journal beside memory.db says what each was. It goes after the commit.
Whoever finds it next, with the write lock in hand, knows from the memory whether there was a commit; if not,
the files become what they were, unless somebody has changed them since.

A folder may have a protocol of its own (see kb/gate.py). It completes a change before a file is touched,
seals it with a commit of its own kind, and has a journal where all who write to that folder find it.

A journal names files of the memory's own folders alone, and is signed: see vault/journal.py.
"""

from __future__ import annotations

import os
import secrets
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import apsw

from quaid.errors import Conflict, ReadOnly, StorageFailed
from quaid.files import make_private_directory, sync_directory, write_beside
from quaid.model.record import record
from quaid.store import file_state
from quaid.trust import Territory
from quaid.vault.exchange import demand_writable, take_place
from quaid.vault.folder import SCRATCH, is_page, is_sidecar, stored
from quaid.vault.journal import Journal, Versions, current, digest

Applied = Callable[[os.stat_result], None]


@record
class Change:
    """What a file is to become (nothing: it goes), and what it must be until then."""

    data: bytes | None
    before: bytes | None
    applied: Applied | None = None


class FolderProtocol(Protocol):
    """What a folder demands of whoever changes its files."""

    root: Path
    journal: Journal
    sealed: bool  # there is a commit, which stays whatever becomes of the memory's

    def complete(self, connection: apsw.Connection, changes: FileChanges) -> None:
        """Add what belongs to the change, and refuse what must not be; no file has been touched yet."""

    def seal(self, connection: apsw.Connection) -> None:
        """The files are changed: commit them. The memory's own commit follows."""


class _Transaction(threading.local):
    """What one thread's transaction does to files."""

    def __init__(self) -> None:
        self.protocols: list[FolderProtocol] = []
        self.changes: dict[Path, Change] = {}
        self.checked: dict[Path, bytes | None] = {}
        self.settled: set[Path] = set()
        self.is_writing = False
        self.journals: list[tuple[Journal, FolderProtocol | None]] = []
        self.notices: list[tuple[Callable[[str], bool], dict[Path, Versions]]] = []

    def clear(self, *, is_writing: bool) -> list[tuple[Journal, FolderProtocol | None]]:
        """Begin, or end; the answer is the journals that were written, which are given up."""
        self.changes.clear()
        self.checked.clear()
        self.settled.clear()
        self.is_writing = is_writing
        journals, self.journals = self.journals, []
        return journals


class FileChanges:
    """The file changes of each thread's transaction."""

    def __init__(self, database: Path, territory: Territory) -> None:
        place = database.with_name(database.name + ".files")
        self._journal = Journal(place, territory.signature, self._may_have)
        self._territory = territory
        self._own = _Transaction()

    @contextmanager
    def under(self, protocol: FolderProtocol) -> Iterator[None]:
        """Let this thread's transactions obey a folder's protocol, as long as the block runs."""
        self._own.protocols.append(protocol)
        try:
            yield
        finally:
            self._own.protocols.remove(protocol)

    def obeys(self, root: Path) -> bool:
        """Whether this thread has come through the protocol of a folder."""
        return any(protocol.root == root for protocol in self._own.protocols)

    def pending(self, root: Path) -> dict[str, bytes | None]:
        """What the files of a folder are to become, by their paths in it, where that is something else."""
        found = {path: each for path, each in self._own.changes.items() if each.data != each.before}
        return {
            stored(path.relative_to(root).as_posix()): each.data
            for path, each in found.items()
            if path.is_relative_to(root)
        }

    @contextmanager
    def noticing(self, named: Callable[[str], bool]) -> Iterator[Mapping[Path, Versions]]:
        """What files of some names were, and have become, through this thread's commits in the block."""
        notice: tuple[Callable[[str], bool], dict[Path, Versions]] = (named, {})
        self._own.notices.append(notice)
        try:
            yield notice[1]
        finally:
            self._own.notices.pop()

    def read(self, path: Path) -> bytes | None:
        """A file as this transaction leaves it; None if it is not there."""
        if path in self._own.changes:
            return self._own.changes[path].data
        return self._present(path)

    def _present(self, path: Path) -> bytes | None:
        """A file as it is, read once in a transaction: the last look before it changes would see another."""
        if not self._own.is_writing:
            return current(path)
        if path not in self._own.checked:
            self._own.checked[path] = current(path)
        return self._own.checked[path]

    def check(self, path: Path, expected: str | None) -> None:
        """Refuse to go on if somebody has changed a file: it must have this hash, or not be there."""
        if path in self._own.changes:
            return
        if digest(self._present(path)) != expected:
            raise Conflict(
                f"{path} was changed meanwhile", hint="Read the page again, and repeat your change."
            )

    def is_settled(self, path: Path) -> bool:
        """Whether this transaction knows what a file holds, or has another idea of it than the disk."""
        return path in self._own.changes or path in self._own.settled

    def settle(self, path: Path) -> None:
        """Note that the rows say what a file holds, if this transaction has read it."""
        if path in self._own.checked:
            self._own.settled.add(path)

    def write(self, path: Path, data: bytes | None, applied: Applied | None = None) -> None:
        """Give a file other bytes at the end of the transaction, or let it go; `applied` learns its state."""
        known = self._own.changes.get(path)
        self._own.changes[path] = Change(data, known.before if known else self._present(path), applied)

    def begin(self, connection: apsw.Connection) -> None:
        """Finish what a process left behind that died."""
        self._own.clear(is_writing=True)
        if self._journal.exists():
            self._journal.undo(file_state.last_transaction(connection))

    def prepare(self, connection: apsw.Connection) -> None:
        """Change the files, after the journal says what they were."""
        for protocol in self._own.protocols:
            protocol.complete(connection, self)
        self._change(connection)
        for protocol in self._own.protocols:
            protocol.seal(connection)

    def _change(self, connection: apsw.Connection) -> None:
        changes = {path: each for path, each in self._own.changes.items() if each.data != each.before}
        for path, each in self._own.changes.items():
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
        """Bring the files back to what they were, but for those that are committed."""
        for journal, protocol in self._own.clear(is_writing=False):
            if protocol and protocol.sealed:
                journal.remove()
            else:
                journal.undo()

    def finish(self) -> None:
        """The files and the memory agree."""
        for named, versions in self._own.notices:
            for path in filter(lambda each: named(each.name), self._own.changes):
                change = self._own.changes[path]
                versions[path] = (versions.get(path, (change.before,))[0], change.data)
        for journal, _ in self._own.clear(is_writing=False):
            journal.remove()

    def _may_have(self, path: Path) -> bool:
        """Whether a file is one that a collection of this memory could have."""
        inside = self._territory.admits(path) and self._territory.admits(path.parent)
        return inside and (is_page(path.name) or is_sidecar(f"{path.parent.name}/{path.name}"))

    def _apply(self, connection: apsw.Connection, changes: dict[Path, Change]) -> None:
        identity = secrets.token_hex(16)
        for protocol, part in self._parts(changes):
            journal = protocol.journal if protocol else self._journal
            journal.write(identity, {path: (each.before, each.data) for path, each in part.items()})
            self._own.journals.append((journal, protocol))
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

    def _parts(
        self, changes: Mapping[Path, Change]
    ) -> Iterator[tuple[FolderProtocol | None, dict[Path, Change]]]:
        """The changes of each folder that has a protocol, and then those of all others."""
        left = dict(changes)
        for protocol in self._own.protocols:
            part = {path: each for path, each in left.items() if path.is_relative_to(protocol.root)}
            if part:
                yield protocol, part
            left = {path: each for path, each in left.items() if path not in part}
        if left:
            yield None, left
