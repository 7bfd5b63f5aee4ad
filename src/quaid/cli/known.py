"""The names that the program itself knows, for completion in the shell."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from quaid import operations
from quaid.agents import clients, hooks, skills


def names(kind: Literal["client", "event", "skill", "tool"], home: Path) -> Iterable[str]:
    """All names of a kind."""
    if kind == "client":
        return clients.NAMES
    if kind == "event":
        return hooks.EVENTS
    if kind == "skill":
        found = skills.candidates(skills.places(home, Path.cwd()))
        return [each.name for each in skills.active(found)]
    return [each.tool for each in operations.tools()]
