"""What changes together with a memory, such as files: before a commit, or not at all."""

from __future__ import annotations

from typing import Protocol

import apsw


class Companion(Protocol):
    """What changes together with the memory: its changes are made before a commit, or undone."""

    def begin(self, connection: apsw.Connection) -> None:
        """The write lock is held: finish what somebody left behind."""

    def prepare(self, connection: apsw.Connection) -> None:
        """Make the changes; the commit follows."""

    def undo(self) -> None:
        """There was no commit."""

    def finish(self) -> None:
        """There was a commit."""
