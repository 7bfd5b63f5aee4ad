"""Where a knowledge base is, and whether it is one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from quaid.errors import Corrupt

if TYPE_CHECKING:
    from pathlib import Path  # for its name only: a question is answered without it

CONTRACT = "AGENT_CONTRACT.org"
INDEX = "index.org"
VARIABLE = "AI_KB"
# What editors and file managers leave beside files; it is no work that could be lost.
_LITTER = (".#", "#", ".ai-kb-", ".quaid-")
_LITTER_ENDS = ("~", ".DS_Store", ".swp")
_NO_KB_HINT = "`ai-kb init` makes one; --kb PATH or AI_KB names another."


def chosen_root(stated: str | None, environment: Mapping[str, str], home: str) -> str:
    """The directory that is meant: the one that is named, AI_KB, or the usual one."""
    named = stated or environment.get(VARIABLE)
    if named:
        return os.path.abspath(os.path.expanduser(named))
    data = environment.get("XDG_DATA_HOME") or ""
    return os.path.join(data if os.path.isabs(data) else os.path.join(home, ".local", "share"), "ai-kb")


def is_kb(root: Path) -> bool:
    """Whether a directory looks like a knowledge base."""
    return any((root / name).is_file() for name in (CONTRACT, INDEX))


def check(root: Path, *, writing: bool = False) -> None:
    """Refuse a directory that is no knowledge base: a mistyped path must not be written to."""
    if not root.is_dir():
        raise Corrupt(f"there is no knowledge base in {root}", hint=_NO_KB_HINT)
    if not is_kb(root):
        raise Corrupt(f"{root} is not a knowledge base: it has no {CONTRACT}", hint=_NO_KB_HINT)
    if writing and not (root / ".git").exists():
        raise Corrupt(f"{root} is not in git, so nothing can be written", hint="`ai-kb init` puts it there.")


def is_litter(path: str) -> bool:
    """Whether a path is what an editor leaves, locks and backups, or part of the derived memory."""
    name = path.rsplit("/", 1)[-1]
    return name.startswith(_LITTER) or name.endswith(_LITTER_ENDS) or path.startswith(".quaid/")
