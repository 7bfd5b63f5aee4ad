"""Push and follow for a knowledge base: by a timer or a person. A failure is never in an agent's way."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from quaid.errors import QuaidError
from quaid.kb.gate import recovered
from quaid.kb.node import is_generated
from quaid.kb.place import check
from quaid.kb.repository import Kb
from quaid.model.actor import Actor
from quaid.model.record import record
from quaid.sync import lock, state
from quaid.sync import push as pushing
from quaid.sync.follow import catch_up
from quaid.sync.push import Pushed


def push(kb: Kb, *, only_if_ahead: bool = False) -> Pushed:
    """Push the branch if it is ahead."""
    check(kb.root, writing=True)
    return pushing.push(kb, only_if_ahead=only_if_ahead)


@record
class Synced:
    """What a sync found."""

    message: str
    followed: int = 0
    ahead: int = 0
    behind: int = 0
    reached: bool = True
    authors: Mapping[str, Actor] = MappingProxyType({})  # who wrote the files that came, by path

    def as_data(self) -> dict[str, object]:
        """What programs are told."""
        return {name: value for name, value in self.__dict__.items() if name != "authors"}


def sync(kb: Kb) -> Synced:
    """Fetch, and follow the remote where that needs no merge."""
    check(kb.root, writing=True)
    with lock.held(kb.git):
        recovered(kb)
        before = kb.git.state()
        if not kb.git.remote():
            return Synced("there is no remote")
        state.note(kb, fetch_failed_at="", fetch_failure="")
        done = catch_up(kb, before, is_generated)
    now, notices = done.state, list(done.notices)
    if now.diverged:
        state.note(kb, diverged_at=state.recall(kb).diverged_at or state.now())
        notices.append(f"the branch has diverged: {now.ahead} here, {now.behind} on the remote")
    elif done.reached:
        state.note(kb, diverged_at="")
    return Synced(
        message="; ".join(notices) or "up to date",
        followed=done.commits,
        ahead=now.ahead,
        behind=now.behind,
        reached=done.reached,
        authors=done.authors,
    )


def quietly(kb: Kb) -> Pushed:
    """Push for a timer: whatever goes wrong is noted, and the timer does not hear of it."""
    try:
        return push(kb, only_if_ahead=True)
    except QuaidError as error:
        state.note(kb, push_failed_at=state.now(), push_failure=error.message)
        return Pushed("failed", error.message)
