"""Push what is committed, for a timer or a person. A failure is noted and never in an agent's way."""

from __future__ import annotations

from quaid.errors import QuaidError
from quaid.kb import lock, state
from quaid.kb.git import Done, State
from quaid.kb.place import check
from quaid.kb.protocol import adopt_upstream, catch_up, plural, recover
from quaid.kb.repository import Kb
from quaid.model.record import record

PUSH_TIMEOUT = 60.0  # seconds


@record
class Pushed:
    """How a push ended: pushed, up to date, no remote, failed or diverged."""

    outcome: str
    message: str
    ahead: int = 0

    @property
    def failed(self) -> bool:
        return self.outcome in ("failed", "diverged")


def push(kb: Kb, *, only_if_ahead: bool = False) -> Pushed:
    """Push the branch if it is ahead. A rejected push is not tried again: the remote has moved."""
    check(kb.root, writing=True)
    remote = kb.git.remote()
    if not remote:
        return Pushed("no remote", "there is no remote to push to")
    now = kb.git.state()
    ahead = unpushed(kb, now)
    if not ahead:
        if only_if_ahead:
            return Pushed("up to date", "nothing to push")
        return _settled(kb, Pushed("up to date", f"nothing to push to {remote}"))
    options = () if now.upstream else ("--set-upstream",)
    words = ("push", "--porcelain", *options, remote, f"HEAD:refs/heads/{_target(now)}")
    done = kb.git.run(*words, timeout=PUSH_TIMEOUT, remote=True)
    if done.status == 0:
        return _settled(kb, Pushed("pushed", f"pushed {ahead} {plural('commit', ahead)} to {remote}"))
    return _failed(kb, done, ahead)


def unpushed(kb: Kb, now: State) -> int:
    """How many commits the remote has not got, as far as is known here; without a remote, none."""
    if now.upstream:
        return now.ahead
    if now.unborn or not kb.git.remote():
        return 0
    counted = kb.git.run("rev-list", "--count", "HEAD", "--not", "--remotes")
    return int(counted.out) if counted.out.strip().isdigit() else 0


def _target(now: State) -> str:
    """The branch over there: that of the upstream, or one of the same name."""
    return now.upstream.partition("/")[2] if now.upstream else now.branch


def _settled(kb: Kb, result: Pushed) -> Pushed:
    state.note(kb, pushed_at=state.now(), push_failed_at="", push_failure="", diverged_at="")
    return result


def _failed(kb: Kb, done: Done, ahead: int) -> Pushed:
    reason = rejection(done) or done.reason
    state.note(kb, push_failed_at=state.now(), push_failure=reason)
    if "[rejected]" in done.out or "fetch first" in done.err:
        kb.git.fetch()
        adopt_upstream(kb, kb.git.state())
        now = kb.git.state()
        if now.behind:
            state.note(kb, diverged_at=state.recall(kb).diverged_at or state.now())
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


@record
class Synced:
    """What a sync found."""

    message: str
    followed: int = 0
    ahead: int = 0
    behind: int = 0
    reached: bool = True


def sync(kb: Kb) -> Synced:
    """Fetch, and follow the remote where that needs no merge."""
    check(kb.root, writing=True)
    with lock.held(kb.git):
        recover(kb)
        before = kb.git.state()
        if not kb.git.remote():
            return Synced("there is no remote")
        state.note(kb, fetch_failed_at="", fetch_failure="")
        dirty = [each.path for each in before.changed if each.code != "??"]
        done = catch_up(kb, before, dirty)
    now, notices = done.state, list(done.notices)
    if now.diverged:
        state.note(kb, diverged_at=state.recall(kb).diverged_at or state.now())
        notices.append(f"the branch has diverged: {now.ahead} here, {now.behind} on the remote")
    elif done.reached:
        state.note(kb, diverged_at="")
    return Synced("; ".join(notices) or "up to date", done.commits, now.ahead, now.behind, done.reached)


def quietly(kb: Kb) -> Pushed:
    """Push for a timer: whatever goes wrong is noted, and the timer does not hear of it."""
    try:
        return push(kb, only_if_ahead=True)
    except QuaidError as error:
        state.note(kb, push_failed_at=state.now(), push_failure=error.message)
        return Pushed("failed", error.message)
