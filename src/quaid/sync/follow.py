"""Following a remote: fetch, and move the branch forward where that needs no merge."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType

from quaid.errors import Conflict
from quaid.model.actor import EDIT, Actor
from quaid.model.record import record
from quaid.sync import state
from quaid.sync.git import TIMED_OUT, Changed, Git, State
from quaid.sync.repository import Repository, path_list, plural
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


def catch_up(
    repository: Repository,
    before: State,
    is_generated: Callable[[str], bool] = lambda path: False,
    *,
    insisting: bool = False,
) -> Followed:
    """Fetch, and follow the remote if that needs no merge. A remote that does not answer stops nobody.

    What is not committed stays, and keeps from following only where the remote has changed the same file.
    Files that are generated may be thrown away: they will be again.
    """
    git = repository.git
    if not before.upstream and not git.remote():
        return Followed(before)
    unheard = fetch(repository, insisting=insisting)
    if unheard:
        return Followed(before, 0, False, (unheard,))
    adopt_upstream(repository, before)
    now = git.state()
    if not now.behind or now.ahead:
        return Followed(now)
    put_back(git, [each for each in now.changed if is_generated(each.path)])
    before_it = git.head()
    done = git.run("merge", "--ff-only", "--quiet", "@{upstream}")
    if done.status:
        both = in_the_way(git, now, "@{upstream}")
        why = f"what is not committed keeps from following it: {path_list(both)}" if both else done.reason
        return Followed(now, 0, True, (f"the remote is ahead, and {why}",))
    said = f"followed the remote by {now.behind} {plural('commit', now.behind)}"
    return Followed(git.state(), now.behind, True, (said,), authors(git, before_it))


def fetch(repository: Repository, *, insisting: bool = False) -> str:
    """Ask the remote for what is new; "" if it answered, else what to say. What it said is remembered.

    One that did not answer in time is left in peace for a while, unless somebody insists.
    """
    remembered = state.recall(repository)
    silent = state.seconds_since(remembered.fetch_failed_at) < state.SILENCE and remembered.fetch_failure
    if silent and not insisting:
        return f"the remote was not asked: {remembered.fetch_failure}"
    fetched = repository.git.fetch()
    if fetched.status:
        if fetched.status == TIMED_OUT:  # one that refuses at once costs nothing to ask again
            state.note(repository, fetch_failed_at=state.now(), fetch_failure=fetched.reason)
        return f"the remote cannot be reached: {fetched.reason}"
    state.note(repository, fetched_at=state.now(), fetch_failed_at="", fetch_failure="")
    return ""


def put_back(git: Git, changed: Collection[Changed]) -> None:
    """Throw away what is not committed of some files."""
    known = [each.path for each in changed if each.code != "??"]
    if known:
        git.run("checkout", "--quiet", "HEAD", "--", *known)
    for each in changed:
        if each.code == "??":
            (git.root / each.path).unlink(missing_ok=True)


def in_the_way(git: Git, now: State, commit: str) -> list[str]:
    """The files that are not committed, and that another commit would change."""
    names = git.run("diff", "--name-only", "--no-renames", "-z", "HEAD", commit).out.split("\0")
    return sorted({each.path for each in now.changed} & {*names})


def authors(git: Git, since: str) -> dict[str, Actor]:
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
    state.note_divergence(repository)
    return [
        f"committed here, but the branch has diverged: {now.ahead + 1} here, {now.behind} on the remote; "
        "`ai-kb sync` brings them together"
    ]
