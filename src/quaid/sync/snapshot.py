"""Everything that has changed in a folder, as one commit whose message names the pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

from quaid.sync.commits import Committed, commit_paths, unstage
from quaid.sync.conflicts import FOLDER
from quaid.sync.git import Changed, Git
from quaid.vault.folder import PAGE_SUFFIXES, SCRATCH

_BESIDE = {FOLDER: "conflicts", ".conversations": "conversations"}
_NAMED = 3  # pages in the first line
_LISTED = 50  # in the lines below it
_WIDTH = 72


def commit_all(
    git: Git, alone: Callable[[], AbstractContextManager[object]]
) -> tuple[Committed, tuple[str, ...]]:
    """Commit what has changed; its paths. Others of ours write nothing while the files are read."""
    with alone():
        changed = [each for each in git.state().changed if _is_work(each.path)]
        if not changed:
            return Committed(""), ()
        paths = tuple(each.path for each in changed)
        made = commit_paths(git, paths, message_of([(_verb(git, each), each.path) for each in changed]))
        if not made.id:  # the commit was made, and we were killed before the index knew of it
            unstage(git, paths)
            return made, ()
    return made, paths


def _is_work(path: str) -> bool:
    """Whether a path is somebody's work: not a repository within this one, nor a file on its way."""
    return not path.endswith("/") and not path.rpartition("/")[2].startswith(SCRATCH)


def _verb(git: Git, change: Changed) -> str:
    if not (git.root / change.path).exists():
        return "Remove"
    return "Add" if change.code == "??" or change.code.startswith("A") else "Change"


def message_of(changes: Sequence[tuple[str, str]]) -> str:
    """A commit's message: what was done to which pages."""
    verbs = {verb for verb, _ in changes}
    verb = verbs.pop() if len(verbs) == 1 else "Change"
    places = [_BESIDE.get(path.partition("/")[0], "") for _, path in changes]
    # What is noted beside pages is named where there is nothing else.
    names = [_name(path) for (_, path), beside in zip(changes, places, strict=True) if not beside]
    names = names or sorted({*places})
    first = f"{verb} {len(names)} files"
    for count in range(min(_NAMED, len(names)), 0, -1):
        shown = f"{verb} {_name_list(names[:count], len(names) - count)}"
        if len(shown) <= _WIDTH or len(names) == 1:
            first = shown
            break
    if len(changes) == 1:
        return first
    lines = [f"{verb} {path}" for verb, path in changes[:_LISTED]]
    more = len(changes) - _LISTED
    return "\n".join([first, "", *lines, *([f"… and {more} more"] if more > 0 else [])])


def _name_list(names: Sequence[str], more: int) -> str:
    if more:
        return f"{', '.join(names)} and {more} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _name(path: str) -> str:
    """A page by its path without the suffix, any other file by its path."""
    suffix = next((each for each in PAGE_SUFFIXES if path.lower().endswith(each)), "")
    return path[: len(path) - len(suffix)]
