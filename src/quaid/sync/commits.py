"""A commit of chosen files and of nothing else, whatever else is changed or staged; or of all changes.

A write that was interrupted is undone: whatever git has not got is put back as it was.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from quaid.errors import GitFailed, InvalidInput
from quaid.model.record import record
from quaid.sync.conflicts import FOLDER
from quaid.sync.git import NOBODY, Changed, Done, Git, git_directory
from quaid.sync.lock import await_index, index_held
from quaid.sync.repository import Repository
from quaid.vault.folder import PAGE_SUFFIXES, SCRATCH, real, stored
from quaid.vault.journal import Journal

_JOURNAL = "ai-kb-journal.json"
_OWN, NEXT = "ai-kb-index", "ai-kb-index-next"
_UNKNOWN_PERSON = re.compile(
    r"tell me who you are|empty ident|unable to auto-detect email|no name was given", re.I
)
_UNSIGNED = re.compile(
    r"gpg failed to sign|failed to sign|no secret key|signing failed|signingkey|ssh-keygen", re.I
)
_FROM_INPUT = ("--pathspec-from-file=-", "--pathspec-file-nul")
_BESIDE = {FOLDER: "conflicts", ".conversations": "conversations"}
_NAMED = 3  # pages in the first line
_LISTED = 50  # in the lines below it
_WIDTH = 72


@record
class Committed:
    """A commit, "" if there was nothing to commit; and what the person should know."""

    id: str
    notices: tuple[str, ...] = ()


def commit_paths(git: Git, paths: Iterable[str], message: str) -> Committed:
    """Commit what these files are now, or that they are gone, with the person's hooks.

    It is made from an index of its own: the person's with these paths, which becomes theirs. If they have
    staged something besides, it is the tree of HEAD with these paths, and what they have staged stays as it
    is. The lock of writers must be held.
    """
    wanted = sorted(paths)
    listed = "\0".join(wanted)
    inside = git.directory
    with index_held(git):
        own = following = copied_index(inside, _OWN)
        try:
            staged = _differences(git, own, listed)
            if staged is None or not staged <= {*wanted}:
                start = ("--reset", "HEAD") if staged or git.head() else ("--empty",)
                git.ask("read-tree", *start, index=own)
                staged = _differences(git, own, listed)
                following = inside / NEXT
            made = _commit(git, own, message, staged) if staged != set() else Committed("")
            if made.id:
                if following != own:
                    copied_index(inside, NEXT)
                    git.ask("reset", "--quiet", *_FROM_INPUT, input=listed, index=following)
                following.replace(inside / "index")
        finally:
            for name in (_OWN, NEXT):
                (inside / name).unlink(missing_ok=True)
    return made


def unstage(git: Git, paths: Iterable[str]) -> None:
    """Let the person's index say of these paths what the last commit says."""
    listed = "\0".join(sorted(paths))
    if listed:
        git.run("reset", "--quiet", *_FROM_INPUT, input=listed)


def sweep(git: Git) -> None:
    """Take away the indexes of a process that was killed. The lock of writers must be held."""
    inside = git.directory
    for name in (_OWN, NEXT):
        for left in (name, f"{name}.lock"):
            (inside / left).unlink(missing_ok=True)


def copied_index(inside: Path, name: str) -> Path:
    """A copy of the person's index, which knows the times of files; what a killed process left goes.

    It is as old as the index: git reads what was written in the second of the index or after it, even if
    nothing that it has noted of the file is other than it was.
    """
    for left in (name, f"{name}.lock"):
        (inside / left).unlink(missing_ok=True)
    with suppress(FileNotFoundError):
        known = (inside / "index").stat()
        (inside / name).write_bytes((inside / "index").read_bytes())
        os.utime(inside / name, ns=(known.st_atime_ns, known.st_mtime_ns))
    return inside / name


def _differences(git: Git, index: Path, listed: str) -> set[str] | None:
    """Bring paths into an index; in what it differs from HEAD then, None if there is no commit yet."""
    git.ask("update-index", "--add", "--remove", "--replace", "-z", "--stdin", input=listed, index=index)
    done = git.run("diff-index", "--cached", "--name-only", "-z", "HEAD", index=index)
    return None if done.status else {path for path in done.out.split("\0") if path}


def _commit(git: Git, index: Path, message: str, staged: set[str] | None) -> Committed:
    """Commit an index."""
    options: list[str] = []
    before: tuple[str, ...] = ()
    notices: list[str] = []
    while (done := git.run(*before, "commit", "--quiet", *options, "-m", message, index=index)).status:
        # A record by nobody, or without a signature, is worth more than none.
        if _UNKNOWN_PERSON.search(done.err) and not before:
            before = NOBODY
        elif not options and _is_unsigned(git, done):
            options.append("--no-gpg-sign")
            notices.append("the commit could not be signed: it is not signed")
        elif staged is None and "nothing to commit" in done.out:
            return Committed("")
        else:
            git.refuse_what_it_says(done)
            raise GitFailed(
                f"git commit: {done.reason}",
                hint="Nothing was written. Is there a hook that refuses, or another git that runs?",
            )
    return Committed(git.head(), tuple(notices))


def _is_unsigned(git: Git, done: Done) -> bool:
    """Whether a commit failed for want of a key. Programs that sign say it in their own words."""
    wanted = git.config("commit.gpgSign").lower() in ("true", "yes", "on", "1")
    return bool(_UNSIGNED.search(done.err)) or (wanted and "failed to write commit object" in done.err)


def commit_all(
    git: Git, alone: Callable[[], AbstractContextManager[object]]
) -> tuple[Committed, tuple[str, ...]]:
    """Commit what has changed; its paths. Others of ours write nothing while the files are read."""
    with alone():
        # Neither a repository within this one nor a file on its way is somebody's work.
        changed = [
            each
            for each in git.state().changed
            if not each.path.endswith("/") and not each.path.rpartition("/")[2].startswith(SCRATCH)
        ]
        if not changed:
            return Committed(""), ()
        paths = tuple(each.path for each in changed)
        made = commit_paths(git, paths, message_of([(_verb(git, each), each.path) for each in changed]))
        if not made.id:  # the commit was made, and we were killed before the index knew of it
            unstage(git, paths)
            return made, ()
    return made, paths


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


def journal_of(repository: Repository) -> Journal:
    """The journal of all who write to a repository; it exists only while one does."""
    root = repository.root.resolve()
    place = git_directory(root) / _JOURNAL
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
