"""Watching folders: what changes is read after a moment of quiet, and nothing else.

One process watches a collection. It holds a lease with a heartbeat; when it dies, another takes over.
"""

from __future__ import annotations

import os
import secrets
import socket
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from quaid.errors import QuaidError
from quaid.model.record import record
from quaid.store import leases
from quaid.store.collections import CollectionRow
from quaid.store.connection import Store
from quaid.vault.folder import IGNORED, SCRATCH
from quaid.vault.sync import Report, Sync

HEARTBEAT = 5.0  # seconds
LONGEST = 8  # how many times the quiet that is waited for may pass while changes go on


@record
class Watched:
    """A collection with the folder that is watched."""

    row: CollectionRow
    root: Path


class Watcher:
    """Keeps collections in step with their folders until it is told to stop."""

    def __init__(
        self,
        store: Store,
        watched: Iterable[Watched],
        syncing: Callable[[CollectionRow], Sync],
        now: Callable[[], str],
        debounce: float,
        tell: Callable[[Report], None],
        warn: Callable[[str], None],
    ) -> None:
        self._store = store
        self._watched = {each.row.id: each for each in watched}
        self._syncing = syncing
        self._now = now
        self._debounce = debounce
        self._tell = tell
        self._warn = warn
        self._session = secrets.token_hex(8)
        self._waiting: set[int] = set()

    def run(self, stop: threading.Event) -> None:
        """Watch what nobody else watches; take over what others leave."""
        try:
            while not stop.is_set():
                mine = self._leased()
                if mine:
                    self._watch(mine, stop)
                else:
                    stop.wait(HEARTBEAT / 2)
        finally:
            with self._store.write() as connection:
                leases.release(connection, self._session)

    def _leased(self) -> dict[int, Watched]:
        """The collections that this process may watch."""
        mine: dict[int, Watched] = {}
        for identity, each in self._watched.items():
            with self._store.write() as connection:
                holder = leases.holder(connection, identity, self._now())
                taken = leases.take(
                    connection, identity, self._session, os.getpid(), socket.gethostname(), self._now()
                )
            if taken:
                mine[identity] = each
                self._waiting.discard(identity)
            elif identity not in self._waiting and holder:
                self._waiting.add(identity)
                self._warn(f"{each.row.name} is watched by process {holder.pid} on {holder.host}; waiting")
        return mine

    def _watch(self, mine: Mapping[int, Watched], stop: threading.Event) -> None:
        """Watch until a lease is lost, or one more can be had."""
        from watchfiles import watch  # only for watching

        roots = {each.root: each for each in mine.values() if each.root.is_dir()}
        for each in mine.values():
            self._sync(each, None)
        if not roots:
            stop.wait(HEARTBEAT)
            return
        changes = watch(
            *roots,
            watch_filter=lambda _, path: not _is_noise(path),
            step=int(self._debounce * 1000) or 1,
            debounce=int(self._debounce * 1000 * LONGEST) or 1,
            rust_timeout=int(HEARTBEAT * 1000),
            yield_on_timeout=True,
            stop_event=stop,
            ignore_permission_denied=True,
        )
        for batch in changes:
            for root, each in roots.items():
                paths = [_within(root, path) for _, path in batch]
                self._sync(each, [path for path in paths if path is not None] if batch else [])
            if self._leased().keys() != mine.keys():
                return

    def _sync(self, each: Watched, paths: list[str] | None) -> None:
        """Look at some files, or at all; a folder that is gone must not end the watch."""
        if paths is not None and not paths:
            return
        try:
            sync = self._syncing(each.row)
            report = sync.run() if paths is None or "" in paths else sync.run_at(paths)
        except QuaidError as error:
            self._warn(f"{each.row.name}: {error.message} {error.hint}")
        else:
            self._tell(report)


def _is_noise(path: str) -> bool:
    parts = path.replace(os.sep, "/").split("/")
    return any(part in IGNORED for part in parts) or parts[-1].startswith(SCRATCH)


def _within(root: Path, path: str) -> str | None:
    """A path relative to a folder, as it is stored; None if it is not in there."""
    prefix = os.fspath(root) + os.sep
    if path == os.fspath(root):
        return ""
    return path.removeprefix(prefix).replace(os.sep, "/") if path.startswith(prefix) else None
