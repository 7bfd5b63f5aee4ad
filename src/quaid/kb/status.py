"""How a knowledge base is, in short: for a prompt, a dashboard or the start of a session."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from quaid.kb import journal, reading, state
from quaid.kb.curate import is_due
from quaid.kb.git import State
from quaid.kb.index import stale
from quaid.kb.place import INDEX, check
from quaid.kb.protocol import is_litter, listed
from quaid.kb.push import unpushed
from quaid.kb.repository import Kb
from quaid.model.record import record


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

    def as_data(self) -> dict[str, object]:
        return dict(self.__dict__) | {"uncommitted": list(self.uncommitted), "nudge": nudge(self)}


def status(kb: Kb) -> Status:
    """Look at files and at git's own notes; fast enough for a prompt."""
    check(kb.root)
    base = reading.read(kb.root)
    has_git = (kb.root / ".git").exists()
    now = kb.git.state() if has_git else State()
    remembered = state.recall(kb)
    return Status(
        root=str(kb.root),
        nodes=len(base.nodes),
        branch=now.branch,
        ahead=unpushed(kb, now) if has_git else 0,
        behind=now.behind,
        uncommitted=tuple(each.path for each in now.changed if not is_litter(each.path)),
        diverged=now.diverged,
        push_failed=remembered.push_failure,
        push_failed_at=remembered.push_failed_at,
        pushed_at=remembered.pushed_at,
        indexed_at=changed_at(kb.file(INDEX)),
        index_stale=bool(stale(kb.root, list(base.nodes))),
        curation_due=is_due(base.nodes),
        contested=sum(1 for node in base.nodes if node.status == "contested"),
        interrupted=has_git and journal.journal_path(kb.root).exists(),
    )


def nudge(now: Status) -> str:
    """One line for the start of a session; "" when there is nothing to say."""
    said = []
    if now.diverged:
        said.append("diverged (ai-kb resolve-divergence)")
    if now.ahead:
        said.append(f"ahead {now.ahead}")
    if now.push_failed:
        said.append(f"push failed: {now.push_failed}")
    if now.uncommitted:
        said.append(f"not committed: {listed(now.uncommitted)}")
    if now.contested:
        said.append(f"{now.contested} contested")
    if now.curation_due:
        said.append("curation due (ai-kb curate)")
    return f"ai-kb: {'; '.join(said)}" if said else ""


def changed_at(path: Path) -> str:
    """When a file was last written, in UTC; "" if it is not there."""
    try:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except OSError:
        return ""
