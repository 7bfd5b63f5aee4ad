"""Asking the process that stands by: it has all modules and the model loaded, and runs commands for this one.

What it runs is the command line itself, in a process of its own that it forks: with our words, directory,
environment and streams. So the answer is the same, and comes sooner. It listens at a socket in the person's
`~/.quaid/run`, whose name is made from our version and file. Where it is missing, is not the person's, was
loaded from other files, or does not answer in time, the command runs here, as it would without it.

Whoever asks pays for every import, so this module has as few as possible.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # `signal` and `socket` take milliseconds to load
import os
import stat
import sys

from quaid import __version__
from quaid.home import home_directory

TYPE_CHECKING = False
if TYPE_CHECKING:
    import _socket
    from collections.abc import Sequence

SETTING = "QUAID_WARM_MINUTES"
COMMANDS = ("query", "recall", "novelty", "hook")  # those that a model answers
VALUED = ("--db", "--kb")  # options before a command that are followed by a value
CONNECTING = 0.1  # seconds: a socket whose process hangs is not waited for
BEGINNING = 1.0  # seconds until it says that it can run the command
ANSWERING = 10.0  # seconds until it has something to say
LONGEST_PATH = 100  # bytes of a socket's path; systems allow 104 or 108
STREAMS = (0, 1, 2)
FAILED = 1
# What is said over the connection, a byte each.
READY, RUN, SPEAK, GO, ENDED, REFUSED = b"r", b"R", b"s", b"G", b"e", b"x"


def place() -> str | None:
    """Where the process listens; None where there can be none."""
    if sys.platform != "linux":  # elsewhere, libraries do not survive a fork
        return None
    facts = os.stat(__file__)
    path = f"{home_directory()}/.quaid/run/{__version__}-{facts.st_dev:x}-{facts.st_ino:x}.sock"
    return path if len(os.fsencode(path)) <= LONGEST_PATH else None


def is_there() -> bool:
    """Whether there is such a process, as far as a look tells."""
    path = place()
    return path is not None and _is_own_socket(path)


def is_meant(words: Sequence[str]) -> bool:
    """Whether a model answers a command."""
    start = 0
    while start < len(words) and words[start].startswith("-"):
        start += 2 if words[start] in VALUED else 1
    start += words[start : start + 1] in (["kb"], ("kb",))  # `quaid kb query` is `ai-kb query`
    named = start < len(words) and words[start] in COMMANDS
    return (named or "--semantic" in words) and not {"--help", "-h", "-"} & {*words}


def ran(program: str, words: Sequence[str]) -> int | None:
    """The exit status of a command that was run for us; None where it is still to be run."""
    path = place()
    if path is None or os.environ.get(SETTING) == "0" or not _is_own_socket(path):
        return None
    import _socket  # only where somebody listens

    try:
        talk = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
        try:
            talk.settimeout(CONNECTING)
            talk.connect(path)
            talk.settimeout(BEGINNING)
            talk.sendall(request(program, words))
            return _follow(talk)
        finally:
            talk.close()
    except OSError:
        return None


def request(program: str, words: Sequence[str]) -> bytes:
    """All that makes a command what it is, but for its streams."""
    umask = os.umask(0o077)
    os.umask(umask)
    facts = (sys.executable, program, os.getcwd(), str(umask), str(os.getsid(0)), str(len(words)), *words)
    told = [os.fsencode(fact) for fact in facts]
    told += [name + b"=" + value for name, value in os.environb.items()]
    body = b"\0".join(told)
    return len(body).to_bytes(4, "big") + body


def _follow(talk: _socket.socket) -> int | None:
    """Wait for the end. Until it may speak, the command can still be run here."""
    import _socket

    told = _bytes_from(talk, 5)
    if told[:1] != READY:
        return None
    process = int.from_bytes(told[1:], "big")
    passing = _Passing(process)
    try:
        # Not before: whoever waits for the end of what we write must not wait for a process that hangs.
        streams = b"".join(number.to_bytes(4, sys.byteorder) for number in STREAMS)
        talk.sendmsg([RUN], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, streams)])
        talk.settimeout(ANSWERING)
        told = _bytes_from(talk, 2)
        if told[:1] != SPEAK:
            return told[1] if told[:1] == ENDED else None
        talk.settimeout(None)
        talk.sendall(GO)
        told = _bytes_from(talk, 2)
        if told[:1] == ENDED:
            return told[1]
        print("quaid: the process that ran this command has ended before it. Ask again.", file=sys.stderr)
        return FAILED
    except TimeoutError:
        passing.send(_signal.SIGKILL)
        return None
    finally:
        passing.end()


def _bytes_from(talk: _socket.socket, count: int) -> bytes:
    """So many bytes, or those that come before the end; what asks to speak is one alone."""
    data = b""
    while len(data) < count and data[:1] not in (SPEAK, REFUSED):
        more = talk.recv(count - len(data))
        if not more:
            break
        data += more
    return data


class _Passing:
    """Passes signals on to the process that runs the command."""

    def __init__(self, process: int) -> None:
        self._process = process
        wanted = (_signal.SIGINT, _signal.SIGTERM)
        self._before = {each: _signal.signal(each, lambda number, _: self.send(number)) for each in wanted}

    def send(self, number: int) -> None:
        """Pass one on."""
        try:  # noqa: SIM105  # contextlib is an import more
            os.kill(self._process, number)
        except ProcessLookupError:
            pass

    def end(self) -> None:
        """From now on they are for us."""
        for each, before in self._before.items():
            _signal.signal(each, before)


def _is_own_socket(path: str) -> bool:
    """Whether a path is a socket of this user in a folder that is theirs alone."""
    try:
        facts, folder = os.lstat(path), os.lstat(os.path.dirname(path))
    except OSError:
        return False
    private = stat.S_ISDIR(folder.st_mode) and not folder.st_mode & 0o077
    return private and stat.S_ISSOCK(facts.st_mode) and facts.st_uid == folder.st_uid == os.geteuid()
