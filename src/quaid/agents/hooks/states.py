"""What hooks remember of a conversation between two calls: a small file for each, which may be lost."""

from __future__ import annotations

import hashlib
import json
import os
import re
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from quaid.files import make_private_directory, replace_file

DIRECTORY = ".quaid/hooks"
KEPT_DAYS = 14
MOST_SHOWN = 200
MOST_BYTES = 100_000
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


class State:
    """Whether the agent was asked to write down, what it was shown, and how far its transcript is indexed."""

    def __init__(
        self,
        fired: bool = False,
        shown: tuple[str, ...] = (),
        indexed_size: int = 0,
        indexed_at: float = 0.0,
        looked_size: int = 0,
    ) -> None:
        self.fired = fired
        self.shown = shown
        self.indexed_size = indexed_size
        self.indexed_at = indexed_at
        self.looked_size = looked_size

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> State:
        """A state from a file, which may hold anything."""
        shown, size, at = data.get("shown"), data.get("indexed_size"), data.get("indexed_at")
        looked = data.get("looked_size")
        return cls(
            fired=data.get("fired") is True,
            shown=tuple(each for each in shown if isinstance(each, str)) if isinstance(shown, list) else (),
            indexed_size=size if isinstance(size, int) else 0,
            indexed_at=float(at) if isinstance(at, (int, float)) else 0.0,
            looked_size=looked if isinstance(looked, int) else 0,
        )

    def data(self) -> dict[str, Any]:
        """What is written to the file."""
        return vars(self) | {"shown": list(self.shown[-MOST_SHOWN:])}

    def new_window(self) -> None:
        """The window is emptied: what was shown in it is gone, and it may fill up again."""
        self.fired, self.shown = False, ()


class States:
    """The states of all conversations, in a folder of the person's own."""

    def __init__(self, home: Path) -> None:
        self._directory = home / DIRECTORY

    def load(self, session: str) -> State:
        """The state of a conversation; that of a new one if there is none, or if it cannot be read."""
        try:
            with self._path(session).open("rb") as file:
                data = json.loads(file.read(MOST_BYTES))
        except (OSError, ValueError, RecursionError):
            return State()
        return State.read(data) if isinstance(data, dict) else State()

    def save(self, session: str, state: State) -> bool:
        """Keep a state; the answer is whether that was possible."""
        try:
            make_private_directory(self._directory)
            replace_file(self._path(session), json.dumps(state.data()).encode(), "state-")
        except OSError:
            return False
        return True

    def clean(self) -> None:
        """Remove the states of conversations that ended long ago, and what an interrupted call left."""
        oldest = time.time() - KEPT_DAYS * 86_400
        with suppress(OSError), os.scandir(self._directory) as entries:
            for entry in entries:
                with suppress(OSError):
                    if entry.name.endswith((".json", ".tmp")) and entry.stat().st_mtime < oldest:
                        os.unlink(entry.path)

    def _path(self, session: str) -> Path:
        """A file name that no session's name can lead astray."""
        named = _PLAIN.fullmatch(session)
        name = session if named else hashlib.sha256(session.encode(errors="replace")).hexdigest()[:32]
        return self._directory / f"{name}.json"
