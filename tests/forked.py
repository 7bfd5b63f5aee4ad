"""`quaid` and `ai-kb` as processes that need not load their modules: they are forked from one that has.

A test that starts a server, or a document with dozens of commands, spends most of its time on imports. Here
a small program takes the place of `quaid`: it hands its arguments, environment and open files to a process
that has everything loaded, which forks; then it passes signals on, and ends as the fork ends. What only a new
interpreter shows (encodings, what is loaded, how it starts) is tested with the program itself.
"""

from __future__ import annotations

import atexit
import gc
import marshal
import os
import pkgutil
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from contextlib import suppress
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import NoReturn

INSTALLED = Path(sys.executable).parent
SIZE = 4  # bytes of a number that is sent
# Modules of C alone, and no site: it starts in a few milliseconds.
STAND_IN = """#!{python} -IS
import marshal, posix, sys
import _signal, _socket

talk = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
talk.connect({place!r})
order = marshal.dumps((sys.argv[0], sys.argv[1:], dict(posix.environ), posix.getcwdb()))
files = b"".join(number.to_bytes({size}, sys.byteorder) for number in (0, 1, 2))
talk.sendmsg([len(order).to_bytes({size}, "big")], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, files)])
talk.sendall(order)
for number in (_signal.SIGINT, _signal.SIGTERM, _signal.SIGHUP):
    _signal.signal(number, lambda number, frame: talk.send(bytes([number])))
status = int.from_bytes(talk.recv({size}), "big", signed=True)
if status < 0:
    if -status != _signal.SIGKILL:
        _signal.signal(-status, _signal.SIG_DFL)
    posix.kill(posix.getpid(), -status)
posix._exit(status)
"""


@lru_cache(maxsize=1)
def programs() -> Path:
    """The directory of `quaid` and `ai-kb`: stand-ins, where the system can tell when a process ends."""
    if not hasattr(os, "pidfd_open"):
        return INSTALLED
    folder = Path(tempfile.mkdtemp(prefix="q"))
    for name in ("quaid", "ai-kb"):
        (folder / name).write_text(
            STAND_IN.format(python=sys.executable, place=str(folder / "socket"), size=SIZE)
        )
        (folder / name).chmod(0o755)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(folder / "socket"))
        listening.listen(64)
        server = subprocess.Popen(
            [sys.executable, "-P", __file__, str(listening.fileno()), folder],
            stdin=subprocess.PIPE,
            pass_fds=[listening.fileno()],
        )
    atexit.register(server.communicate)  # it ends, and removes the directory, when nobody can speak to it
    return folder


# In the process that has everything loaded -----------------------------------------------------------


def serve(listening: socket.socket) -> None:
    """Fork for each stand-in that comes, until the tests end."""
    load()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is for the tests
    while select.select([listening, sys.stdin], [], [])[0] != [sys.stdin]:
        talk, _ = listening.accept()
        if os.fork() == 0:
            listening.close()
            keep(talk)
        talk.close()
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


def load() -> None:
    """Load the modules and read the networks; in a fork both are there at once, and nothing is in use."""
    import quaid

    for found in pkgutil.walk_packages(quaid.__path__, "quaid."):
        if not found.name.endswith("__main__"):
            with suppress(ImportError):  # of a package that is optional
                import_module(found.name)
    keep_networks()
    gc.freeze()


def keep_networks() -> None:
    """Read each network once: half a second of every server and every question goes into that."""
    from quaid.embed import judge, rerank, weights
    from quaid.embed.onnx import silence_runtime

    silence_runtime()
    import onnxruntime

    kept: dict[object, object] = {}
    reading = onnxruntime.InferenceSession

    def session(network: str | bytes, *options: object, **more: object) -> object:
        key: object = network
        if isinstance(network, str):
            facts = os.stat(network)
            key = (network, facts.st_ino, facts.st_size, facts.st_mtime_ns)
        if key not in kept:
            kept[key] = reading(network, *options, **more)
        return kept[key]

    onnxruntime.InferenceSession = session
    ask()
    for opened in (judge._judge_at, rerank._reranker_at, weights._embedder_at):
        opened.cache_clear()  # who asks first loads a model, and knows that it did


def ask() -> None:
    """A question that every network has a part in."""
    from quaid.app import App
    from quaid.operations import call
    from quaid.settings import Settings
    from quaid.store.connection import Store

    with tempfile.TemporaryDirectory() as folder:
        app = App(Store.create(Path(folder) / "memory.db"), Settings())
        app.collection().put("page", "# A page\n\n- It was made in Rome.\n- It was not made in Rome.\n")
        for name, values in (("memory_query", {"question": "Where?"}), ("memory_check", {"all": True})):
            call(app, name, values)
        app.models.warm_up()
        app.store.close()


def keep(talk: socket.socket) -> NoReturn:
    """Run what a stand-in stands for; it is killed with it, and told of its signals."""
    head, files, _, _ = socket.recv_fds(talk, SIZE, 3)
    order = talk.recv(int.from_bytes(head, "big"), socket.MSG_WAITALL)
    child = os.fork()
    if child == 0:
        talk.close()
        name, words, environment, directory = marshal.loads(order)
        run(name, words, environment, directory, files)
    for number in files:
        os.close(number)
    ended = os.pidfd_open(child)
    while ended not in select.select([talk.fileno(), ended], [], [])[0]:
        for number in talk.recv(9) or [signal.SIGKILL]:
            os.kill(child, number)
    _, status = os.waitpid(child, 0)
    with suppress(OSError):
        talk.sendall(os.waitstatus_to_exitcode(status).to_bytes(SIZE, "big", signed=True))
    os._exit(0)


def run(
    name: str, words: list[str], environment: dict[bytes, bytes], directory: bytes, files: list[int]
) -> NoReturn:
    """Be the program, but for the time that an interpreter takes to forget all its modules."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.chdir(directory)
    os.environb.clear()
    os.environb.update(environment)
    time.tzset()
    sys.argv = [str(INSTALLED / Path(name).name), *words]
    sys.stdin, sys.stdout, sys.stderr = (
        os.fdopen(number, mode, buffering, closefd=False)
        for number, mode, buffering in ((0, "r", -1), (1, "w", -1), (2, "w", 1))
    )
    status: object = 1
    try:
        main = import_module("quaid.cli.ai_kb" if Path(name).name == "ai-kb" else "quaid.cli.main").main
        status = main()
    except SystemExit as ended:
        status = ended.code
    except BaseException:
        traceback.print_exc()
    finally:
        threading._shutdown()  # type: ignore[attr-defined]  # it waits for threads, as an interpreter does
        atexit._run_exitfuncs()
        with suppress(OSError):
            sys.stdout.flush()
        os._exit(status if isinstance(status, int) else bool(status))


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as inherited:
        serve(inherited)
    shutil.rmtree(sys.argv[2])
