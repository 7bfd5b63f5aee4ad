"""What patterns say of the files of a folder: those of git, and those of a knowledge base in code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

RAW = ".raw"
DOUBTFUL = ".iRA"  # how the names of files begin that are no nodes, whatever their suffix
_EXPLAINING = ("README.org", "AGENT_CONTRACT.org")


class Rules:
    """What the patterns of one directory say of the files under it; `text` is that of no other patterns."""

    def __init__(self, base: str, lines: Sequence[str]) -> None:
        from pathspec import GitIgnoreSpec  # only for those who have patterns

        self.text = "\n".join((base, *lines))
        self._base = len(base)
        self._spec: GitIgnoreSpec = GitIgnoreSpec.from_lines(lines)

    def ignores(self, path: str) -> bool | None:
        """Whether a path is left out; None where nothing is said of it."""
        return self._spec.check_file(path[self._base :]).include


class NoNodes:
    """What the patterns of a knowledge base say; it is asked before every task, so that must be fast."""

    text = "kb"

    def ignores(self, path: str) -> bool | None:
        """Whether a path is left out; None where nothing is said of it."""
        is_directory = path.endswith("/")
        name = path[path.rfind("/", 0, -1) + 1 :]
        if is_directory:
            return True if name == "raw/" or (name[0] == "." and name != f"{RAW}/") else None
        if name.endswith(".org") and name[0] not in DOUBTFUL:
            return None
        index = name.startswith("index") and name.endswith(".org")
        other = name.lower().endswith((".md", ".markdown"))
        return True if index or other or name[0] == "." or path in _EXPLAINING else None


Patterns = Rules | NoNodes
