"""A knowledge base that is written to: its directory, git, and the surroundings in which it is used."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from quaid.errors import InvalidInput
from quaid.kb.git import Git
from quaid.model.record import record
from quaid.trust import Trust


@record
class Kb:
    """One knowledge base, and the surroundings in which it is used."""

    root: Path
    git: Git
    environment: Mapping[str, str]
    home: Path

    @property
    def moment(self) -> datetime:
        """Now, where the person is."""
        return datetime.now().astimezone()

    @property
    def today(self) -> str:
        return self.moment.strftime("%Y-%m-%d")

    def file(self, path: str) -> Path:
        """A file by its path below the root."""
        return self.root / path


def as_kb(root: Path, environment: Mapping[str, str], home: Path, fetch_timeout: float | None = None) -> Kb:
    """A knowledge base that need not exist yet."""
    return Kb(root, Git(root, environment, fetch_timeout, Trust(home).accepts), environment, home)


def opened(root: Path, environment: Mapping[str, str], home: Path) -> Kb:
    """The same, as the environment wants it: AI_KB_FETCH_TIMEOUT is in seconds."""
    seconds = environment.get("AI_KB_FETCH_TIMEOUT") or ""
    try:
        return as_kb(root, environment, home, float(seconds) if seconds else None)
    except ValueError:
        raise InvalidInput(f"AI_KB_FETCH_TIMEOUT must be a number of seconds, not {seconds!r}") from None
