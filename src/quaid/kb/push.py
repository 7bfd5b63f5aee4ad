"""A knowledge base and its remote: what is new on either side comes to the other, by a timer or a person."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from quaid.errors import Conflict, LintFailed, QuaidError
from quaid.kb.divergence import brought_together
from quaid.kb.gate import recovery_notes
from quaid.kb.node import is_generated
from quaid.kb.place import check
from quaid.kb.repository import Kb
from quaid.model.actor import Actor
from quaid.model.record import record
from quaid.sync import lock, state
from quaid.sync import push as pushing
from quaid.sync.follow import Followed, authors, catch_up, refuse_unfinished
from quaid.sync.leaks import Leak
from quaid.sync.lock import await_index
from quaid.sync.push import Pushed, unpushed_count

_ATTEMPTS = 3  # somebody else may push between our fetch and our push


def push(kb: Kb, *, only_if_ahead: bool = False) -> Pushed:
    """Push the branch if it is ahead."""
    check(kb.root, writing=True)
    return pushing.push(kb, only_if_ahead=only_if_ahead)


@record
class Synced:
    """What a sync did and found."""

    message: str
    followed: int = 0
    joined: str = ""  # rebased or merged, where both sides had new commits; clash, where a person decides
    pushed: int = 0
    ahead: int = 0
    behind: int = 0
    reached: bool = True
    failed: bool = False
    leaks: tuple[Leak, ...] = ()  # why nothing was pushed
    authors: Mapping[str, Actor] = MappingProxyType({})  # who wrote the files that came, by path

    def as_data(self) -> dict[str, object]:
        """What programs are told."""
        return {name: value for name, value in self.__dict__.items() if name != "authors"}


class _Round:
    """What the attempts of one sync come to."""

    def __init__(self) -> None:
        self.notices: list[str] = []
        self.followed = 0
        self.joined = ""
        self.authors: dict[str, Actor] = {}


def sync(kb: Kb) -> Synced:
    """Fetch, follow the remote or put our commits after its own where no node conflicts, and push."""
    check(kb.root, writing=True)
    if not kb.git.remote():
        return Synced("there is no remote")
    done = _Round()
    for _ in range(_ATTEMPTS):
        with lock.write_lock(kb.git):
            heard = _caught_up(kb, done)
        ahead = unpushed_count(kb, heard.state)
        if not heard.reached and ahead:
            state.note(kb, push_failed_at=state.now(), push_failure="; ".join(heard.notices))
        if not heard.reached or heard.state.behind:
            return _outcome(done, heard)
        pushed = pushing.push(kb)
        if pushed.outcome != "diverged":
            break
    if pushed.outcome != "up to date":
        done.notices.append(pushed.message)
    return _outcome(done, Followed(kb.git.state()), pushed, ahead if pushed.outcome == "pushed" else 0)


def _outcome(done: _Round, heard: Followed, pushed: Pushed | None = None, sent: int = 0) -> Synced:
    return Synced(
        message="; ".join(done.notices) or "up to date",
        followed=done.followed,
        joined=done.joined,
        pushed=sent,
        ahead=heard.state.ahead,
        behind=heard.state.behind,
        reached=heard.reached,
        failed=bool(pushed and pushed.failed),
        leaks=pushed.leaks if pushed else (),
        authors=done.authors,
    )


def _caught_up(kb: Kb, done: _Round) -> Followed:
    """Take over what the remote has. The lock is held."""
    done.notices += recovery_notes(kb)
    await_index(kb.git)
    before = kb.git.state()
    refuse_unfinished(kb, before)
    heard = catch_up(kb, before, is_generated, insisting=True)
    done.notices += heard.notices
    done.followed += heard.commits
    done.authors |= heard.authors
    if not heard.state.diverged:
        if heard.reached:
            state.note(kb, diverged_at="")
        return heard
    head, there = kb.git.head(), heard.state.behind
    try:
        joined = brought_together(kb, heard.state, contesting=False)
    except (Conflict, LintFailed) as error:
        return _apart(kb, heard, done, error.message)
    done.joined = joined.outcome
    if joined.outcome == "clash":
        return _apart(kb, heard, done, f"both sides have changed {', '.join(joined.contested)}")
    done.followed += there
    done.authors |= authors(kb.git, head)
    how = (
        "your commits now come after the remote's" if joined.outcome == "rebased" else "both sides are joined"
    )
    done.notices += (how, *joined.notices)
    return Followed(kb.git.state())


def _apart(kb: Kb, heard: Followed, done: _Round, why: str) -> Followed:
    """Both sides have new commits, and a person must see to it."""
    state.note_divergence(kb)
    now = heard.state
    sides = f"the branch has diverged: {now.ahead} here, {now.behind} on the remote"
    done.notices.append(f"{sides}; {why}; `ai-kb resolve-divergence` keeps both")
    return heard


def quietly(kb: Kb) -> Pushed:
    """Push for a timer: whatever goes wrong is noted, and the timer does not hear of it."""
    try:
        return push(kb, only_if_ahead=True)
    except QuaidError as error:
        return Pushed("failed", _note_failure(kb, error))


def sync_quietly(kb: Kb) -> Synced:
    """The same, both ways."""
    try:
        return sync(kb)
    except QuaidError as error:
        return Synced(_note_failure(kb, error), reached=False, failed=True)


def _note_failure(kb: Kb, error: QuaidError) -> str:
    state.note(kb, push_failed_at=state.now(), push_failure=error.message)
    return error.message
