"""Who embeds the texts of a memory: one process at a time, by a lock that goes when its process does.

The lock is on a file beside the memory. What the process notes in it says how fast it is, for those who want
to know how long it will take; it may be deleted at any time.
"""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import IO

from quaid.files import is_locked, open_own, read_own, try_lock
from quaid.model.record import record

NAME, WANTED = "embedding", "embedding-wanted"
ATTEMPTS, PAUSE = 10, 0.02  # to take a lock at which somebody may just be looking; seconds between them
MOST_BYTES = 10_000


@record
class Work:
    """What the process that embeds noted last. `problem` is why it ended before all was done."""

    pid: int
    at: float  # in seconds since 1970
    rate: float = 0.0  # texts a second
    problem: str = ""


class Lease:
    """A lock on a file beside a memory."""

    def __init__(self, database: Path, name: str = NAME) -> None:
        self.path = database.with_name(f"{database.name}.{name}")
        self._file: IO[bytes] | None = None

    def take(self) -> bool:
        """Hold it until it is released, unless another process does; the answer is whether."""
        file = open_own(self.path)
        for attempt in range(ATTEMPTS):
            if try_lock(file):
                self._file = file
                return True
            if attempt < ATTEMPTS - 1:
                time.sleep(PAUSE)
        file.close()
        return False

    def release(self) -> None:
        """Let others have it."""
        if self._file:
            self._file.close()
            self._file = None

    @property
    def is_taken(self) -> bool:
        """Whether some process holds it."""
        return is_locked(self.path)

    def note(self, rate: float = 0.0, problem: str = "") -> None:
        """Say how it goes. Whoever cannot be told goes without."""
        noted = {"pid": os.getpid(), "at": time.time(), "rate": round(rate, 3), "problem": problem}
        with suppress(OSError):
            if self._file:
                self._file.seek(0)
                self._file.write(json.dumps(noted).encode())
                self._file.truncate()
                self._file.flush()

    @property
    def last_note(self) -> Work | None:
        """What was noted last, by a process that may have ended."""
        try:
            known = json.loads(read_own(self.path, MOST_BYTES))
            return Work(int(known["pid"]), float(known["at"]), float(known["rate"]), str(known["problem"]))
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None
