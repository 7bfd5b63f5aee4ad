"""A commit of chosen files and of nothing else, whatever else is changed or staged."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from quaid.errors import GitFailed
from quaid.model.record import record
from quaid.sync.git import NOBODY, Done, Git, git_directory
from quaid.sync.index_lock import index_held

_OWN, NEXT = "ai-kb-index", "ai-kb-index-next"
_UNKNOWN_PERSON = re.compile(
    r"tell me who you are|empty ident|unable to auto-detect email|no name was given", re.I
)
_UNSIGNED = re.compile(
    r"gpg failed to sign|failed to sign|no secret key|signing failed|signingkey|ssh-keygen", re.I
)
_FROM_INPUT = ("--pathspec-from-file=-", "--pathspec-file-nul")


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
    inside = git_directory(git.root)
    with index_held(git):
        own = following = copied_index(inside, _OWN)
        try:
            staged = _staged(git, own, listed)
            if staged is None or not staged <= {*wanted}:
                start = ("--reset", "HEAD") if staged or git.head() else ("--empty",)
                git.ask("read-tree", *start, index=own)
                staged = _staged(git, own, listed)
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
    inside = git_directory(git.root)
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


def _staged(git: Git, index: Path, listed: str) -> set[str] | None:
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
