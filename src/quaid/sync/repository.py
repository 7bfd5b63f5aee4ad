"""A git repository, and the surroundings in which it is used."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from quaid.model.record import record
from quaid.trust import Trust

if TYPE_CHECKING:
    from datetime import datetime

    from quaid.sync.git import Git


@record
class Repository:
    """A folder under git, whose it is and where."""

    root: Path
    environment: Mapping[str, str]
    home: Path
    fetch_timeout: float | None = None  # seconds; None: what git's own settings say
    trusts: Callable[[Path], bool] | None = None  # whether the person trusts a folder; None: as they noted it

    @property
    def is_trusted(self) -> bool:
        """Whether git may run here, and what came with the folder is believed."""
        return self.accepts(self.root)

    @cached_property
    def trust(self) -> Trust:
        """What the person accepted."""
        return Trust(self.home)

    @property
    def accepts(self) -> Callable[[Path], bool]:
        """What tells whether the person trusts a folder."""
        return self.trusts or self.trust.accepts

    @cached_property
    def git(self) -> Git:
        """The git program, run here."""
        from quaid.sync.git import Git  # what is only read does without

        return Git(self.root, self.environment, self.fetch_timeout, self.accepts)

    @property
    def state_place(self) -> Path:
        """Where the person's machine keeps what it knows of the folder; a file there has a suffix."""
        from hashlib import sha256  # it loads OpenSSL, which a question does without

        stated = self.environment.get("XDG_STATE_HOME") or ""
        base = Path(stated) if os.path.isabs(stated) else self.home / ".local" / "state"
        root = os.path.realpath(self.root)
        mark = sha256(os.fsencode(root)).hexdigest()[:8]
        return base / "ai-kb" / f"{os.path.basename(root)}-{mark}"

    @property
    def moment(self) -> datetime:
        """Now, where the person is."""
        from datetime import datetime  # what is only read does without

        return datetime.now().astimezone()

    @property
    def today(self) -> str:
        return self.moment.strftime("%Y-%m-%d")

    def file(self, path: str) -> Path:
        """A file by its path below the root."""
        return self.root / path


def path_list(paths: Sequence[str]) -> str:
    """Some paths for a message, and how many more there are."""
    shown = ", ".join(paths[:_SHOWN])
    return shown if len(paths) <= _SHOWN else f"{shown} and {len(paths) - _SHOWN} more"


def plural(noun: str, count: int) -> str:
    """A noun as the count wants it."""
    return noun if count == 1 else noun + "s"


_SHOWN = 5
# What git has in its directory while something is under way that a person began.
UNFINISHED = {
    "MERGE_HEAD": "merge",
    "rebase-merge": "rebase",
    "rebase-apply": "rebase",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
}
