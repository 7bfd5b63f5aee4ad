"""A program that is run to its end, with all that it starts, and ended with us if we are told to end.

It has a session of its own, so that no helper finds a terminal to ask at. A signal that would end us does
therefore not reach it: as long as it runs we take SIGTERM, SIGHUP and SIGINT, end it first and then go.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import IO, NamedTuple

from quaid.model.record import record

PRIVATE_UMASK = 0o077
_LONGEST_WAIT = 0.1  # seconds without a look whether a signal has come
GRACE = 1.0  # seconds in which a program that is told to end may put away its locks
_ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGINT") if hasattr(signal, name))
_OWN_WAYS = (signal.SIG_DFL, signal.default_int_handler)
_running: set[subprocess.Popen[bytes]] = set()


class Ended(NamedTuple):
    """How a program ended."""

    status: int
    out: bytes
    err: bytes


class TooLong(Exception):
    """A program that did not end in time, and was ended."""


class Stopped(SystemExit):
    """We were told to end while a program ran. The status is the one that shells give."""

    def __init__(self, number: int) -> None:
        super().__init__(128 + number)


@record
class Program:
    """What to run, and with what."""

    words: Sequence[str]
    environment: Mapping[str, str]
    timeout: float
    input: bytes | None = None
    inherited: tuple[int, ...] = ()  # descriptors that it holds as long as it runs


def run(program: Program) -> Ended:
    """Run it to its end; FileNotFoundError if it is not installed, TooLong if it takes too long."""
    # Files and no pipes: what a hook or ssh leaves running keeps a pipe open, and we would wait for that.
    with _buffer() as given, _buffer() as out, _buffer() as err, _deferred_signals() as told:
        given.write(program.input or b"")
        given.seek(0)
        process = subprocess.Popen(
            program.words,
            stdin=given,
            stdout=out,
            stderr=err,
            env=program.environment,
            start_new_session=True,
            pass_fds=program.inherited,
            umask=PRIVATE_UMASK if os.name == "posix" else -1,
        )
        _running.add(process)
        try:
            told.obeying = True
            told.obey()
            _wait(process, program.timeout)
        except subprocess.TimeoutExpired:
            raise TooLong from None
        finally:
            told.obeying = False
            _running.discard(process)
            if process.returncode is None:
                end(process)
        out.seek(0)
        err.seek(0)
        return Ended(process.returncode, out.read(), err.read())


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process with all that it started: politely, then by force."""
    if os.name != "posix":
        process.kill()
        process.wait()
        return
    _tell_group(process, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        process.wait(GRACE)
    _tell_group(process, signal.SIGKILL)  # what did not listen, be it a child of one that did
    process.wait()


def end_running() -> None:
    """End what runs on other threads: for a server, whose signals reach its main thread only."""
    for process in tuple(_running):
        end(process)


def _wait(process: subprocess.Popen[bytes], timeout: float) -> None:
    """Wait for its end: where the system tells of it, at once, and not at the next of some looks."""
    if not hasattr(os, "pidfd_open"):
        process.wait(timeout)
        return
    try:
        descriptor = os.pidfd_open(process.pid)
    except OSError:  # not in every container
        process.wait(timeout)
        return
    try:
        looks = select.poll()
        looks.register(descriptor, select.POLLIN)
        deadline, ended = time.monotonic() + timeout, False
        while not ended and (left := deadline - time.monotonic()) > 0:
            # A signal that comes just before the system call does not end it, but is obeyed after it.
            ended = bool(looks.poll(min(left, _LONGEST_WAIT) * 1000))
    finally:
        os.close(descriptor)
    process.wait(None if ended else 0)


def _tell_group(process: subprocess.Popen[bytes], number: int) -> None:
    with suppress(OSError):
        os.killpg(process.pid, number)


class _Signals:
    """Signals that end us: noted while a process is being started or ended, obeyed in between."""

    def __init__(self) -> None:
        self._number = 0
        self.obeying = False

    def take(self, number: int, frame: object) -> None:
        self._number = number
        if self.obeying:
            self.obey()

    def obey(self) -> None:
        if self._number == signal.SIGINT:
            raise KeyboardInterrupt
        if self._number:
            raise Stopped(self._number)


@contextmanager
def _deferred_signals() -> Iterator[_Signals]:
    """Take the signals that would end us at once. Handlers of others, and `nohup`, stay as they are."""
    signals = _Signals()
    taken = {}
    if threading.current_thread() is threading.main_thread():
        before = {number: signal.getsignal(number) for number in _ENDING}
        taken = {number: way for number, way in before.items() if way in _OWN_WAYS}
    for number in taken:
        signal.signal(number, signals.take)
    try:
        yield signals
        signals.obey()
    finally:
        for number, way in taken.items():
            signal.signal(number, way)


def _buffer() -> IO[bytes]:
    """A file without a name for what a program hears or says: in memory where the system can."""
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create("git"), "w+b")
    import tempfile  # takes longer to load than git to start

    return tempfile.TemporaryFile()
