"""Processes that end themselves just before their n-th step, for any n.

A step is a call that changes a file, starts a program, or begins or ends a transaction.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# Answers orders, each in a process of its own that shares the modules that are loaded already.
SERVER = """
import json, os, signal, sys, traceback
from pathlib import Path

import apsw

import quaid.operations, quaid.vault.sync
from quaid.app import Surroundings, open_app
from quaid.cli import ai_kb
from quaid.operations import decode, operation, run
from quaid.settings import Settings

CHANGING = {"open", "write", "fsync", "replace", "rename", "unlink", "mkdir", "chmod", "fork_exec"}
quaid.operations.operations()
quaid.vault.sync.COMMIT_EVERY = 0  # so that a sync has many ends of transactions
quaid.vault.sync.FEW, quaid.vault.sync.AT_ONCE = 0, 4  # and stores some new pages together
answers = os.dup(1)
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def say(*words):
    os.write(answers, (" ".join(map(str, words)) + "\\n").encode())


def mortal(point):
    passed = 0

    def look(frame, event, called):
        nonlocal passed
        if event != "c_call":
            return
        of_store = frame.f_globals.get("__name__") == "quaid.store.connection"
        of_system = called.__module__ in ("posix", "_posixsubprocess") and called.__name__ in CHANGING
        if of_system or (of_store and isinstance(called.__self__, apsw.Connection)):
            passed += 1
            if passed == point:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.setprofile(look)
    return lambda: passed


def together(app, texts):
    with app.store.write():
        for slug, text in texts.items():
            if text is None:
                app.collection().remove(slug)
            else:
                app.collection().put(slug, text)


def write(folder, steps):
    around = Surroundings(dict(os.environ), Path.home())
    app = open_app(Path(folder) / ".quaid" / "memory.db", Settings(), around)
    for number, (name, values) in enumerate(steps):
        if name == "together":
            together(app, values)
        else:
            chosen = operation(name)
            run(app, chosen, decode(chosen.arguments, values, tool=False))
        say("done", number)


def obey(environment, point, command, folder, steps):
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.environ.clear()
    os.environ.update(environment)
    passed = mortal(point)
    if command:
        assert ai_kb.main(command) == 0
    else:
        write(folder, steps)
    sys.setprofile(None)
    say("passed", passed())


say("ready")
for line in sys.stdin:
    child = os.fork()
    if not child:
        try:
            obey(*json.loads(line))
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    say("ended", os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0)
"""

Step = tuple[str, object]


class Killer:
    """Runs writes in processes that end where they are told to."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def command(self, words: list[str], point: int = 0) -> int:
        """Run `ai-kb`; the steps that it passed, or 0 if it was killed."""
        return self._obeyed(point, words)[1]

    def write(self, folder: Path, steps: list[Step], point: int = 0) -> tuple[int, int]:
        """The writes that were acknowledged, and the steps that were passed if it was not killed."""
        return self._obeyed(point, [], str(folder), steps)

    def _obeyed(
        self, point: int, command: list[str], folder: str = "", steps: list[Step] | None = None
    ) -> tuple[int, int]:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps([dict(os.environ), point, command, folder, steps or []]) + "\n")
        self._process.stdin.flush()
        done = passed = 0
        for line in self._process.stdout:
            word, number = line.split()
            if word == "ended":
                assert int(number) == (0 if passed else signal.SIGKILL), "it failed by itself"
                return done, passed
            done += word == "done"
            passed = int(number) if word == "passed" else passed
        raise AssertionError("the server failed")


@contextmanager
def killing() -> Iterator[Killer]:
    """A server that starts such processes."""
    with subprocess.Popen(
        [sys.executable, "-c", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
        yield Killer(process)
        assert process.stdin
        process.stdin.close()


def spread(count: int, most: int) -> list[int]:
    """Which of that many steps to be killed before: all if they are few, else the ends and some between."""
    if count <= most:
        return list(range(1, count + 1))
    return sorted({1 + round(number * (count - 1) / (most - 1)) for number in range(most)})
