"""A line for each request: who asked for what, and how long it took. Never what was said."""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from quaid.errors import StorageFailed
from quaid.files import PRIVATE_FILE
from quaid.model.record import fields_of, record


@record
class Line:
    """What is told of a request."""

    token: str  # its name; empty for whoever has none that is known
    address: str
    operation: str
    status: int
    ms: float


class Log:
    """Where the lines go: each is added whole, so that another program may move or cut the file."""

    def __init__(self, descriptor: int | None = None) -> None:
        self._descriptor = descriptor

    @classmethod
    def open_log(cls, name: str | None) -> Log:
        """A file that is added to, standard error for `-`, or nothing at all."""
        if not name:
            return cls()
        if name == "-":
            return cls(sys.stderr.fileno())
        flags = os.O_CREAT | os.O_APPEND | os.O_WRONLY
        try:
            return cls(os.open(Path(name).expanduser(), flags, PRIVATE_FILE))
        except OSError as error:
            raise StorageFailed(
                f"{name} cannot be written: {error.strerror}", hint="--log names a file, or - for here."
            ) from None

    def note(self, line: Line) -> None:
        """Write a line; a disk that is full stops no answer."""
        if self._descriptor is None:
            return
        now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        told = {each.name: getattr(line, each.name) for each in fields_of(Line)}
        with suppress(OSError):
            os.write(self._descriptor, json.dumps({"time": now} | told).encode() + b"\n")
