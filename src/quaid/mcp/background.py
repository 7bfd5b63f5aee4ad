"""What a server does besides answering: load the model, keep folders in step, have new texts embedded."""

from __future__ import annotations

import sys
import threading
from contextlib import suppress

from quaid.app import App
from quaid.errors import QuaidError
from quaid.mcp.workers import Workers
from quaid.store.collections import of_files
from quaid.vault.watch import Watcher

GREETING = 1.0  # seconds in which a client asks for the tools
PAUSE = 5.0  # seconds between two looks at what there is to watch
EMBED_PAUSE = 25.0  # seconds more between two looks at what there is to embed


class Upkeep:
    """A thread that lives as long as the server."""

    def __init__(self, workers: Workers, greeted: threading.Event, *, watching: bool) -> None:
        self._workers = workers
        self._greeted = greeted
        self._stop = threading.Event()
        tasks = {"quaid-model": self._warm_up, "quaid-embed": self._embed}
        tasks |= {"quaid-watch": self._watch} if watching else {}
        self._threads = [
            threading.Thread(target=work, name=name, daemon=True) for name, work in tasks.items()
        ]

    def start(self) -> None:
        """Begin, once the client has been answered for the first time."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End, and give up the lease of what is watched."""
        self._stop.set()
        self._greeted.set()
        for thread in self._threads:  # a model that is still being loaded would abort the process at its end
            thread.join(2.0)

    def _warm_up(self) -> None:
        self._greeted.wait(GREETING)
        if not self._stop.is_set():
            self._workers.warm_up()

    def _embed(self) -> None:
        """Have what is new embedded by a process of its own, however it came in."""
        self._greeted.wait(GREETING)
        while not self._stop.wait(PAUSE):
            with suppress(QuaidError):
                self._workers.do(lambda app, _: app.background.begin())
            self._stop.wait(EMBED_PAUSE)

    def _watch(self) -> None:
        """Watch the folders that there are, also those that are attached later."""
        self._greeted.wait(GREETING)
        app: App | None = None
        told = ""
        while not self._stop.is_set():
            try:
                app = app or self._workers.open()
                self._watch_once(app)
            except QuaidError as error:
                app = None
                if error.message != told:  # it may stay so for days
                    told = error.message
                    warn(f"{error.message}. {error.hint}")
            self._stop.wait(PAUSE)

    def _watch_once(self, app: App) -> None:
        rows = of_files(app.connection)
        watched = {row.id: root for row, root in app.folders(rows)}
        if not watched:
            return
        ended = threading.Event()
        watcher = Watcher(
            store=app.store,
            watched=watched,
            syncing=app.sync,
            now=app.now,
            debounce=app.settings.number("sync.debounce"),
            tell=lambda _: None,
            warn=lambda _: None,
        )
        looker = threading.Thread(
            target=self._until_others, args=({row.id for row in rows}, ended), daemon=True
        )
        looker.start()
        try:
            watcher.run(ended)
        finally:
            ended.set()

    def _until_others(self, known: set[int], ended: threading.Event) -> None:
        """End a watch when the server ends, or when there are other folders to watch."""

        def others(app: App, notices: list[str]) -> bool:
            return {row.id for row in of_files(app.connection)} != known

        while not ended.is_set():
            if self._stop.wait(PAUSE):
                ended.set()
                return
            with suppress(QuaidError):
                if not self._workers.do(others):
                    continue
            ended.set()


def warn(text: str) -> None:
    """Tell whoever reads the server's log."""
    print(f"quaid: {text}", file=sys.stderr, flush=True)
