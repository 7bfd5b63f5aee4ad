"""A second working tree, in which branches are brought together away from the person's own."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from quaid.errors import Conflict
from quaid.sync.follow import in_the_way
from quaid.sync.git import Git, State
from quaid.sync.repository import Repository, path_list


@contextmanager
def second_tree(repository: Repository) -> Iterator[Path]:
    """The root of a working tree beside the person's, at the same commit. The lock must be held."""
    git = repository.git
    prefix = f"ai-kb-{sha256(os.fsencode(git.root.resolve())).hexdigest()[:8]}-"
    listed = git.run("worktree", "list", "--porcelain").out.splitlines()
    trees = [Path(line.removeprefix("worktree ")) for line in listed if line.startswith("worktree ")]
    for left in trees:  # by a process that was killed: we have the lock
        if left.name == "tree" and left.parent.name.startswith(prefix):
            shutil.rmtree(left.parent, ignore_errors=True)
    place = Path(tempfile.mkdtemp(prefix=prefix))
    try:
        git.run("worktree", "prune")
        git.ask("worktree", "add", "--detach", "--quiet", str(place / "tree"), "HEAD")
        yield place / "tree"
    finally:
        shutil.rmtree(place, ignore_errors=True)
        git.run("worktree", "prune")


def rebased(git: Git, upstream: str, settings: Sequence[str] = ()) -> bool:
    """Put the commits of a tree on top of others; whether that needed nobody. Otherwise it is as it was."""
    chosen = ("commit.gpgsign=false", "rebase.autoStash=false", *settings)
    options = [word for setting in chosen for word in ("-c", setting)]
    done = git.run(*options, "rebase", "--quiet", upstream)
    if done.status:
        git.run("rebase", "--abort")
    return done.status == 0


def move_branch(git: Git, now: State, commit: str) -> None:
    """Let the person's branch be at another commit. What they have not committed stays, staged or not.

    Where it is in a file that changes thereby, nothing is moved.
    """
    both = in_the_way(git, now, commit)
    if both:
        raise Conflict(
            f"{git.root} has changes that are not committed, where the remote has others: {path_list(both)}",
            hint="Commit them, or take them back with git. Nothing was changed.",
            paths=both,
        )
    git.ask("checkout", "--quiet", "-B", now.branch, commit)
