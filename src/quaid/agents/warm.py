"""A process that keeps a memory open and its model loaded, so that a hook need not wait for that.

It listens at a socket in the person's own `~/.quaid/run`, whose name is made from the memory's path and our
version. Nothing of a stranger is ever asked: not their memory, and no socket that lies beside it. Each
connection is one request and one answer, a line of JSON each. Whoever asks waits for a moment only and does
without, if nobody answers.
"""

from __future__ import annotations

import hashlib
import json
import os
import select
import socket
import stat
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from quaid import __version__
from quaid.app import App
from quaid.errors import QuaidError
from quaid.files import make_private_directory
from quaid.store import config

DIRECTORY = ".quaid/run"
CONNECTING = 0.05  # seconds: a socket whose process hangs is not waited for
ANSWERING = 0.9  # seconds for an answer, from the request on
READING = 2.0  # seconds for a request
LONGEST_PATH = 100  # bytes of a socket's path; systems allow 104 or 108
MOST_BYTES = 1_000_000
LOOK = 1.0  # seconds between two looks at whether the memory is still there

Answer = Callable[[App, Mapping[str, Any]], Any]


def socket_path(memory: Path, home: Path) -> Path | None:
    """Where the process of a memory listens; None where there can be none."""
    if not hasattr(socket, "AF_UNIX"):
        return None
    name = hashlib.sha256(f"{__version__}\0{os.path.realpath(memory)}".encode()).hexdigest()[:16]
    path = home / DIRECTORY / f"{name}.sock"
    return path if len(os.fsencode(path)) <= LONGEST_PATH else None


def ask(memory: Path, home: Path, call: str, values: Mapping[str, Any]) -> Any:
    """What the process of a memory answers; None where there is none, or none that answers in time."""
    path = socket_path(memory, home)
    if path is None or not _is_own_socket(path):
        return None
    request = json.dumps({"call": call, "values": dict(values)}).encode() + b"\n"
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as talk:
            talk.settimeout(CONNECTING)
            talk.connect(str(path))
            talk.sendall(request)
            answer = json.loads(_line(talk, ANSWERING))
    except (OSError, ValueError, RecursionError):
        return None
    return answer.get("result") if isinstance(answer, dict) else None


def is_there(memory: Path, home: Path) -> bool:
    """Whether somebody listens for a memory."""
    path = socket_path(memory, home)
    if path is None or not _is_own_socket(path):
        return False
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as talk:
            talk.settimeout(CONNECTING)
            talk.connect(str(path))
    except OSError:
        return False
    return True


def serve(app: App, calls: Mapping[str, Answer], idle: float) -> bool:
    """Answer until nobody has asked for so many seconds; false where another process does so already."""
    path = socket_path(app.store.path, app.home)
    if path is None:
        return False
    make_private_directory(path.parent)
    with _alone(path.with_suffix(".lock")) as first:
        if not first:
            return False
        with suppress(QuaidError):
            app.models.warm_up()  # who is there can answer at once
        with suppress(FileNotFoundError):
            path.unlink()  # of a process that is gone: the lock says so
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
            before = os.umask(0o177)
            try:
                listening.bind(str(path))
            finally:
                os.umask(before)
            listening.listen(8)
            try:
                _answer_all(listening, app, calls, idle)
            finally:
                with suppress(OSError):
                    path.unlink()
    return True


def _answer_all(listening: socket.socket, app: App, calls: Mapping[str, Answer], idle: float) -> None:
    identity, values = _identity(app.store.path), config.values(app.connection)
    end = time.monotonic() + idle
    while time.monotonic() < end and _identity(app.store.path) == identity:
        if select.select([listening], [], [], min(LOOK, idle))[0]:
            talk, _ = listening.accept()
            with talk, suppress(OSError):
                now = config.values(app.connection)
                app, values = (app, values) if now == values else (app.reread(), now)
                if _answer(talk, app, calls):
                    end = time.monotonic() + idle


def _answer(talk: socket.socket, app: App, calls: Mapping[str, Answer]) -> bool:
    """Answer one request; a connection that says nothing was only a look whether we are there."""
    data = _line(talk, READING)
    if not data.strip():
        return False
    answer: dict[str, Any]
    try:
        request = json.loads(data)
        answer = {"result": calls[request["call"]](app, request["values"])}
    except QuaidError as error:
        answer = {"error": error.as_dict()}
    except Exception as error:  # surface: one bad request must not end the process
        answer = {"error": {"message": f"{type(error).__name__}: {error}"}}
    talk.settimeout(READING)
    talk.sendall(json.dumps(answer).encode() + b"\n")
    return True


def _line(talk: socket.socket, seconds: float) -> bytes:
    """What is said up to the end of a line, within a time."""
    data = b""
    end = time.monotonic() + seconds
    while not data.endswith(b"\n") and len(data) < MOST_BYTES:
        left = end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        talk.settimeout(left)
        more = talk.recv(1 << 16)
        if not more:
            break
        data += more
    return data


def _is_own_socket(path: Path) -> bool:
    """Whether a path is a socket of this user in a folder that is theirs alone."""
    try:
        facts, folder = os.lstat(path), os.lstat(path.parent)
    except OSError:
        return False
    private = stat.S_ISDIR(folder.st_mode) and not folder.st_mode & 0o077
    return private and stat.S_ISSOCK(facts.st_mode) and facts.st_uid == folder.st_uid == os.geteuid()


@contextmanager
def _alone(path: Path) -> Iterator[bool]:
    """Whether this is the only process that holds a lock, as long as the block lasts."""
    import fcntl  # where there are no such sockets, there is none

    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield True
    except BlockingIOError:
        yield False
    finally:
        os.close(descriptor)


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file is at a path."""
    try:
        facts = path.stat()
    except OSError:
        return None
    return facts.st_dev, facts.st_ino
