"""Embedding in the background: a process of its own, at low priority, that ends when all is embedded.

It is started where more texts are new than a question embeds by itself, and only by a surface that says how
(`Surroundings.worker`), for a memory that is the person's own, with a model that runs on this machine. One
process works at a time (`index/lease.py`). It may be killed at any time: what it has done is kept about every
second.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from quaid.app.progress import Progress, time_left
from quaid.embed.onnx import usable_cores
from quaid.errors import QuaidError, ReadOnly
from quaid.files import file_identity
from quaid.index import chunk_rows, indexer
from quaid.index.lease import WANTED, Lease
from quaid.settings import Layer, Settings
from quaid.store import chunks, config, embeddings
from quaid.store.connection import Store
from quaid.store.embeddings import ModelRow
from quaid.trust import Territory

if TYPE_CHECKING:
    from quaid.app.models import Models

SETTING = "embed.background"
MOST_THREADS = 4
ROUND = 1000  # texts that are put in order at a time: what comes meanwhile may be more useful
REST = 600.0  # seconds after a failure, before it is tried again unasked
USUAL_RATE = 60.0  # lines and sections a second for each thread, until it is measured
PATIENCE = 600.0  # seconds that it waits for those who write, whom nobody keeps waiting for it
POLL = 0.2  # seconds
ELSEWHERE = "http:"  # how names of models begin to which texts are sent

STARTED: list[subprocess.Popen[bytes]] = []  # by this process: one that lives long must see that they ended


class Background:
    """What embeds the texts of one memory beside what people do with it."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        models: Callable[[], Models],  # opened only where something is embedded
        territory: Territory,
        worker: Sequence[str],
    ) -> None:
        self._store = store
        self._settings = settings
        self._models = models
        self._territory = territory
        self._worker = worker
        self._lease = Lease(store.path)
        self._wanted = Lease(store.path, WANTED)
        self._memory = file_identity(store.path)

    # What commands say ---------------------------------------------------------------------------

    def progress(self) -> Progress:
        """How far it is."""
        active = embeddings.active(self._store.connection)
        texts, done = embeddings.counts(self._store.connection, active.id if active else 0)
        noted = self._lease.last_note
        works = noted if noted and self._lease.is_taken else None
        rate = (noted.rate if noted else 0.0) or USUAL_RATE * few_threads()
        left = round((texts - done) / rate) if texts > done else None
        return Progress(
            texts=texts,
            embedded=done,
            background="working" if works else self.obstacle() or "waiting",
            worker=works.pid if works else None,
            per_second=noted.rate if noted and noted.rate else None,
            seconds_left=left,
            problem=noted.problem or None if noted and not works and texts > done else None,
        )

    def obstacle(self) -> str:
        """Why nothing is embedded in the background here; empty if nothing speaks against it."""
        if self._setting_now() == "off":
            return "off"
        if self._settings.text("search.engine") != "own":
            return "left to `quaid engine sync`"
        if not self._worker or os.name == "nt":
            return "not here"
        if self._store.connection.readonly("main"):
            return "not where nothing can be written"
        if not self._territory.is_trusted:
            return "not for a memory that you have not accepted"
        active = embeddings.active(self._store.connection)
        if active and active.name.startswith(ELSEWHERE):
            return "not with a model that runs elsewhere"
        return ""

    # Starting it -----------------------------------------------------------------------------------

    def begin(self) -> str:
        """Start it, if there is enough to do; the answer is what a person should know, if anything."""
        if not self.is_worth_it():
            return ""
        if self._lease.is_taken:
            return f"{self.progress().text}."
        noted = self._lease.last_note
        if noted and noted.problem and time.time() - noted.at < REST:
            return f"{self.progress().text}; it ended: {noted.problem} `quaid embed` tries again."
        obstacle = self.obstacle()
        if obstacle or not self._start():
            return f"{self.progress().text}; `quaid embed` makes up for that."
        now = self.progress()
        return f"{now.text}; that goes on in the background, {time_left(now.seconds_left)}."

    def is_worth_it(self) -> bool:
        """Whether more is to be cut into sections or embedded than a question does by itself."""
        most = self._settings.integer("query.catch_up")
        connection = self._store.connection
        if chunk_rows.left_to_chunk(connection):
            return True
        active = embeddings.active(connection)
        if active is None:
            return chunks.count(connection) > most
        behind = embeddings.behind(connection, active.id)
        lacking = (embeddings.missing(connection, active.id, limit=most + 1, units=units) for units in behind)
        return sum(len(each) for each in lacking) > most

    def _start(self) -> bool:
        command = [*self._worker, str(self._store.path.absolute())]
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",  # so that no folder is kept in use
                start_new_session=True,
            )
        except OSError:
            return False
        STARTED[:] = [*(each for each in STARTED if each.poll() is None), process]
        return True

    # Working ---------------------------------------------------------------------------------------

    def work(self) -> None:
        """Embed what is to be embedded, and end. This is what the process does."""
        if not self._lease.take():
            return
        self._store.wait_for_others(PATIENCE)
        noted = self._lease.last_note
        rate = Rate()
        problem = ""
        try:
            self._lease.note(noted.rate if noted else 0.0)
            while self._round(rate):
                pass
        except QuaidError as error:
            problem = f"{error.message}. {error.hint}".strip()
        finally:
            self._lease.note(rate.value, problem)
            self._lease.release()

    def _round(self, rate: Rate) -> bool:
        """Embed the most useful texts; whether there are more, and they are wanted."""
        models = self._models()
        chunk_rows.chunk_pages(self._store)
        model = models.current()
        if not self._goes_on(model):
            return False
        units, waiting = indexer.waiting(self._store, model, ROUND)
        if not waiting:
            return False
        embedder = models.embedder_of(model)
        if hasattr(embedder, "workers"):
            embedder.workers = few_threads()
        before = rate.done
        for saved in indexer.saves(self._store, model, embedder, waiting, units):
            rate.add(saved)
            self._lease.note(rate.value)
            if not self._goes_on(model):
                return False
        return rate.done > before  # texts of a page that changes just now are never found

    def _goes_on(self, model: ModelRow) -> bool:
        """Whether nobody has paused it, changed the model, or wants to do it at once."""
        connection = self._store.connection
        if file_identity(self._store.path) != self._memory or self._wanted.is_taken:
            return False
        active = embeddings.active(connection)
        return active is not None and active.id == model.id and self._setting_now() != "off"

    def _setting_now(self) -> str:
        """The setting as it is now: others may change it while this process works."""
        values = config.values(self._store.connection)
        return self._settings.adding(Layer("memory", "memory", values)).text(SETTING)

    def at_once(self, notify: Callable[[str], None]) -> Turn:
        """The right to embed now, in this process: what works in the background makes way."""
        return Turn(self._lease, self._wanted, notify, self.progress)


class Turn:
    """Holds the lease while a person waits for the work to be done."""

    def __init__(
        self,
        lease: Lease,
        wanted: Lease,
        notify: Callable[[str], None],
        progress: Callable[[], Progress],
    ) -> None:
        self._lease = lease
        self._wanted = wanted
        self._notify = notify
        self._progress = progress
        self._rate = Rate()

    def __enter__(self) -> Turn:
        try:
            self._wait()
        except OSError as error:
            raise ReadOnly(
                f"{self._lease.path} cannot be written: {error.strerror}",
                hint="Vectors are kept beside the memory, in a directory that you can write to.",
            ) from None
        finally:
            self._wanted.release()
        noted = self._lease.last_note
        self._lease.note(noted.rate if noted else 0.0)
        return self

    def _wait(self) -> None:
        first = self._wanted.take()
        since = time.monotonic()
        told = False
        while not self._lease.take():
            if not told and (not first or time.monotonic() - since > 3):
                told = True
                noted = self._lease.last_note
                process = f"process {noted.pid}" if noted else "another process"
                self._notify(f"Waiting for {process}, which embeds: {self._progress().text}.")
            time.sleep(POLL)

    def noting(self, progress: Callable[[int, int], None] | None) -> Callable[[int, int], None]:
        """What notes how far it is, and shows it to a person too."""

        def note(done: int, total: int) -> None:
            self._rate.add(done - self._rate.done)
            self._lease.note(self._rate.value)
            if progress:
                progress(done, total)

        return note

    def __exit__(self, *_: object) -> None:
        self._lease.release()


class Rate:
    """How many texts a second are embedded: over the last half minute or so.

    It counts from the first texts on, because a model is loaded before them; after less than `LEAST` seconds
    it is 0, that is, not known.
    """

    SPAN = 30.0
    LEAST = 5.0

    def __init__(self) -> None:
        self.done = 0
        self._marks: list[tuple[float, int]] = []

    def add(self, count: int) -> None:
        """Some more are done."""
        self.done += count
        now = time.monotonic()
        self._marks.append((now, self.done))
        while len(self._marks) > 2 and self._marks[1][0] < now - self.SPAN:
            self._marks.pop(0)

    @property
    def value(self) -> float:
        if not self._marks:
            return 0.0
        (start, before), (end, after) = self._marks[0], self._marks[-1]
        return (after - before) / (end - start) if end - start >= self.LEAST else 0.0


def few_threads() -> int:
    """How many threads embed in the background: no more than half of the cores."""
    return max(1, min(MOST_THREADS, usable_cores() // 2))
