"""Operations on threads of their own, so that the protocol never waits for the memory.

Each thread opens the memory for itself, as a process would: what holds between processes holds between
them. Only the embedding models are shared, because they are large.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from quaid.app import App, Surroundings, open_app
from quaid.errors import QuaidError
from quaid.mcp import answers
from quaid.model.record import record
from quaid.operations.operation import Operation
from quaid.settings import Settings
from quaid.store import config
from quaid.store.connection import Store
from quaid.vault.tripwire import Tripwires

READERS = 4
WRITERS = 2  # of their own: a write that waits for another process holds up no reading
R = TypeVar("R")


@record
class Opening:
    """What it takes to open the memory."""

    path: Callable[[], Path]  # raises NotFound while there is none
    settings: Settings
    surroundings: Surroundings


class Workers:
    """Threads that run operations."""

    def __init__(self, opening: Opening) -> None:
        self.opening = opening
        self._readers = ThreadPoolExecutor(READERS, "quaid-read", self._note_thread)
        self._writers = ThreadPoolExecutor(WRITERS, "quaid-write", self._note_thread)
        self._local = threading.local()
        self._stores: dict[int, Store | None] = {}  # of the threads of the pools, to be closed at the end
        self._embedders: dict[str, Any] = {}
        self._tripwires = Tripwires()

    async def run(self, work: Callable[[App, list[str]], R], *, writes: bool = False) -> R:
        """Do some work with the memory; the list takes what a person would be told besides the answer."""
        pool = self._writers if writes else self._readers
        return await asyncio.get_running_loop().run_in_executor(pool, self.do, work)

    def do(self, work: Callable[[App, list[str]], R]) -> R:
        """Do it on this thread."""
        notices: list[str] = []
        self._local.notices = notices
        return work(self._app(), notices)

    def warm_up(self) -> None:
        """Load the embedding model, if it can be had; a question says what is wrong with one that cannot."""
        with suppress(QuaidError):
            self._app().models.warm_up()

    def close(self, grace: float) -> None:
        """Let what is being done be finished, within a time, and close the memory."""
        closing = threading.Thread(target=self._finish, name="quaid-end", daemon=True)
        closing.start()
        closing.join(grace)

    def _finish(self) -> None:
        for pool in (self._readers, self._writers):
            pool.shutdown(wait=False, cancel_futures=True)
        for pool in (self._readers, self._writers):
            pool.shutdown(wait=True)
        for store in filter(None, self._stores.values()):
            with suppress(QuaidError):
                store.close()
        self._tripwires.close()

    def _note_thread(self) -> None:
        self._stores[threading.get_ident()] = None

    def open(self) -> App:
        """The memory, opened for the thread that asks."""
        around = self.opening.surroundings
        own = Surroundings(
            environment=around.environment,
            home=around.home,
            notify=self._notify,
            embedders=self._embedders,
            tripwires=self._tripwires,
            spelled=self._spelled,
            worker=around.worker,
        )
        app = open_app(self.opening.path(), self.opening.settings, own)
        if threading.get_ident() in self._stores:
            self._stores[threading.get_ident()] = app.store
        return app

    def _app(self) -> App:
        """This thread's memory: opened anew if its file was replaced, reread if its settings were changed."""
        app: App | None = getattr(self._local, "app", None)
        identity = _identity(app.store.path) if app else None
        if app is None or identity is None or identity != self._local.identity:
            if app:
                app.store.close()
            self._local.app = None
            app = self.open()
            self._remember(app)
        elif config.values(app.connection) != self._local.values:
            app = app.reread()
            self._remember(app)
        return app

    def _remember(self, app: App) -> None:
        self._local.app = app
        self._local.identity = _identity(app.store.path)
        self._local.values = config.values(app.connection)

    def _spelled(self, operation: Operation[Any, Any], result: Any) -> str:
        """A result as the client is given it."""
        notices = getattr(self._local, "notices", [])
        return answers.spelled(answers.data_of(operation, result, notices))

    def _notify(self, notice: str) -> None:
        getattr(self._local, "notices", []).append(notice)


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file is at a path."""
    try:
        facts = path.stat()
    except OSError:
        return None
    return facts.st_dev, facts.st_ino
