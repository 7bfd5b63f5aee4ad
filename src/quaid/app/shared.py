"""A memory that several threads of a process use at the same time.

Each thread opens it for itself, as a process would: what holds between processes holds between them. Only the
embedding models are shared, because they are large, and what tells whether a folder was touched.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakSet, finalize

from quaid.app.app import App, Surroundings
from quaid.app.entrance import open_app
from quaid.errors import InvalidInput, QuaidError
from quaid.files import file_identity
from quaid.model.record import record, replace
from quaid.settings import Settings
from quaid.store import config
from quaid.store.connection import Store
from quaid.vault.tripwire import Tripwires

R = TypeVar("R")
_INHERITED: list[Store] = []  # from before a fork: SQLite forbids a child even to close them


@record
class Opening:
    """What it takes to open the memory."""

    path: Callable[[], Path]  # raises NotFound while there is none
    settings: Settings
    surroundings: Surroundings


class _Slot:
    """What one thread has opened. It is closed when the thread ends."""

    def __init__(self, app: App) -> None:
        self.path = app.store.path
        self.identity = file_identity(self.path)
        self.close = finalize(self, _close, app.store, os.getpid())
        self.close.atexit = False  # a thread may still be using it
        self.take(app)

    def take(self, app: App) -> None:
        self.app = app
        self.values = config.values(app.connection)

    @property
    def is_current(self) -> bool:
        """Whether the file that was opened is the one that is there."""
        return self.identity is not None and self.identity == file_identity(self.path)


class SharedMemory:
    """A memory, opened by each thread that uses it, and closed for all of them."""

    def __init__(self, opening: Opening) -> None:
        self.opening = opening
        self._ended = False
        self._begin()

    def _begin(self) -> None:
        self._process = os.getpid()
        self._here = threading.local()
        self._told = threading.local()  # apart: what is opened knows it, and must not keep itself alive
        self._slots: WeakSet[_Slot] = WeakSet()
        self._embedders: dict[str, Any] = {}
        self._tripwires = Tripwires()
        self._idle = threading.Condition()
        self._running = 0

    def do(self, work: Callable[[App, list[str]], R], notices: list[str] | None = None) -> R:
        """Do some work with this thread's memory; the list takes what a person would be told besides."""
        if self._process != os.getpid():
            self._begin()
        with self._at_work():
            self._told.notices = told = [] if notices is None else notices
            return work(self._app(), told)

    def open(self) -> App:
        """The memory, opened for the thread that asks, which is to close it."""
        told = self._told

        def notify(notice: str) -> None:
            getattr(told, "notices", []).append(notice)

        around = replace(
            self.opening.surroundings, notify=notify, embedders=self._embedders, tripwires=self._tripwires
        )
        return open_app(self.opening.path(), self.opening.settings, around)

    @property
    def notices(self) -> list[str]:
        """What a person would be told besides the answer that this thread works at."""
        found: list[str] = getattr(self._told, "notices", [])
        return found

    def close(self) -> None:
        """Let what is being done be finished, and close the memory for all threads."""
        with self._idle:
            self._ended = True
            if getattr(self._here, "depth", 0):
                return  # whoever ends last closes it
            self._idle.wait_for(lambda: not self._running)
        self._close_all()

    @contextmanager
    def _at_work(self) -> Iterator[None]:
        with self._idle:
            if self._ended:
                raise InvalidInput("the memory is closed", hint="Open it again.")
            self._running += 1
        self._here.depth = getattr(self._here, "depth", 0) + 1
        try:
            yield
        finally:
            self._here.depth -= 1
            with self._idle:
                self._running -= 1
                last = self._ended and not self._running
                self._idle.notify_all()
            if last:
                self._close_all()

    def _app(self) -> App:
        """This thread's memory: opened anew if its file was replaced, reread if its settings were changed."""
        slot: _Slot | None = getattr(self._here, "slot", None)
        if slot is None or not slot.is_current:
            if slot:
                slot.close()
            self._here.slot = None
            self._here.slot = slot = _Slot(self.open())
            self._slots.add(slot)
        elif config.values(slot.app.connection) != slot.values:
            slot.take(slot.app.reread())
        return slot.app

    def _close_all(self) -> None:
        for slot in list(self._slots):
            slot.close()
        self._tripwires.close()


def _close(store: Store, process: int) -> None:
    if process != os.getpid():
        _INHERITED.append(store)
        return
    with suppress(QuaidError):
        store.close()
