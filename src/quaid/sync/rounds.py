"""One round of `quaid sync`: commit what changed here, fetch, merge, push; again where somebody else was
quicker.

Both sides are brought together in a second working tree, and the person's own is moved forward to the
result in one step, which touches no file that was changed meanwhile. Whatever is killed in between, the
next round begins from what is there: files that were written already are taken for edits, and merge with
themselves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from types import MappingProxyType

from quaid.errors import Busy, Conflict, GitFailed, QuaidError, Untrusted
from quaid.model.actor import Actor
from quaid.model.record import record
from quaid.sync import lock, state
from quaid.sync.commits import NEXT, commit_all, copied_index, sweep
from quaid.sync.follow import adopt_upstream, authors, in_the_way, refuse_unfinished
from quaid.sync.git import Git, State
from quaid.sync.leaks import Leak
from quaid.sync.lock import await_index, index_held
from quaid.sync.push import Pushed, push, unpushed_count
from quaid.sync.repository import Repository, path_list
from quaid.sync.second_tree import second_tree
from quaid.sync.union import unite
from quaid.trust import DIRECTORY

TRIES = 6  # of bringing both sides together, while others push and edit
BRANCH, ENABLED = "quaid.branch", "quaid.sync"  # git's settings by which a folder takes part
_OFFLINE = re.compile(
    r"could not resolve host|temporary failure in name resolution|name or service not known|"
    r"network is (unreachable|down)|no route to host|connection (timed out|refused)|"
    r"operation timed out|failed to connect|no answer within|couldn't connect to server",
    re.IGNORECASE,
)
_IN_THE_WAY = re.compile(r"would be overwritten|not uptodate|would be removed|not up[- ]to[- ]date", re.I)


@record
class Round:
    """What came of a round."""

    committed: int = 0  # files
    received: int = 0  # commits
    sent: int = 0
    offline: str = ""  # why the remote was not reached
    leaks: tuple[Leak, ...] = ()  # why nothing was pushed
    notices: tuple[str, ...] = ()
    authors: Mapping[str, Actor] = MappingProxyType({})  # who wrote the files that came, by path


@record
class Terms:
    """How a round is made: `alone` keeps others of ours from writing while it reads or moves the files."""

    alone: Callable[[], AbstractContextManager[object]] = nullcontext
    read_only: bool = False
    accept_rewritten: bool = False  # merge with whatever the remote has become


def exchange(repository: Repository, terms: Terms) -> Round:
    """Make a round, and remember how it went. What stands in its way is raised, with nothing changed."""
    git = repository.git
    try:
        with lock.write_lock(git):
            done = _Rounds(repository, terms).run()
    except QuaidError as error:
        if not isinstance(error, Untrusted):
            state.note(repository, sync_failed_at=state.now(), sync_failure=error.message)
        raise
    if done.offline:
        since = state.recall(repository).offline_since or state.now()
        state.note(repository, offline_since=since)
    elif done.leaks:
        said = f"nothing was pushed: {len(done.leaks)} places look like secrets"
        state.note(repository, sync_failed_at=state.now(), sync_failure=said, offline_since="")
    else:
        noted = {"sync_failed_at": "", "sync_failure": "", "offline_since": ""}
        state.note(repository, synced_at=state.now(), remote_head=_upstream(git), **noted)
    return done


def is_offline(said: str) -> bool:
    """Whether git failed because there is no network, and for no reason that somebody should see to."""
    return bool(_OFFLINE.search(said))


def takes_part(git: Git) -> bool:
    """Whether `sync init` was run in a repository on this machine."""
    return git.config(ENABLED) == "true"


class _Rounds:
    """The steps of a round, with git's lock in hand."""

    def __init__(self, repository: Repository, terms: Terms) -> None:
        self._repository = repository
        self._git = repository.git
        self._terms = terms
        self._committed: set[str] = set()
        self._received = 0
        self._notices: list[str] = []
        self._authors: dict[str, Actor] = {}

    def run(self) -> Round:
        await_index(self._git)
        sweep(self._git)
        now = self._git.state()
        refuse_unfinished(self._repository, now)
        self._refuse_other_branch(now)
        if now.changed:
            self._commit()
        if not self._git.remote():
            self._notices.append("there is no remote: what has changed is committed here alone")
            return self._round()
        for _ in range(TRIES):
            offline = self._fetch_problem(now)
            if offline:
                return self._round(offline=offline)
            if not self._joined():
                continue
            if self._terms.read_only:
                return self._round()
            ahead = self._ahead()
            if not ahead:
                return self._round()
            pushed = push(self._repository)
            if pushed.outcome != "diverged":
                return self._round_after(pushed, ahead)
        raise Busy(
            f"others have written to {self._git.remote()} or to the files all the while",
            hint="Nothing is lost: what is committed is sent by the next round.",
        )

    def _round_after(self, pushed: Pushed, ahead: int) -> Round:
        if pushed.leaks:
            return self._round(leaks=pushed.leaks)
        if pushed.failed:
            if is_offline(pushed.message):
                return self._round(offline=pushed.message)
            raise GitFailed(
                pushed.message, hint="What is committed stays here, and is sent by the next round."
            )
        return self._round(sent=ahead)

    def _round(self, sent: int = 0, offline: str = "", leaks: tuple[Leak, ...] = ()) -> Round:
        count, notices = len(self._committed), tuple(self._notices)
        return Round(count, self._received, sent, offline, leaks, notices, authors=self._authors)

    def _refuse_other_branch(self, now: State) -> None:
        wanted = self._git.config(BRANCH)
        if wanted and now.branch != wanted:
            raise Conflict(
                f"{self._git.root} is on the branch {now.branch}, and {wanted} is the one that is synced",
                hint=f"git -C {self._git.root} switch {wanted}; or set git's {BRANCH} to {now.branch}.",
            )

    def _commit(self) -> None:
        if not self._terms.read_only:
            made, paths = commit_all(self._git, self._terms.alone)
            self._committed |= {*paths}
            self._notices += made.notices

    def _ahead(self) -> int:
        """How many commits the remote has not got."""
        there = _upstream(self._git)
        if not there:
            return unpushed_count(self._repository, self._git.state())
        return int(self._git.ask("rev-list", "--count", f"{there}..HEAD"))

    def _fetch_problem(self, before: State) -> str:
        """Ask the remote; why it cannot be reached, if it is away and that is all."""
        done = self._git.fetch()
        if not done.status:
            if not before.upstream:
                adopt_upstream(self._repository, self._git.state())
            return ""
        if is_offline(done.err):
            return done.reason
        raise GitFailed(
            f"the remote cannot be asked: {done.reason}",
            hint="Look at its address and your key. What is committed stays here.",
        )

    def _joined(self) -> bool:
        """Take in what the remote has; False where files were edited meanwhile: it begins anew then."""
        there = _upstream(self._git)
        self._refuse_rewritten(there)
        if not there or self._is_before(there, "HEAD"):
            return True
        self._refuse_memory(there)
        before = self._git.head()
        if not self._moved(there):
            if self._terms.read_only:
                both = path_list(in_the_way(self._git, self._git.state(), there))
                raise Conflict(
                    f"what was edited here is in the way: {both}", hint="Take it back, or move it."
                )
            with self._terms.alone():  # whoever writes through the memory would be quicker every time
                self._commit()
                if not self._moved(there):
                    return False
        span = f"{before}..{there}" if before else there
        self._received += int(self._git.ask("rev-list", "--count", span))
        self._authors |= authors(self._git, before) if before else {}
        return True

    def _moved(self, there: str) -> bool:
        """Move the files to what both sides make together, unless an edit is in the way."""
        ahead = self._git.head() and not self._is_before("HEAD", there)
        target = self._union_with(there) if ahead else there
        with self._terms.alone():
            return advance(self._git, target)

    def _is_before(self, one: str, other: str) -> bool:
        """Whether a commit is the other one, or among those before it."""
        return self._git.run("merge-base", "--is-ancestor", one, other).status == 0

    def _union_with(self, there: str) -> str:
        unrelated = self._git.run("merge-base", "HEAD", there).status != 0
        if unrelated and not self._terms.accept_rewritten:
            raise Conflict(
                "this folder and the remote have no commit in common",
                hint="If both are yours: `quaid sync --accept-rewritten` merges them. Nothing was changed.",
            )
        around = self._repository
        with second_tree(around) as root:
            # Of a repository that is trusted.
            tree = Repository(root, around.environment, around.home, trusts=lambda _: True)
            return unite(tree, there, "Merge what others have written", unrelated=unrelated)

    def _refuse_rewritten(self, there: str) -> None:
        """A remote that no longer has what it had is not merged unseen: what was removed would come back."""
        known = state.recall(self._repository).remote_head
        if not known or self._terms.accept_rewritten or known == there:
            return
        if self._git.run("cat-file", "-e", f"{known}^{{commit}}").status:
            return
        if not there or not self._is_before(known, there):
            raise Conflict(
                "the history of the remote was rewritten" if there else "the branch is gone from the remote",
                hint="Nothing was changed. `quaid sync --accept-rewritten` merges with it as it is now; "
                "what was taken out of it there comes back.",
            )

    def _refuse_memory(self, there: str) -> None:
        """What says which memory a folder has, and what it may do, belongs to one machine."""
        names = self._git.ask("ls-tree", "--name-only", "-z", there).split("\0")
        brought = [name for name in names if name.casefold() == DIRECTORY]
        if brought:
            raise Untrusted(
                f"the remote brings a {path_list(brought)}, which belongs to one machine alone",
                hint=f"Take it out there: git rm -r --cached {DIRECTORY}. Nothing was changed.",
            )


def _upstream(git: Git) -> str:
    """The commit at which the remote's branch is, as last fetched; "" if there is none."""
    return git.run("rev-parse", "--verify", "--quiet", "@{upstream}").out.strip()


def advance(git: Git, commit: str) -> bool:
    """Check a commit out that follows the one that is; False, with nothing changed, if an edit is in the way.

    The lock of writers must be held. Files come first, then the index, then the branch. Killed before the
    last, what is already there looks like an edit of theirs, which merges with itself.
    """
    inside = git.directory
    before = git.head()
    with index_held(git):
        index = copied_index(inside, NEXT)
        try:
            git.run("update-index", "-q", "--refresh", index=index)
            start = before or git.ask("mktree", input="").strip()
            done = git.run("read-tree", "-m", "-u", start, commit, index=index)
            if done.status:
                if _IN_THE_WAY.search(done.err):
                    return False
                git.refuse_what_it_says(done)
                raise GitFailed(f"git read-tree: {done.reason}", hint="The next round tries again.")
            index.replace(inside / "index")
            git.ask("update-ref", "-m", "quaid sync", "HEAD", commit, before or "0" * len(commit))
        finally:
            index.unlink(missing_ok=True)
    return True
