"""Work that takes longer than a person looks at it: it goes on in the server, whichever view is open.

A job is an operation on a thread of its own. Where the operation says how far it is, a job can be
cancelled; it can also rest there, but within a transaction, for whose end others wait.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from typing import Any, Literal

from quaid import operations
from quaid.app import App
from quaid.app.app import utc_now
from quaid.errors import Conflict, InvalidInput, NotFound, QuaidError
from quaid.mcp.workers import Workers
from quaid.model.actor import Actor, acting
from quaid.model.record import record, replace
from quaid.operations.arguments import decode
from quaid.operations.operation import Operation
from quaid.operations.results import as_data

State = Literal["running", "paused", "done", "failed", "cancelled"]
MOST = 4  # jobs at a time
KEPT = 12  # jobs that are remembered once they have ended


class Cancelled(Exception):
    """The person wants no more of it."""


@record
class Kind:
    """What may be a job: whether it can rest, and the operation that takes back a beginning."""

    can_pause: bool = False
    takes_back: str = ""


KINDS = {
    "rebuild": Kind(),
    "validate": Kind(),
    "compact": Kind(),
    "collection sync": Kind(),
    "collection ignore": Kind(),
    "collection add": Kind(takes_back="collection remove"),
    "sync": Kind(),
    "model use": Kind(can_pause=True),
    "embed": Kind(can_pause=True),
    "conversations index": Kind(),
}


@record
class Job:
    """A job as it is shown."""

    id: str
    operation: str
    arguments: dict[str, Any]
    state: State = "running"
    done: int = 0
    total: int = 0
    seconds_left: int | None = None
    can_pause: bool = False
    asked: str = ""  # what it will do as soon as it can
    began_at: str = ""
    ended_at: str = ""
    message: str = ""  # what went wrong
    hint: str = ""
    notices: tuple[str, ...] = ()
    result: Any = None

    @property
    def is_over(self) -> bool:
        return self.state in ("done", "failed", "cancelled")


class Pace:
    """How long the rest of a stretch of work will take, by what was done of it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began, self._first, self._done, self._total = clock(), 0, 0, 0

    def note(self, done: int, total: int) -> int | None:
        """The seconds that are left; another total, or fewer done, is another stretch."""
        if total != self._total or done < self._done:
            self._began, self._first = self._clock(), done
        self._done, self._total = done, total
        passed = self._clock() - self._began
        if done <= self._first or passed < 1:
            return None
        return round(passed / (done - self._first) * (total - done))

    def add_rest(self, seconds: float) -> None:
        """That time was no work."""
        self._began += seconds


class Control:
    """One job: what its thread notes, and what others ask of it."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self._pace = Pace()
        self._changed = threading.Condition()
        self._is_cancelled = False
        self._is_paused = False

    def note(self, app: App, done: int, total: int) -> None:
        """How far it is; here it rests, or ends."""
        with self._changed:
            left = self._pace.note(done, total)
            self.job = replace(self.job, done=done, total=total, seconds_left=left)
            if self._is_paused and not app.connection.in_transaction:
                rested = time.monotonic()
                self.job = replace(self.job, state="paused", seconds_left=None, asked="")
                self._changed.wait_for(lambda: self._is_cancelled or not self._is_paused)
                self.job = replace(self.job, state="running")
                self._pace.add_rest(time.monotonic() - rested)
            if self._is_cancelled:
                raise Cancelled

    def ask(self, wish: str) -> None:
        """Pause it, let it go on, or cancel it: as soon as it says how far it is."""
        with self._changed:
            if self._is_cancelled or self.job.is_over:
                return
            self._is_cancelled, self._is_paused = wish == "cancel", wish == "pause"
            self.job = replace(self.job, asked="" if wish == "resume" else wish)
            self._changed.notify_all()

    def end(self, state: State, now: str, **facts: Any) -> None:
        """It is over."""
        with self._changed:
            self.job = replace(self.job, state=state, seconds_left=None, asked="", ended_at=now, **facts)


class Jobs:
    """The jobs of a server."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._lock = threading.Lock()
        self._controls: dict[str, Control] = {}

    def everything(self) -> list[Job]:
        """All jobs that are under way or have ended lately, the newest first."""
        with self._lock:
            return [each.job for each in reversed(self._controls.values())]

    def begin(self, name: str, values: dict[str, Any], actor: Actor) -> Job:
        """Begin a job; one that is under way is not begun again."""
        kind = KINDS.get(name)
        if kind is None:
            raise InvalidInput(f"{name!r} is no job", hint=f"Jobs are: {', '.join(KINDS)}.")
        operation = operations.operation(name)
        arguments = decode(operation.arguments, values, tool=False, typed=False)
        job = Job(secrets.token_hex(6), name, values, can_pause=kind.can_pause, began_at=utc_now())
        with self._lock:
            running = [each.job for each in self._controls.values() if not each.job.is_over]
            if any((each.operation, each.arguments) == (name, values) for each in running):
                raise Conflict(f"`{name}` is under way already", hint="Wait for it, or cancel it.")
            if len(running) >= MOST:
                raise Conflict(f"{MOST} jobs are under way", hint="Wait for one of them, or cancel it.")
            over = [key for key, each in self._controls.items() if each.job.is_over]
            for key in over[: max(0, len(over) - KEPT + 1)]:
                del self._controls[key]
            control = self._controls[job.id] = Control(job)
        facts = (control, operation, arguments, kind, actor)
        threading.Thread(target=self._work, args=facts, name=f"quaid-{name}", daemon=True).start()
        return job

    def _work(
        self, control: Control, operation: Operation[Any, Any], arguments: Any, kind: Kind, actor: Actor
    ) -> None:
        """What the thread of a job does: run the operation, and note how it ended."""

        def perform(app: App, notices: list[str]) -> None:
            app.progress = lambda done, total: control.note(app, done, total)
            try:
                result = as_data(operations.run(app, operation, arguments))
            except Cancelled:
                if kind.takes_back:
                    reverse = operations.operation(kind.takes_back)
                    operations.run(app, reverse, reverse.arguments(arguments.name))
                control.end("cancelled", utc_now())
            else:
                control.end("done", utc_now(), result=result, notices=tuple(notices))

        try:
            with acting(actor):
                self._workers.do(perform)
        except QuaidError as error:
            control.end("failed", utc_now(), message=error.message, hint=error.hint)
        except Exception as error:  # surface: a defect is an end too
            control.end("failed", utc_now(), message=f"{type(error).__name__}: {error}")

    def ask(self, id: str, wish: str) -> Job:
        """Pause, resume or cancel a job; dismiss one that is over."""
        with self._lock:
            control = self._controls.get(id)
            if control is None:
                raise NotFound("there is no such job")
            if wish == "dismiss":
                if not control.job.is_over:
                    raise Conflict("it is under way", hint="Cancel it first.")
                del self._controls[id]
                return control.job
        if wish not in ("pause", "resume", "cancel"):
            raise InvalidInput(f"{wish!r} is no wish", hint="There are pause, resume, cancel and dismiss.")
        if wish == "pause" and not control.job.can_pause:
            raise InvalidInput("others would have to wait while it rests", hint="Cancel it.")
        control.ask(wish)
        return control.job

    def close(self) -> None:
        """Cancel all of them."""
        with self._lock:
            controls = list(self._controls.values())
        for each in controls:
            each.ask("cancel")
