"""What is done to pages, as it happens: by this server, by other processes, by hands in the files.

A thread looks whether somebody has committed (SQLite tells that without reading a page) and reads what was
done since. It lives as long as somebody listens. A listener that does not keep up is sent away: it has missed
something, and is told so.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from functools import partial

from quaid.app import App
from quaid.errors import QuaidError
from quaid.files import file_identity
from quaid.mcp.workers import Workers
from quaid.model.record import fill, record
from quaid.store import deeds
from quaid.store.failures import translation

PAUSE = 0.2  # seconds between two looks
WAITING = 500  # changes that wait for a listener
MOST = 1_000  # that are read at a time


@record
class Change:
    """A page got a version."""

    number: int
    page: str
    collection: str
    version: int
    kind: str
    actor: str
    at: str
    was: str | None = None  # its slug before, where it was moved


@record
class Gap:
    """Changes were left out: whoever cares looks for themselves."""


Event = Change | Gap
END = None  # after which nothing comes
Queue = asyncio.Queue[Event | None]


def changes_after(app: App, number: int) -> list[Change]:
    """What was done after that."""
    return [
        fill(Change, deed, number=identity, page=deed.slug, collection=collection, actor=deed.by.label)
        for identity, collection, deed in deeds.after(app.connection, number, MOST)
    ]


class Feed:
    """Tells listeners what is done. Everything but `_look` happens in the event loop."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._listeners: set[Queue] = set()
        self._stop = threading.Event()
        self._is_closed = False

    async def join(self) -> tuple[Queue, int]:
        """Begin to listen; also the number of the last thing that was done before."""
        queue: Queue = asyncio.Queue(WAITING)
        number = await self._workers.run(lambda app, _: deeds.last(app.connection))
        if self._is_closed:
            queue.put_nowait(END)
            return queue, number
        if not self._listeners:
            self._stop = threading.Event()
            tell = partial(self._tell, asyncio.get_running_loop())
            look = _Look(self._workers, self._stop, number, tell)
            threading.Thread(target=look.run, name="quaid-events", daemon=True).start()
        self._listeners.add(queue)
        return queue, number

    def leave(self, queue: Queue) -> None:
        """Listen no longer."""
        self._listeners.discard(queue)
        if not self._listeners:
            self._stop.set()

    def close(self) -> None:
        """Send all listeners away."""
        self._is_closed = True
        for queue in list(self._listeners):
            _send_away(queue)
        self._stop.set()

    def _tell(self, loop: asyncio.AbstractEventLoop, events: Sequence[Event]) -> None:
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(self._publish, events)

    def _publish(self, events: Sequence[Event]) -> None:
        for queue in list(self._listeners):
            try:
                for event in events:
                    queue.put_nowait(event)
            except asyncio.QueueFull:
                self._listeners.discard(queue)
                _send_away(queue, Gap())


def _send_away(queue: Queue, last: Event | None = None) -> None:
    """Tell a listener that nothing more comes, before what waits for it."""
    while not queue.empty():
        queue.get_nowait()
    if last:
        queue.put_nowait(last)
    queue.put_nowait(END)


class _Look:
    """The thread that looks."""

    def __init__(
        self, workers: Workers, stop: threading.Event, number: int, tell: Callable[[Sequence[Event]], None]
    ) -> None:
        self._workers = workers
        self._stop = stop
        self._number = number
        self._tell = tell

    def run(self) -> None:
        """Look until nobody listens; a memory that cannot be opened now may be there later."""
        is_first = True
        while not self._stop.is_set():
            with suppress(QuaidError):
                app = self._workers.open()
                with closing(app.store), translation(app.store.path):
                    if not is_first:  # another memory has taken its place
                        self._number = deeds.last(app.connection)
                        self._tell([Gap()])
                    is_first = False
                    self._follow(app)
            self._stop.wait(PAUSE)

    def _follow(self, app: App) -> None:
        identity, seen = file_identity(app.store.path), -1
        while not self._stop.is_set() and file_identity(app.store.path) == identity:
            state = app.connection.pragma("data_version")
            if state != seen:
                seen = state
                self._read(app)
            self._stop.wait(PAUSE)

    def _read(self, app: App) -> None:
        while found := changes_after(app, self._number):
            self._number = found[-1].number
            self._tell(found)
