"""Which branch is shared: the one that a remote shows, whatever it is called here."""

from __future__ import annotations

import re

from quaid.errors import GitFailed
from quaid.model.record import record
from quaid.sync.git import FETCH_TIMEOUT, Done, Git, outside, without_password
from quaid.sync.repository import Repository

FIRST_BRANCH = "main"
_USUAL = (FIRST_BRANCH, "master")
_LIST = ("ls-remote", "--symref", "--")
_WHAT = ("HEAD", "refs/heads/*")
_FIRST = re.compile(r"^ref: refs/heads/(\S+)\tHEAD$", re.MULTILINE)
_BRANCH = re.compile(r"^([0-9a-f]+)\trefs/heads/(\S+)$", re.MULTILINE)


@record
class Branches:
    """The branches of a remote, with their commits, and the one that is shared; "" if there is none yet."""

    commits: dict[str, str]
    shared: str


def branches_at(repository: Repository, address: str) -> Branches:
    """The branches at an address, asked for where no repository is."""
    patience = repository.fetch_timeout or FETCH_TIMEOUT
    done = outside(repository.environment, *_LIST, address, *_WHAT, timeout=2 * patience, patience=patience)
    return _branches_in(done, address)


def branches_of(git: Git) -> Branches:
    """The branches of the remote that is pushed to."""
    done = git.run(*_LIST, git.remote(), *_WHAT, timeout=git.patience, remote=True)
    return _branches_in(done, git.remote_address())


def known_branch(git: Git) -> str:
    """The branch that is shared, as far as is known without asking: "" if none is."""
    listed = git.run("for-each-ref", "--format=%(refname) %(symref)", "refs/remotes", "refs/heads").out
    refs = dict(line.partition(" ")[::2] for line in listed.splitlines())
    for prefix in (f"refs/remotes/{git.remote()}/", "refs/heads/"):
        here = [name.removeprefix(prefix) for name in refs if name.startswith(prefix)]
        first = refs.get(f"{prefix}HEAD", "").removeprefix(prefix)
        found = next((name for name in (first, *_USUAL) if name in here), "")
        if found:
            return found
    return ""


def _branches_in(done: Done, address: str) -> Branches:
    if done.status:
        raise GitFailed(
            f"{without_password(address)} cannot be reached: {done.reason}",
            hint="Look at the address and your key.",
        )
    commits = {name: commit for commit, name in _BRANCH.findall(done.out)}
    # A bare repository may show a branch that nobody has pushed.
    wanted = (*_FIRST.findall(done.out), *_USUAL, *sorted(commits))
    return Branches(commits, next((name for name in wanted if name in commits), ""))
