"""Processes that read files while this one stores what they say: python -m quaid.vault.readers.

They are programs of their own, not forks, so that it does not matter what threads this process has. Each ends
when nobody asks it any more, as when whoever started it was killed. Where there can be none, this process
reads.
"""

from __future__ import annotations

import gc
import os
import sys
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO, Any, TypeVar, cast

from quaid.vault.readings import Folder, Result, Task, read_ahead

Question = TypeVar("Question", Folder, list[Task])
LEAST = 400  # files for which it pays to start others
MOST = 2  # processes: together they read about as fast as one stores
AT_ONCE = 32  # files that a process is asked for at once
LONGEST = 2048  # characters of their paths: all that is asked must fit into a pipe that nobody reads yet
AHEAD = 5  # questions that a process has at once: it reads on while this one stores many pages
OBJECTS = 20_000  # that are made before a reader looks for circles among them
ROOM = 1 << 20  # bytes of answers that a pipe may hold, so that nobody waits for whoever stores
# Without the current directory among the places of modules: it may be anybody's.
COMMAND = (sys.executable, "-P", "-m", "quaid.vault.readers")


def read_all(home: Folder, tasks: Sequence[Task]) -> Generator[Result, None, None]:
    """What files say, in their order, read by as many processes as it pays to have."""
    count = possible() if len(tasks) >= LEAST else 0
    with _processes(home, count) as readers:
        waiting = deque(_batches(tasks))
        asked: deque[tuple[_Reader, list[Task]]] = deque()
        for reader in readers * AHEAD:
            if waiting:
                asked.append((reader, reader.ask(waiting.popleft())))
        while asked:
            reader, batch = asked.popleft()
            answer = reader.answer()
            if waiting:
                asked.append((reader, reader.ask(waiting.popleft())))
            yield from read_ahead(home, batch) if answer is None else answer
        for batch in waiting:
            yield from read_ahead(home, batch)


def possible() -> int:
    """One for each core that this process may use; on a single one, nothing is won."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, MOST) if cores > 1 and sys.executable else 0


def _batches(tasks: Sequence[Task]) -> Iterator[list[Task]]:
    batch: list[Task] = []
    length = 0
    for task in tasks:
        length += len(task.path)
        if batch and (len(batch) == AT_ONCE or length > LONGEST):
            yield batch
            batch, length = [], len(task.path)
        batch.append(task)
    if batch:
        yield batch


class _Reader:
    """One process."""

    def __init__(self, home: Folder) -> None:
        import subprocess  # start-up: only where there is much to do

        self._process = subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            process_group=0,  # ^C is for whoever stores; this one ends with it
        )
        self._questions = cast("IO[bytes]", self._process.stdin)
        self._answers = cast("IO[bytes]", self._process.stdout)
        self._is_well = True
        with suppress(ImportError, AttributeError, OSError):  # where the system cannot, the reader waits
            import fcntl  # which Windows does not have

            fcntl.fcntl(self._answers.fileno(), fcntl.F_SETPIPE_SZ, ROOM)
        self.ask(home)

    def ask(self, question: Question) -> Question:
        """Ask for files, or say in which folder they are; the answer is the question."""
        try:
            if self._is_well:
                _put(self._questions, question)
        except OSError:
            self._is_well = False
        return question

    def answer(self) -> list[Result] | None:
        """What the files say that were asked for first; None if that will never be known."""
        if not self._is_well:
            return None
        try:
            found: list[Result] = _get(self._answers)
        except (OSError, EOFError):
            self._is_well = False
            return None
        return found

    def close(self) -> None:
        """Let the process go, whatever it is doing."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._questions, self._answers):
            with suppress(OSError):
                pipe.close()


@contextmanager
def _processes(home: Folder, count: int) -> Iterator[list[_Reader]]:
    """As many processes as there can be, as long as the block runs."""
    readers: list[_Reader] = []
    try:
        with suppress(OSError):  # where no process may be started, there is this one
            readers.extend(_Reader(home) for _ in range(count))
        yield readers
    finally:
        for reader in readers:
            reader.close()


def _put(pipe: IO[bytes], value: object) -> None:
    import pickle  # start-up: only where there is much to do

    pipe.write(pickle.dumps(value, pickle.HIGHEST_PROTOCOL))
    pipe.flush()


def _get(pipe: IO[bytes]) -> Any:
    import pickle  # start-up: only where there is much to do

    try:
        return pickle.load(pipe)  # noqa: S301 - nobody but the process at the other end can write into it
    except (pickle.UnpicklingError, AttributeError, ImportError, IndexError, ValueError) as error:
        raise EOFError from error  # an interpreter that prints something when it starts


def main() -> None:
    """Answer until nobody asks any more."""
    questions, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anybody prints is no answer
    gc.freeze()  # what is read of a file hardly has circles, and is gone with the answer
    gc.set_threshold(OBJECTS)
    with suppress(EOFError, OSError):
        home: Folder = _get(questions)
        while True:
            tasks: list[Task] = _get(questions)
            _put(answers, list(read_ahead(home, tasks)))
    os._exit(0)


if __name__ == "__main__":
    main()
