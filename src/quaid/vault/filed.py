"""A collection whose pages are files: they are the truth, and the memory is derived from them.

A write changes the file and the rows together: see vault/changes.py.
"""

from __future__ import annotations

import os
import posixpath
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Protocol

import apsw

from quaid.errors import Conflict, Internal, InvalidInput, StorageFailed
from quaid.formats.encoding import decode
from quaid.formats.slugs import slugify
from quaid.model.actor import EDIT, acting
from quaid.model.page import Page, PageInfo
from quaid.store import file_state, pages
from quaid.store.collections import CollectionRow
from quaid.store.connection import GateNeeded, Store
from quaid.store.history import Keeping
from quaid.vault import folder
from quaid.vault.changes import FileChanges
from quaid.vault.collection import Collection
from quaid.vault.folder import Seen
from quaid.vault.mirror import Mirror
from quaid.vault.readings import Reading
from quaid.vault.sidecars import with_source, without_source


class Gatekeeper(Protocol):
    """What stands before a folder that has a write protocol of its own."""

    suffix: str  # of a new page's file

    def passage(self) -> AbstractContextManager[object]:
        """Pass the gate: transactions in the block obey the protocol."""

    def amended(self, text: str) -> str:
        """A page's new text, with what belongs to every change."""


class FileCollection(Collection):
    """Pages that live in a folder."""

    _has_files = True

    def __init__(
        self,
        store: Store,
        row: CollectionRow,
        root: Path,
        changes: FileChanges,
        now: Callable[[], str],
        keeping: Callable[[], Keeping] | None = None,
        other: Callable[[str], Collection] | None = None,
        gatekeeper: Gatekeeper | None = None,
    ) -> None:
        super().__init__(store, row, now, keeping, other)
        self.root = root
        self.changes = changes
        self._gatekeeper = gatekeeper
        self.mirror = Mirror(row, root, now, keeping)

    def _writing(self) -> AbstractContextManager[apsw.Connection]:
        if self.is_read_only or self._gatekeeper is None or self.changes.obeys(self.root):
            return super()._writing()
        self._refuse_transaction()
        return self._transaction_behind_gate(self._gatekeeper)

    @contextmanager
    def _transaction_behind_gate(self, gatekeeper: Gatekeeper) -> Iterator[apsw.Connection]:
        with gatekeeper.passage(), super()._writing() as connection:
            yield connection

    def _refuse_transaction(self) -> None:
        """The locks of a gate are taken before that of the memory."""
        if self._store.connection.in_transaction:
            raise GateNeeded(self.name)

    def rewrite(self, connection: apsw.Connection, page: Page, text: str) -> None:
        """Give a page whose links have changed its new text; the page that moved may be elsewhere."""
        if self._gatekeeper and not self.changes.obeys(self.root):
            self._refuse_transaction()
        super().rewrite(connection, page, text)

    def amended(self, text: str) -> str:
        return self._gatekeeper.amended(text) if self._gatekeeper else text

    def _refresh(self, connection: apsw.Connection, page: PageInfo) -> bool:
        """See what was done to a page's file since it was read, also in this transaction's own files."""
        return page.path is not None and self.look(connection, page.path)

    def look(self, connection: apsw.Connection, path: str) -> bool:
        """Bring the rows into step with a file, unless this transaction has done so, or changes it.

        The answer is whether they have changed.
        """
        place = self._place(path)
        if self.changes.is_settled(place):
            return False
        seen, at = folder.look_at(place, path), time.time_ns()
        data = self.changes.read(place) if seen else None
        reading = Reading(seen, at, data) if seen and data is not None else None
        if reading is None:
            self._demand_root()
        with acting(EDIT):
            outcome = self.mirror.look(connection, path, transient=True, reading=reading)
        if outcome.effect == "nothing":
            self.changes.settle(place)
        return outcome.effect != "nothing"

    def _demand_root(self) -> None:
        """Where the folder is gone, or all that was in it, no page is taken for removed, and none is made."""
        try:
            with os.scandir(self.root) as listed:
                is_there = any(entry.name not in folder.IGNORED for entry in listed)
        except OSError:
            is_there = False
        had = file_state.count(self._store.connection, self.row.id)
        if self.row.state == "halted" or (not is_there and (had or not self.root.is_dir())):
            raise StorageFailed(
                f"the folder {self.root} of {self.name!r} is not there, or has no pages any more",
                hint="Is it mounted? If the files are meant to be gone: "
                f"quaid collection sync {self.name} --accept-empty.",
            )

    def _path_for(self, connection: apsw.Connection, slug: str, path: str | None) -> str | None:
        self._demand_root()
        chosen = path or self._named(connection, slug, self._suffix)
        if folder.leaves_out(self.root, chosen, folder.left_out_of(self.row)):
            raise InvalidInput(
                f"{chosen} is left out of the collection {self.name!r}",
                hint=f"Choose another slug, or see `quaid collection ignore {self.name}` and .quaidignore.",
            )
        if self.changes.read(self._place(chosen)) is not None:
            raise Conflict(
                f"there is a file {chosen} already, which is not (yet) a page",
                hint="`quaid collection sync` makes it a page, unless it is ignored.",
                current_version=0,
            )
        return chosen

    def _slug_for(self, connection: apsw.Connection, slug: str, path: str | None) -> str:
        return self.mirror.slug_for(connection, _file_path(path), None)

    def _moved_path(self, connection: apsw.Connection, page: PageInfo, slug: str) -> str | None:
        suffix = page.path[page.path.rindex(".") :] if page.path else self._suffix
        path = self._named(connection, slug, suffix)
        # A page that only goes elsewhere keeps the name of its file, by which others know it.
        kept = posixpath.join(posixpath.dirname(path), posixpath.basename(page.path or path))
        return self._path_for(connection, slug, kept if slugify(kept) == slug else path)

    @property
    def _suffix(self) -> str:
        return self._gatekeeper.suffix if self._gatekeeper else ".md"

    def _named(self, connection: apsw.Connection, slug: str, suffix: str) -> str:
        """The path of a slug: in the folder that has its other pages, as that one is written."""
        directory = slug.rpartition("/")[0]
        while directory:
            known = pages.path_under(connection, self.row.id, directory)
            above = "/".join(known.split("/")[: directory.count("/") + 1]) if known else ""
            if above and slugify(above) == directory:
                return above + slug[len(directory) :] + suffix
            directory = directory.rpartition("/")[0]
        return slug + suffix

    def _bytes(self, page: Page) -> bytes:
        """Those of the file, which must be what the page's row was derived from."""
        path = _file_path(page.info.path)
        data = self.changes.read(self._place(path))
        if data is None or decode(data) != (page.text, page.encoding):
            raise Conflict(
                f"{path} was changed meanwhile", hint="Read the page again, and repeat your change."
            )
        return data

    def _keep(self, connection: apsw.Connection, page_id: int, path: str | None, data: bytes) -> None:
        file = _file_path(path)
        self._check(connection, file)
        self._write(connection, page_id, file, data)

    def _keep_raw(self, connection: apsw.Connection, page: PageInfo, source: str, data: Any) -> None:
        path = folder.sidecar_of(_file_path(page.path))
        before = self.changes.read(self._place(path))
        self._write(connection, page.id, path, with_source(before, source, data))

    def _drop_raw(self, connection: apsw.Connection, page: PageInfo, source: str) -> None:
        path = folder.sidecar_of(_file_path(page.path))
        before = self.changes.read(self._place(path))
        self._write(connection, page.id, path, without_source(before, source))

    def _relocate(self, connection: apsw.Connection, page: PageInfo, path: str | None, data: bytes) -> None:
        sidecar = folder.sidecar_of(_file_path(page.path))
        beside = self.changes.read(self._place(sidecar))
        self._discard(connection, page)
        self._keep(connection, page.id, path, data)
        if beside is not None:
            self._write(connection, page.id, folder.sidecar_of(_file_path(path)), beside)

    def _discard(self, connection: apsw.Connection, page: PageInfo) -> None:
        file = _file_path(page.path)
        self._check(connection, file)
        for path in (file, folder.sidecar_of(file)):
            self._write(connection, page.id, path, None)

    def _check(self, connection: apsw.Connection, path: str) -> None:
        """Refuse to write over what was not read."""
        place = self._place(path)
        if not self.changes.is_settled(place):
            state = file_state.one(connection, self.row.id, path)
            self.changes.check(place, state.hash if state else None)

    def _settle(self, connection: apsw.Connection, path: str | None) -> None:
        self.mirror.settle(connection, _file_path(path))

    def _write(self, connection: apsw.Connection, page_id: int, path: str, data: bytes | None) -> None:
        """Write a file of a page at the end of the transaction, and remember its state; None: it goes."""

        def note(facts: os.stat_result) -> None:
            seen = Seen(path, facts.st_size, facts.st_mtime_ns, facts.st_ino)
            self.mirror.note(connection, seen, data or b"", page_id)

        place = self._place(path)
        if data is not None or self.changes.read(place) is not None:
            self.changes.write(place, data, note)
        if data is None:
            file_state.remove(connection, self.row.id, path)

    def _place(self, path: str) -> Path:
        return folder.real(self.root, path)


def _file_path(path: str | None) -> str:
    if path is None:
        raise Internal("a page of a folder has no path", hint="`quaid rebuild` makes its rows anew.")
    return path
