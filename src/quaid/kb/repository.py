"""A knowledge base: its directory, git, its memory, and the surroundings in which it is used."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from quaid.errors import InvalidInput, QuaidError
from quaid.kb.base import demand_nodes
from quaid.kb.memory import Memory, has_memory, own_memory
from quaid.model.record import record
from quaid.sync.repository import Repository

if TYPE_CHECKING:
    from quaid.kb.nodes import Nodes
    from quaid.store.nodes import NodeRow


@record
class Kb(Repository):
    """One knowledge base, and the surroundings in which it is used."""

    @cached_property
    def memory(self) -> Memory:
        """The rows of its nodes, in its own `.quaid`."""
        demand_nodes(self.root)
        return own_memory(self)

    def close(self) -> None:
        """Let go of its memory, if it was opened."""
        if "memory" in self.__dict__:
            self.memory.close()

    def rows_by_path(self) -> Mapping[str, tuple[str, NodeRow]]:
        """What its memory has read of files, by path, with the hashes of their bytes. None is made for it."""
        try:
            return self.memory.rows_by_path() if "memory" in self.__dict__ or has_memory(self) else {}
        except QuaidError:  # it is derived: whoever reads files does without
            return {}

    def nodes(self) -> Nodes:
        """Its nodes as the files have them now."""
        from quaid.kb.nodes import Nodes  # a question by words is answered without it

        self.memory.refresh()
        return Nodes(self.memory)


def open_kb(root: Path, environment: Mapping[str, str], home: Path) -> Kb:
    """A knowledge base, which need not exist yet, as the environment wants it: a timeout is in seconds."""
    seconds = environment.get("AI_KB_FETCH_TIMEOUT") or ""
    try:
        return Kb(root, environment, home, float(seconds) if seconds else None)
    except ValueError:
        raise InvalidInput(f"AI_KB_FETCH_TIMEOUT must be a number of seconds, not {seconds!r}") from None
