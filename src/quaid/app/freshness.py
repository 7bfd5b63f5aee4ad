"""Seeing what was done to files before a command answers, as far as that is cheap."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from operator import methodcaller
from pathlib import Path
from typing import TYPE_CHECKING

from quaid.errors import Busy, QuaidError, ReadOnly, Untrusted
from quaid.model.page import PageInfo, split_target
from quaid.settings import Settings
from quaid.store import collections, file_state, leases, pages
from quaid.store.collections import CollectionRow
from quaid.store.connection import Store
from quaid.vault import folder
from quaid.vault.agreement import agreement, note
from quaid.vault.folder import Seen
from quaid.vault.plan import may_differ

if TYPE_CHECKING:
    from quaid.vault.sync import Report, Sync
    from quaid.vault.tripwire import Tripwires

PATIENCE = 0.5  # seconds to wait for others before an answer
TRUSTED = 10.0  # seconds in which a folder that was not touched is not looked at
WATCHED = 20_000  # files above which whoever watches a folder is relied upon
DEAR = 0.05  # seconds of a look from which on it is done at most once in a second


class Freshness:
    """Keeps the collections of files in step with their files, when they are asked about."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        root: Callable[[CollectionRow], Path],
        sync: Callable[[CollectionRow, Path], Sync],
        now: Callable[[], str],
        tripwires: Tripwires | None = None,
    ) -> None:
        self._store = store
        self._settings = settings
        self._root = root
        self._sync = sync
        self._now = now
        self._tripwires = tripwires
        self._rested_until: dict[int, float] = {}
        self._in_step: dict[int, tuple[int, float]] = {}  # as of which mark of its tripwire, and until when

    def of_everything(self) -> list[str]:
        """Look at all files, where they are not too many; the answer is what a person should know."""
        if self._settings.text("sync.on_read") == "never":
            return []
        rows = collections.of_files(self._store.connection)
        return [notice for row in rows for notice in self._of_folder(row)]

    def of_pages(self, names: Iterable[str]) -> list[str]:
        """Look at the files of some pages; at all files if one of them is not known."""
        if self._settings.text("sync.on_read") == "never":
            return []
        rows = {row.name: row for row in collections.of_files(self._store.connection)}
        roots: dict[str, Path] = {}
        changed: dict[str, list[str]] = {}
        refusals: dict[str, str] = {}
        for name in names:
            found = self._pages_named(name)
            if not found:
                return self.of_everything()
            for page in found:
                row = rows.get(page.collection)
                if row is None or not page.path or row.name in refusals:
                    continue
                try:
                    root = roots.get(row.name) or self._root(row)
                except Untrusted as error:
                    refusals[row.name] = _refusal(row, error)
                    continue
                roots[row.name] = root
                changed.setdefault(row.name, []).extend(self._differing(row, root, page.path))
        notices = list(refusals.values())
        for name, paths in changed.items():
            if paths:
                notices += self._run_guarded(rows[name], methodcaller("run_at", paths), roots[name])
        return notices

    def _of_folder(self, row: CollectionRow) -> list[str]:
        try:
            return self._whole(row, self._root(row))
        except Untrusted as error:
            return [_refusal(row, error)]

    def _pages_named(self, name: str) -> list[PageInfo]:
        collection, slug = split_target(name.strip())
        connection = self._store.connection
        row = collections.by_name(connection, collection) if collection else None
        where = row.id if row else None
        found = pages.by_slug(connection, slug, where)
        if not found:
            from quaid.store import lookup  # a slug that is right does without

            found = lookup.otherwise_called(connection, slug, where)
        return found

    def _differing(self, row: CollectionRow, root: Path, path: str) -> list[str]:
        """A page's file and that of its raw data, where they may have changed."""
        return [
            each
            for each in (path, folder.sidecar_of(path))
            if self._may_differ(row, folder.look(root, each), each, missing=each == path)
        ]

    def _may_differ(self, row: CollectionRow, seen: Seen | None, path: str, *, missing: bool) -> bool:
        """`missing`: what to say of a file that is neither known nor there."""
        state = file_state.one(self._store.connection, row.id, path)
        if state is None or seen is None:
            return missing or state is not None or seen is not None
        return may_differ(seen, state)

    def _whole(self, row: CollectionRow, root: Path) -> list[str]:
        connection = self._store.connection
        files = file_state.count(connection, row.id)
        most = self._settings.integer("sync.cheap_files")
        if files > min(most, WATCHED) and leases.holder(connection, row.id, self._now()):
            return []  # whoever watches it keeps it in step
        if files > most:
            return [f"{row.name} has too many files to look at each time; `quaid watch` keeps it in step."]
        start = time.monotonic()
        mark = self._tripwires.mark(root) if self._tripwires else None
        if mark is None:
            if start < self._rested_until.get(row.id, 0.0):
                return []
        elif (known := self._in_step.get(row.id)) and known[0] == mark and start < known[1]:
            return []
        notices: list[str] = []
        found = agreement(connection, row, root, files)
        if not found.in_step:
            limit = self._settings.integer("sync.catch_up")
            notices = self._run_guarded(row, lambda sync: sync.run(most=limit, found=found.survey), root)
        elif found.prints:
            note(self._store, row, found)
        if mark is not None and not notices:
            self._in_step[row.id] = (mark, start + TRUSTED)
        # Looking takes at most a third of the time of a process that asks again and again.
        took = time.monotonic() - start
        self._rested_until[row.id] = start + took + max(2 * took, 1.0 if took > DEAR else 0.0)
        return notices

    def _run_guarded(self, row: CollectionRow, run: Callable[[Sync], Report], root: Path) -> list[str]:
        """A question must be answered, from what is known, also when the files cannot be looked at."""
        try:
            with self._store.impatient(PATIENCE):
                report = run(self._sync(row, root))
        except Busy:
            return [f"{row.name} may be out of date: another process is writing to the memory."]
        except ReadOnly:
            return [
                f"{row.name} may be out of date: its files have changed, and the memory cannot be written to."
            ]
        except QuaidError as error:
            return [f"{row.name} is not in step with its files: {error.message}. {error.hint}".rstrip()]
        if not report.left:
            return []
        return [f"{report.left:,} files of {row.name} have changed; run `quaid collection sync`."]


def _refusal(row: CollectionRow, error: Untrusted) -> str:
    """Why the folder of a collection is left alone."""
    return f"{row.name} is left alone: {error.message}. {error.hint}"
