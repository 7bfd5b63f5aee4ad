"""Following a remote: fetch, and move the branch forward where that needs no merge."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType

from quaid.errors import Conflict
from quaid.model.actor import EDIT, Actor
from quaid.model.record import record
from quaid.sync import state
from quaid.sync.git import TIMED_OUT, Git, State
from quaid.sync.repository import Repository, plural
from quaid.vault.folder import stored

_BY = "\x01"  # before the name of an author, which no path begins with


@record
class Followed:
    """Where the branch stands after the remote was asked, and what came of asking."""

    state: State
    commits: int = 0
    reached: bool = True
    notices: tuple[str, ...] = ()
    authors: Mapping[str, Actor] = MappingProxyType({})  # who wrote the files that came, by path


def _nothing(path: str) -> bool:
    return False


def catch_up(
    repository: Repository,
    before: State,
    dirty: Collection[str] = (),
    is_generated: Callable[[str], bool] = _nothing,
) -> Followed:
    """Fetch, and follow the remote if that needs no merge. A remote that does not answer stops nobody.

    Of what is not committed (`dirty`), files that are generated may be thrown away: they will be again.
    """
    git = repository.git
    if not before.upstream and not git.remote():
        return Followed(before)
    remembered = state.recall(repository)
    if state.seconds_since(remembered.fetch_failed_at) < state.SILENCE and remembered.fetch_failure:
        return Followed(before, 0, False, (f"the remote was not asked: {remembered.fetch_failure}",))
    fetched = git.fetch()
    if fetched.status:
        if fetched.status == TIMED_OUT:  # one that refuses at once costs nothing to ask again
            state.note(repository, fetch_failed_at=state.now(), fetch_failure=fetched.reason)
        return Followed(before, 0, False, (f"the remote cannot be reached: {fetched.reason}",))
    if remembered.fetch_failed_at:
        state.note(repository, fetch_failed_at="", fetch_failure="")
    adopt_upstream(repository, before)
    now = git.state()
    if not now.behind or now.ahead:
        return Followed(now)
    if not all(is_generated(path) for path in dirty):
        return Followed(now, 0, True, ("the remote is ahead; what is not committed keeps from following it",))
    if dirty:
        git.run("checkout", "--quiet", "HEAD", "--", *dirty)
    before_it = git.head()
    done = git.run("merge", "--ff-only", "--quiet", "@{upstream}")
    if done.status:
        return Followed(now, 0, True, (f"the remote is ahead, and following it failed: {done.reason}",))
    said = f"followed the remote by {now.behind} {plural('commit', now.behind)}"
    return Followed(git.state(), now.behind, True, (said,), _authors(git, before_it))


def _authors(git: Git, since: str) -> dict[str, Actor]:
    """Who changed each file last, in the commits since one."""
    log = git.run(
        "-c", "core.quotePath=false", "log", "--name-only", f"--format={_BY}%an", f"{since}..HEAD"
    ).out
    found: dict[str, Actor] = {}
    author = EDIT
    for line in filter(None, log.split("\n")):
        if line.startswith(_BY):
            author = Actor("git", line.removeprefix(_BY))
        else:
            found.setdefault(stored(line), author)
    return found


def adopt_upstream(repository: Repository, now: State) -> None:
    """Follow the remote's branch of the same name, if there is one and none is followed yet."""
    if now.upstream or now.unborn or not now.branch:
        return
    git = repository.git
    remote = git.remote()
    if git.run("rev-parse", "--verify", "--quiet", f"refs/remotes/{remote}/{now.branch}").status == 0:
        git.run("branch", "--quiet", f"--set-upstream-to={remote}/{now.branch}")


def refuse_unfinished(repository: Repository, now: State) -> None:
    """Refuse to write where a person has begun something with git, or stands on no branch."""
    unfinished = repository.git.under_way()
    root = repository.root
    if unfinished:
        raise Conflict(
            f"a {unfinished} is under way in {root}",
            hint=f"Finish it there with git, or end it: git -C {root} {unfinished} --abort.",
        )
    if not now.branch:
        raise Conflict(
            f"{root} is on no branch",
            hint=f"Choose one: git -C {root} switch main. Nothing was written.",
        )


def note_distance(repository: Repository, now: State) -> list[str]:
    """What a person should know after a commit: that the branch has diverged, if it has."""
    if not now.behind:
        return []
    state.note(repository, diverged_at=state.recall(repository).diverged_at or state.now())
    return [
        f"committed here, but the branch has diverged: {now.ahead + 1} here, {now.behind} on the remote; "
        "`ai-kb resolve-divergence` brings them together"
    ]
