"""A write that was interrupted, undone: whatever git has not got is put back as it was."""

from __future__ import annotations

import os
from pathlib import Path

from quaid.errors import InvalidInput
from quaid.sync.commits import unstage
from quaid.sync.git import git_directory
from quaid.sync.lock import await_index
from quaid.sync.repository import Repository
from quaid.vault.folder import SCRATCH, real, stored
from quaid.vault.journal import Journal

NAME = "ai-kb-journal.json"


def journal_of(repository: Repository) -> Journal:
    """The journal of all who write to a repository; it exists only while one does."""
    root = repository.root.resolve()
    place = git_directory(root) / NAME
    return Journal(
        place, lambda data: repository.trust.signature(place, data), lambda path: _is_in(root, path)
    )


def recover(repository: Repository) -> tuple[str, ...]:
    """Undo what a process that was killed left half-written; the paths. The lock must be held.

    What git has committed is whole, and stays: the memories of those files will see that they have changed.
    """
    root = repository.root.resolve()
    journal = journal_of(repository)
    for name in os.listdir(root):
        if name.startswith((SCRATCH, ".ai-kb-")) and name.endswith(".tmp"):
            (root / name).unlink(missing_ok=True)
    journal.sweep()
    if not journal.exists():
        return ()
    await_index(repository.git)
    known = {path.relative_to(root).as_posix() for path in journal.paths()}
    unstage(repository.git, known)  # a commit may be made that the index does not know of
    changed = {each.path for each in repository.git.state().changed} & known
    restored = journal.undo(among=lambda path: path.relative_to(root).as_posix() in changed)
    return tuple(path.relative_to(root).as_posix() for path in restored)


def _is_in(root: Path, path: Path) -> bool:
    """Whether a file is in a folder, and no link leads out of it."""
    try:
        return path.is_relative_to(root) and bool(real(root, stored(path.relative_to(root).as_posix())))
    except InvalidInput:
        return False
