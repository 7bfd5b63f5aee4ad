"""Push what is committed, for a timer or a person. A failure is noted and never in an agent's way."""

from __future__ import annotations

import re

from quaid.model.record import record
from quaid.sync import state
from quaid.sync.follow import adopt_upstream
from quaid.sync.git import Done, State
from quaid.sync.leaks import Leak, leaks_of
from quaid.sync.repository import Repository, plural

PUSH_TIMEOUT = 60.0  # seconds
# What is said of a remote that has moved before the push began, and of one that moves while it runs.
_MOVED = re.compile(r"\[rejected\]|fetch first|cannot lock ref|failed to update ref|incorrect old value")


@record
class Pushed:
    """How a push ended: pushed, up to date, no remote, secrets, failed or diverged."""

    outcome: str
    message: str
    ahead: int = 0
    leaks: tuple[Leak, ...] = ()  # why nothing was pushed, where it would have published secrets

    @property
    def failed(self) -> bool:
        return self.outcome in ("failed", "diverged")


def push(repository: Repository, *, only_if_ahead: bool = False) -> Pushed:
    """Push the branch if it is ahead. A rejected push is not tried again: the remote has moved."""
    remote = repository.git.remote()
    if not remote:
        return Pushed("no remote", "there is no remote to push to")
    now = repository.git.state()
    ahead = unpushed_count(repository, now)
    if not ahead:
        if only_if_ahead:
            return Pushed("up to date", "nothing to push")
        return _settled(repository, Pushed("up to date", f"nothing to push to {remote}"))
    head = repository.git.head()
    leaks = leaks_of(repository.git, head, remote)
    if leaks:
        count = plural("place", len(leaks))
        said = f"nothing was pushed: {len(leaks)} {count} would publish what looks like a secret"
        state.note(repository, push_failed_at=state.now(), push_failure=f"{said}; `ai-kb push` says where")
        return Pushed("secrets", said, ahead, leaks)
    options = () if now.upstream else ("--set-upstream",)
    # What was looked at is what is pushed; git wants the branch's own name to make it follow.
    source = head if now.upstream else "HEAD"
    target = now.upstream.partition("/")[2] or now.branch
    words = ("push", "--porcelain", *options, remote, f"{source}:refs/heads/{target}")
    done = repository.git.run(*words, timeout=PUSH_TIMEOUT, remote=True)
    if done.status == 0:
        return _settled(repository, Pushed("pushed", f"pushed {ahead} {plural('commit', ahead)} to {remote}"))
    return _failure(repository, done, ahead)


def unpushed_count(repository: Repository, now: State) -> int:
    """How many commits the remote has not got, as far as is known here; without a remote, none."""
    if now.upstream:
        return now.ahead
    if now.unborn or not repository.git.remote():
        return 0
    counted = repository.git.run("rev-list", "--count", "HEAD", "--not", "--remotes")
    return int(counted.out) if counted.out.strip().isdigit() else 0


def _settled(repository: Repository, result: Pushed) -> Pushed:
    state.note(repository, pushed_at=state.now(), push_failed_at="", push_failure="", diverged_at="")
    return result


def _failure(repository: Repository, done: Done, ahead: int) -> Pushed:
    reason = rejection(done) or done.reason
    state.note(repository, push_failed_at=state.now(), push_failure=reason)
    if _MOVED.search(done.out + done.err):
        repository.git.fetch()
        adopt_upstream(repository, repository.git.state())
        now = repository.git.state()
        if now.behind:
            state.note_divergence(repository)
            said = f"the remote has moved: {now.ahead} {plural('commit', now.ahead)} here, {now.behind} there"
            return Pushed("diverged", said, now.ahead)
    return Pushed("failed", f"the push failed: {reason}", ahead)


def rejection(done: Done) -> str:
    """Why the remote refused, as git says it line by line; "" if it was not the remote."""
    for line in done.out.splitlines():
        if line.startswith("!"):
            told = [each[8:].strip() for each in done.err.splitlines() if each.startswith("remote: ")]
            return " ".join([line.split("\t")[-1], *(each for each in told if each)][:3])
    return ""
