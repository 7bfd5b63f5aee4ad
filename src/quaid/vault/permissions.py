"""Whether a file may be given other bytes, as its owner means it.

A new file takes the old one's place, for which the system asks the folder alone. So the file is asked here,
also for root, whom no permission stops.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from quaid.errors import ReadOnly

_WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


def demand_writable(path: Path) -> None:
    """Refuse a file that is protected or has several names, and one in a folder that is protected."""
    try:
        facts = os.lstat(path)
    except FileNotFoundError:
        facts = None
    if facts and not _allows(path, facts):
        raise ReadOnly(
            f"{path} is write-protected", hint="`chmod u+w` on it allows the change; nothing was changed."
        )
    if facts and facts.st_nlink > 1:
        raise ReadOnly(
            f"{path} has {facts.st_nlink} names (hard links), and a write would part them",
            hint="Give it a file of its own first: copy it, and move the copy into its place.",
        )
    folder = next(parent for parent in path.parents if parent.exists())
    if not _allows(folder, folder.stat()):
        raise ReadOnly(
            f"the folder {folder} is write-protected",
            hint="`chmod u+w` on it allows the change; nothing was changed.",
        )


def _allows(path: Path, facts: os.stat_result) -> bool:
    return bool(facts.st_mode & _WRITABLE) and os.access(path, os.W_OK)
