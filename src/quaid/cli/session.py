"""What a command of the shell works with: where it stands and which memory is meant."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from quaid.app import App, Surroundings, find_memory, open_app
from quaid.app.entrance import WORKER, person_settings
from quaid.cli.console import Console
from quaid.model.record import record
from quaid.operations.text import Style
from quaid.settings import Settings


@record
class Session:
    """One run of the program."""

    db: str | None
    console: Console
    environment: Mapping[str, str]
    here: Path
    home: Path

    @property
    def settings(self) -> Settings:
        """The settings that hold whatever the memory."""
        return person_settings(self.home, self.environment)

    @property
    def memory(self) -> Path:
        """The memory's file."""
        return find_memory(self.db, self.environment, self.here, self.home)

    @property
    def surroundings(self) -> Surroundings:
        """What the memory may know of where it is used."""
        out = self.console
        return Surroundings(
            environment=self.environment,
            home=self.home,
            progress=out.progress(),
            ask=out.ask,
            notify=out.notify,
            here=self.here,
            spelled=None if out.as_json else lambda operation, result: operation.render(result, Style()),
            worker=WORKER,
        )

    @cached_property
    def app(self) -> App:
        """The memory, opened."""
        return self.open_memory(self.memory)

    def open_memory(self, path: Path, *, mending: bool = False) -> App:
        """Some memory, opened as this run of the program would."""
        return open_app(path, self.settings, self.surroundings, mending=mending)
