"""A memory on this machine, opened by the program itself."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from quaid import operations
from quaid.app import Surroundings, find_memory, user_memory
from quaid.app.discovery import DATABASE, is_memory
from quaid.app.entrance import WORKER, person_settings
from quaid.app.shared import Opening, SharedMemory
from quaid.errors import InvalidInput, NotFound
from quaid.home import home_directory
from quaid.library.memory import Caller
from quaid.operations.caller import calling
from quaid.operations.foundation import make_memory
from quaid.operations.operation import Operation
from quaid.trust import DIRECTORY


class LocalMemory:
    """A memory, opened for each thread that uses it."""

    def __init__(
        self,
        place: str | os.PathLike[str] | None,
        *,
        caller: Caller,
        create: bool,
        background: bool,
        notices: list[str],
    ) -> None:
        home = Path(home_directory())
        settings = person_settings(home, os.environ)
        around = Surroundings(
            environment=os.environ,
            home=home,
            notify=notices.append,
            worker=WORKER if background else (),
        )
        path = _place(place, home, create=create)
        self._path = path / DIRECTORY / DATABASE if path.is_dir() else path
        if create and not (is_memory(self._path) and self._path.stat().st_size):
            self._path = make_memory(path, settings, around).path
        self._caller = caller
        self._memory = SharedMemory(Opening(lambda: self._path, settings, around))
        self._memory.do(lambda app, _: None, notices)  # what is wrong with it is said at once

    def run(self, operation: Operation[Any, Any], arguments: Any, notices: list[str]) -> Any:
        """Run an operation, as this program."""
        with calling(self._caller.name, self._caller.session):
            return self._memory.do(lambda app, _: operations.run(app, operation, arguments), notices)

    def close(self) -> None:
        """Close the memory for all threads."""
        self._memory.close()

    def __str__(self) -> str:
        return str(self._path)


def _place(place: str | os.PathLike[str] | None, home: Path, *, create: bool) -> Path:
    """The file or the folder that is meant."""
    if place is not None and not os.fspath(place):
        raise InvalidInput("no memory is named", hint="Without a name, the usual one is opened.")
    try:
        found = find_memory(os.fspath(place) if place else None, os.environ, _here(home), home)
    except NotFound:
        if not create:
            raise
        found = user_memory(home)
    return found.absolute()


def _here(home: Path) -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError:  # the directory is gone
        return home
