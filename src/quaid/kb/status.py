"""How a knowledge base is, in short: for a prompt, a dashboard or the start of a session."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from quaid.kb import timer
from quaid.kb.due import note_due
from quaid.kb.index import stale
from quaid.kb.map import selection
from quaid.kb.nudge import Facts, line_of
from quaid.kb.place import INDEX, check, is_litter
from quaid.kb.query import Filters
from quaid.kb.repository import Kb
from quaid.model.record import fill, record
from quaid.sync import state
from quaid.sync.commits import journal_of
from quaid.sync.git import State, without_password
from quaid.sync.push import unpushed_count
from quaid.sync.repository import path_list

RECENT = 10  # nodes that a dashboard shows
LOCAL = "ai-kb.local"  # git's setting by which the person says that no remote is needed


@record
class Status:
    """The state of a knowledge base, without asking anybody else."""

    root: str
    nodes: int
    branch: str
    ahead: int
    behind: int
    uncommitted: tuple[str, ...]
    diverged: bool
    push_failed: str
    push_failed_at: str
    pushed_at: str
    indexed_at: str
    index_stale: bool
    curation_due: bool
    contested: int = 0
    interrupted: bool = False
    trusted: bool = True  # False: git was not asked
    local_only: bool = False  # there is no remote, and nobody has said that this is meant
    remote: str = ""  # its address, without a password
    timer: bool = False  # whether one is installed that syncs
    recent: tuple[str, ...] = ()  # ids of the nodes that were updated last
    contested_ids: tuple[str, ...] = ()
    memory: str = ""  # the file that has its rows


def status(kb: Kb) -> Status:
    """Look at files and at git's own notes; fast enough for a prompt."""
    check(kb.root)
    rows = kb.nodes().rows
    trusted = kb.is_trusted or not (kb.root / ".git").exists()
    has_git = trusted and (kb.root / ".git").exists()
    now = kb.git.state() if has_git else State()
    remembered = state.recall(kb)
    contested = selection(rows, Filters(status="contested"))
    return Status(
        root=str(kb.root),
        nodes=len(rows),
        branch=now.branch,
        ahead=unpushed_count(kb, now) if has_git else 0,
        behind=now.behind,
        uncommitted=tuple(each.path for each in now.changed if not is_litter(each.path)),
        diverged=now.diverged,
        push_failed=remembered.push_failure,
        push_failed_at=remembered.push_failed_at,
        pushed_at=remembered.pushed_at,
        indexed_at=changed_at(kb.file(INDEX)),
        index_stale=bool(stale(kb.root, rows)),
        curation_due=note_due(kb, rows),
        contested=len(contested),
        interrupted=has_git and journal_of(kb).exists(),
        trusted=trusted,
        local_only=has_git and not now.unborn and not kb.git.remote() and kb.git.config(LOCAL) != "true",
        remote=without_password(kb.git.remote_address()) if has_git else "",
        timer=timer.job_of(kb).file().is_file(),  # nobody is asked whether it runs
        recent=tuple(row.id for row in selection(rows, Filters(), "updated")[:RECENT]),
        contested_ids=tuple(row.id for row in contested),
        memory=str(kb.memory.store.path),
    )


def nudge(now: Status) -> str:
    """One line for the start of a session; "" when there is nothing to say."""
    return line_of(fill(Facts, now, no_remote=now.local_only, uncommitted=path_list(now.uncommitted)))


def changed_at(path: Path) -> str:
    """When a file was last written, in UTC; "" if it is not there."""
    try:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except OSError:
        return ""
