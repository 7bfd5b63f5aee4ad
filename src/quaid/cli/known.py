"""The names that the program itself knows, for completion in the shell."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from quaid import operations
from quaid.agents.hooks import events
from quaid.agents.setup import clients
from quaid.agents.skills import library


def names(kind: Literal["client", "event", "skill", "tool"], home: Path) -> Iterable[str]:
    """All names of a kind."""
    if kind == "client":
        return clients.NAMES
    if kind == "event":
        return events.EVENTS
    if kind == "skill":
        found = library.candidates(library.places(home, Path.cwd()))
        return [each.name for each in library.active(found)]
    return [each.tool for each in operations.tools()]
