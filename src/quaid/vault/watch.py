"""Watching folders: what changes is read after a moment of quiet, and nothing else.

One process watches a collection. It holds a lease with a heartbeat; when it dies, another takes over.
"""

from __future__ import annotations

import os
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from quaid.errors import QuaidError, StorageFailed
from quaid.files import file_identity
from quaid.store import collections, leases
from quaid.store.collections import CollectionRow
from quaid.store.connection import Store
from quaid.system import host_name
from quaid.vault.folder import IGNORE_FILE, IGNORED, SCRATCH
from quaid.vault.sync import Report, Sync

HEARTBEAT = 5.0  # seconds
LONGEST = 8  # how many times the quiet that is waited for may pass while changes go on


class Watcher:
    """Keeps collections in step with their folders until it is told to stop."""

    def __init__(
        self,
        store: Store,
        watched: Mapping[int, Path],
        syncing: Callable[[CollectionRow], Sync],
        now: Callable[[], str],
        debounce: float,
        tell: Callable[[Report], None],
        warn: Callable[[str], None],
    ) -> None:
        """`watched` are the folders by the ids of their collections."""
        self._store = store
        self._watched = watched
        self._syncing = syncing
        self._now = now
        self._debounce = debounce
        self._tell = tell
        self._warn = warn
        self._session = secrets.token_hex(8)
        self._waiting: set[int] = set()
        self._told: set[int] = set()
        self._troubles: dict[int, str] = {}
        self._beat_at = 0.0
        self._memory = file_identity(store.path)

    def run(self, stop: threading.Event) -> None:
        """Watch what nobody else watches; take over what others leave."""
        try:
            while self._rows() and not stop.is_set():
                mine = self._leased_collections()
                if mine:
                    self._watch(mine, stop)
                else:
                    stop.wait(HEARTBEAT / 2)
        finally:
            with self._store.write() as connection:
                leases.release(connection, self._session)

    def _rows(self) -> dict[int, CollectionRow]:
        """The collections as they are now; others may change or detach them meanwhile."""
        known = collections.of_files(self._store.connection)
        return {row.id: row for row in known if row.id in self._watched}

    def _leased_collections(self) -> dict[int, Path]:
        """The collections that this process may watch, and their folders."""
        if file_identity(self._store.path) != self._memory:
            raise StorageFailed(
                f"{self._store.path} was deleted or replaced", hint="Run `quaid watch` again for the new one."
            )
        mine: dict[int, Path] = {}
        for identity, row in self._rows().items():
            with self._store.write() as connection:
                holder = leases.holder(connection, identity, self._now())
                taken = leases.take(
                    connection, identity, self._session, os.getpid(), host_name(), self._now()
                )
            if taken:
                mine[identity] = self._watched[identity]
                self._waiting.discard(identity)
            elif identity not in self._waiting and holder:
                self._waiting.add(identity)
                self._warn(f"{row.name} is watched by process {holder.pid} on {holder.host}; waiting")
        self._beat_at = time.monotonic() + HEARTBEAT
        return mine

    def _watch(self, mine: Mapping[int, Path], stop: threading.Event) -> None:
        """Watch until a lease is lost, one more can be had, or a folder has gone or come back."""
        from watchfiles import watch  # only for watching

        present = _present(mine.values())
        for identity in mine:
            self._sync(identity, None)
        if not present:
            stop.wait(HEARTBEAT)
            return
        # Without a filter: what is filtered out would put off the end of the wait, and with it the heartbeat.
        changes = watch(
            *present,
            watch_filter=None,
            step=int(self._debounce * 1000) or 1,
            debounce=int(self._debounce * 1000 * LONGEST) or 1,
            rust_timeout=int(HEARTBEAT * 1000),
            yield_on_timeout=True,
            stop_event=stop,
            ignore_permission_denied=True,
        )
        sure = False  # nobody has seen what changed after the first look and before the watch began
        with suppress(FileNotFoundError):  # a folder that went before it could be watched
            for batch in changes:
                for identity, root in mine.items():
                    self._sync(identity, _news(root, batch) if sure else None)
                sure = True
                if _present(mine.values()) != present or not self._is_still(mine):
                    return

    def _is_still(self, mine: Mapping[int, Path]) -> bool:
        """Say from time to time that this process lives; whether it watches what it may watch."""
        return time.monotonic() < self._beat_at or self._leased_collections().keys() == mine.keys()

    def _go_on(self, done: int, total: int) -> None:
        """The first look at a large folder may take longer than a lease lasts."""
        if time.monotonic() >= self._beat_at:
            self._leased_collections()

    def _sync(self, identity: int, paths: list[str] | None) -> None:
        """Look at some files, or at all; a folder that is gone must not end the watch."""
        row = self._rows().get(identity) if paths or paths is None else None
        if row is None:
            return
        whole = paths is None or any(path.rpartition("/")[2] in ("", IGNORE_FILE) for path in paths)
        try:
            sync = self._syncing(row)
            report = sync.run(progress=self._go_on) if whole else sync.run_at(paths or ())
        except QuaidError as error:
            told = f"{row.name}: {error.message} {error.hint}"
            if self._troubles.get(row.id) != told:
                self._warn(told)
            self._troubles[row.id] = told
            return
        was_in_trouble = self._troubles.pop(row.id, None) is not None
        if report.changed or report.failed or was_in_trouble or row.id not in self._told:
            self._tell(report)
        self._told.add(row.id)


def _present(roots: Iterable[Path]) -> dict[Path, tuple[int, int]]:
    """The folders that are there, and which directory each is."""
    found = {root: file_identity(root) for root in roots if root.is_dir()}
    return {root: identity for root, identity in found.items() if identity}


def _news(root: Path, batch: Iterable[tuple[object, str]]) -> list[str]:
    """The paths of a folder that a batch of changes names, as they are stored, without what is ignored."""
    whole = os.fspath(root)
    inside = [
        path.removeprefix(whole).replace(os.sep, "/").removeprefix("/")
        for _, path in batch
        if path == whole or path.startswith(whole + os.sep)
    ]
    parts = ((path, path.split("/")) for path in inside)
    return [path for path, own in parts if not own[-1].startswith(SCRATCH) and not {*own} & {*IGNORED}]
