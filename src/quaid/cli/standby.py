"""The process that stands by: it loads everything once, and forks for each command that it is asked to run.

It opens no memory and keeps nothing of one. Nobody is asked in its name: what it runs is what whoever asks
would run, by their own right. Models run on one thread of whoever calls them, so they survive a fork.
"""

from __future__ import annotations

import gc
import io
import os
import select
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from quaid import operations, standby
from quaid.agents.hooks import events
from quaid.app import Surroundings, open_app
from quaid.app.entrance import person_settings
from quaid.cli import actor
from quaid.cli.main import PRODUCTS, main
from quaid.cli.parser import Given
from quaid.cli.program import AI_KB, QUAID
from quaid.cli.session import Session
from quaid.errors import InvalidInput, QuaidError, ReadOnly
from quaid.files import make_private_directory
from quaid.home import home_directory
from quaid.model.record import record
from quaid.operations.text import Style
from quaid.store.connection import Store
from quaid.system import fcntl

SETTING = "warm.minutes"
MINUTE = 60
LOOK = 1.0  # seconds between two looks at whether it is still wanted
READING = 2.0  # seconds for a request
LARGEST = 8_000_000  # bytes of a request
READY, MET = b".", b"!"  # what a process says that was forked ahead
CHANGED = 3  # exit status of a process that has seen that our files are others now
WARM = (sys.executable, "-P", "-m", "quaid", "warm")


def launch() -> None:
    """Leave such a process behind, unless something speaks against it."""
    settings = person_settings(Path(home_directory()), os.environ)
    if standby.place() is not None and not standby.is_there() and settings.integer(SETTING):
        nothing = subprocess.DEVNULL
        with suppress(OSError):
            subprocess.Popen(
                WARM, stdin=nothing, stdout=nothing, stderr=nothing, cwd="/", start_new_session=True
            )


def stand_by(session: Session, given: Given) -> int:
    """Run commands for others, until nobody has asked for a while."""
    if not hasattr(os, "fork"):
        hint = "Every command loads its model itself."
        raise InvalidInput("no process can stand by on this system", hint=hint)
    idle = session.settings.integer(SETTING) * MINUTE
    path = standby.place()
    if not idle or path is None:
        return 0
    place = Path(path)
    with _alone(_lock_of(place)) as first:
        if first:
            _load(session)
            _listen(place, idle, lambda: _rehearse(session))
    return 0


def _lock_of(place: Path) -> int:
    """The file whose lock the process holds that listens at a place."""
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        make_private_directory(place.parent)
        return os.open(place.with_suffix(".lock"), flags, 0o600)
    except OSError as error:
        raise ReadOnly(
            f"{place.parent} cannot be used: {error.strerror}",
            hint="The process listens there. Set HOME to a directory that you can write to.",
        ) from None


def _load(session: Session) -> None:
    """Load what commands need, by using it once."""
    operations.operations()
    import_module("quaid.cli.hook")
    for target, _ in events.EVENTS.values():
        import_module(f"quaid.agents.hooks.{target.partition(':')[0]}")
    _rehearse(session)
    with suppress(QuaidError):  # the person's own memory may have another model, or there may be none
        session.app.models.warm_up()
        session.app.store.close()
    gc.collect()
    gc.freeze()  # what is never written to stays shared between all that are forked


def _rehearse(session: Session) -> None:
    """Ask something, of a memory that is gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        Store.create(path).close()
        around = Surroundings(environment=session.environment, home=session.home)
        app = open_app(path, session.settings, around)
        app.collection().put("a", "# A page\n\n- with a line\n")
        app.collection().put("b", "# Another\n")
        for name, values in (("query", {"question": "which page?"}), ("recall", {"query": "which line?"})):
            with suppress(QuaidError):
                operations.operation(name).render(operations.call(app, name, values), Style())
        with suppress(QuaidError):
            prompt = {"prompt": "Which page has a line?"}
            events.answer("prompt", prompt, lambda: app, Path(folder), launch=lambda words: None)
        app.models.warm_up()
        app.store.close()


def _listen(place: Path, idle: float, rehearse: Callable[[], None]) -> None:
    files = _files()
    with suppress(FileNotFoundError):
        place.unlink()  # of a process that is gone: the lock says so
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
        before = os.umask(0o177)
        try:
            listening.bind(str(place))
        finally:
            os.umask(before)
        listening.listen(16)
        listening.setblocking(False)
        mine = os.lstat(place)
        spare = _Spare(listening, files, rehearse)
        end = time.monotonic() + idle
        while time.monotonic() < end and _is_same(place, mine) and not _reap():
            waiting = [*([] if spare.is_ready else [listening]), *([] if spare.is_gone else [spare.line])]
            found = select.select(waiting, [], [], min(LOOK, idle))[0]
            if spare.line in found:
                spare.hear()
                end = time.monotonic() + idle if spare.has_met else end
                if spare.has_met and spare.is_gone:
                    spare = _Spare(listening, files, rehearse)
            if listening in found and (talk := _accepted(listening)):
                if not os.fork():
                    listening.close()
                    _answer(talk, files)
                talk.close()
                end = time.monotonic() + idle
                if spare.is_gone:  # it could not rehearse; perhaps there is room now
                    spare = _Spare(listening, files, rehearse)
        if _is_same(place, mine):
            place.unlink()


class _Spare:
    """A process that was forked ahead and has rehearsed: the memory that it writes to is its own already.

    It takes the next who asks; when that is done there must be another, and not before: it would compete with
    the command for the processor. It ends when the process that forked it does.
    """

    def __init__(
        self, listening: socket.socket, files: Mapping[str, int], rehearse: Callable[[], None]
    ) -> None:
        self.is_ready = self.has_met = self.is_gone = False
        self.line, own = socket.socketpair()
        if not os.fork():
            self.line.close()
            try:
                rehearse()
                own.send(READY)
                talk = self._met(listening, own)
                own.send(MET)
                listening.close()
                _answer(talk, files)
            finally:
                os._exit(1)
        own.close()

    def hear(self) -> None:
        """Take note of what it says: that it is ready, has met somebody, or (nothing) that it has ended."""
        told = self.line.recv(1)
        self.is_ready, self.is_gone = told == READY, not told
        self.has_met |= told == MET
        if self.is_gone:
            self.line.close()

    @staticmethod
    def _met(listening: socket.socket, own: socket.socket) -> socket.socket:
        """Who asks next."""
        while True:
            if own in select.select([listening, own], [], [])[0]:
                os._exit(0)  # nobody is there who would fork another
            if talk := _accepted(listening):
                return talk


def _accepted(listening: socket.socket) -> socket.socket | None:
    """Who asks; nobody, where another process was faster."""
    try:
        return listening.accept()[0]
    except (BlockingIOError, ConnectionAbortedError):
        return None


def _is_same(place: Path, mine: os.stat_result) -> bool:
    """Whether the socket that people find is still ours."""
    try:
        return os.path.samestat(os.lstat(place), mine)
    except OSError:
        return False


def _reap() -> bool:
    """Take note of processes that have ended; whether one of them found that our files have changed."""
    changed = False
    with suppress(ChildProcessError):
        while True:
            process, status = os.waitpid(-1, os.WNOHANG)
            if not process:
                break
            changed |= os.waitstatus_to_exitcode(status) == CHANGED
    return changed


@record
class Asked:
    """A command that somebody wants to have run."""

    executable: str
    program: str
    here: str
    umask: int
    shell: str
    words: tuple[str, ...]
    environment: Mapping[bytes, bytes]


def _answer(talk: socket.socket, files: Mapping[str, int]) -> NoReturn:
    """What a process that was forked does, all its life."""
    status = 1
    try:
        talk.settimeout(READING)
        peer = struct.unpack("3i", talk.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
        asked = _request(talk) if peer[1] == os.geteuid() else None
        status = 0 if _are_as_before(files) else CHANGED
        if asked is None or status or not _fits(asked):
            talk.sendall(standby.REFUSED)
        else:
            talk.sendall(standby.READY + os.getpid().to_bytes(4, "big"))
            told, streams, _, _ = socket.recv_fds(talk, 1, len(standby.STREAMS))
            if told == standby.RUN:
                _adopt(streams)
                talk.settimeout(None)
                _run(talk, asked)
    except (OSError, ValueError):
        pass  # whoever asked has gone, or says nothing that makes sense
    finally:
        os._exit(status)


def _adopt(streams: Sequence[int]) -> None:
    """Take the streams of whoever asked for ours."""
    for own, theirs in zip(standby.STREAMS, streams, strict=True):
        os.dup2(theirs, own)
        os.close(theirs)


def _request(talk: socket.socket) -> Asked:
    """What was asked for."""
    data = talk.recv(1 << 16)
    size = int.from_bytes(data[:4], "big")
    if size > LARGEST:
        raise ValueError(size)
    while len(data) < size + 4:
        more = talk.recv(1 << 16)
        if not more:
            raise ValueError("it ends too early")
        data += more
    parts = data[4:].split(b"\0")
    executable, program, here, umask, shell, count = map(os.fsdecode, parts[:6])
    words = tuple(map(os.fsdecode, parts[6 : 6 + int(count)]))
    environment = dict(part.partition(b"=")[::2] for part in parts[6 + int(count) :])
    return Asked(
        executable=executable,
        program=program,
        here=here,
        umask=int(umask),
        shell=shell,
        words=words,
        environment=environment,
    )


def _fits(asked: Asked) -> bool:
    """Whether this process would run the command as theirs would."""
    return asked.executable == sys.executable and _begun_with(asked.environment) == _begun_with(os.environb)


def _begun_with(environment: Mapping[bytes, bytes]) -> dict[bytes, bytes]:
    """What Python and NumPy look at when they begin, and never again."""
    products = os.fsencode(PRODUCTS)
    begun = {name: value for name, value in environment.items() if name.startswith(b"PYTHON")}
    return begun | {products: environment.get(products, b"1")}


def _run(talk: socket.socket, asked: Asked) -> None:
    """Be the process that asked, and run the command."""
    os.chdir(asked.here)
    os.umask(asked.umask)
    os.environb.clear()
    os.environb.update(asked.environment)
    time.tzset()
    actor.shell = asked.shell
    leave = _Leave(talk)
    sys.stdin = open(0, encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115
    sys.stdout, sys.stderr = leave.stream(1), leave.stream(2)
    sys.argv = [asked.program, *asked.words]
    status = main(list(asked.words), AI_KB if asked.program == AI_KB.name else QUAID)
    for stream in (sys.stdout, sys.stderr):
        with suppress(BrokenPipeError):
            stream.flush()
    talk.sendall(standby.ENDED + bytes([status]))


class _Leave:
    """Leave to write, for which whoever asked is asked once: who waits no longer must not be disturbed."""

    def __init__(self, talk: socket.socket) -> None:
        self._talk = talk
        self._given = False

    def get(self) -> None:
        """Wait for it; without it, there is nothing more to do."""
        if not self._given:
            self._talk.sendall(standby.SPEAK)
            self._given = self._talk.recv(1) == standby.GO
            if not self._given:
                os._exit(1)

    def stream(self, number: int) -> io.TextIOWrapper:
        """A stream as Python opens it, that asks for leave."""
        raw = _Stream(number, self.get)
        return io.TextIOWrapper(
            io.BufferedWriter(raw), encoding="utf-8", line_buffering=number == 2 or raw.isatty()
        )


class _Stream(io.FileIO):
    def __init__(self, number: int, before: Callable[[], None]) -> None:
        super().__init__(number, "w", closefd=False)
        self._before = before

    def write(self, data: Any) -> int:
        """Write, once that is allowed."""
        self._before()
        return super().write(data)


def _files() -> dict[str, int]:
    """The files of our own modules that are loaded, and when they were changed."""
    found = {}
    for name, module in list(sys.modules.items()):
        path = getattr(module, "__file__", None)
        if path and name.partition(".")[0] == "quaid":
            with suppress(OSError):
                found[path] = os.stat(path).st_mtime_ns
    return found


def _are_as_before(files: Mapping[str, int]) -> bool:
    """Whether none of these files was changed since."""
    try:
        return all(os.stat(path).st_mtime_ns == changed for path, changed in files.items())
    except OSError:
        return False


@contextmanager
def _alone(descriptor: int) -> Iterator[bool]:
    """Whether this is the only process that holds the lock of a file, as long as the block lasts."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield True
    except BlockingIOError:
        yield False
    finally:
        os.close(descriptor)
