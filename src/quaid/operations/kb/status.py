"""How a knowledge base is."""

from __future__ import annotations

from quaid.kb import status as state
from quaid.kb.status import Status
from quaid.model.record import record
from quaid.operations.kb.answer import KB, Answer, kb_operation
from quaid.operations.kb.app import KbApp
from quaid.operations.operation import arg
from quaid.sync.repository import plural
from quaid.trust import trust_command


@record
class Wanted:
    """Arguments of `kb status`."""

    line: bool = arg("One line if there is something to say, else nothing.", default=False, for_people=True)
    kb: str | None = KB


def status(app: KbApp, args: Wanted) -> Answer:
    """Say how the knowledge base is, without asking the remote.

    Nodes, commits that are not pushed, failures, whether curation is due.
    """
    now = state.status(app.kb)
    line = state.nudge(now)
    if args.line:
        return Answer({"nudge": line}, line)
    data = {**now.__dict__, "nudge": line}
    return Answer(data, "\n".join(f"{name + ':':16}{value}" for name, value in _rows(now)))


def _rows(now: Status) -> list[tuple[str, str]]:
    rows = [
        ("knowledge base", now.root),
        ("nodes", f"{now.nodes:,}" + (f", {now.contested} contested" if now.contested else "")),
        ("branch", now.branch or "none"),
        ("not pushed", f"ahead {now.ahead}" if now.ahead else "nothing"),
        ("index", "stale" if now.index_stale else f"fresh, written {now.indexed_at}"),
    ]
    if not now.trusted:
        rows[2:4] = [("git", f"not asked: you have not trusted it; {trust_command(now.root)}")]
    if now.diverged:
        behind = f"{now.behind} {plural('commit', now.behind)} there"
        rows.append(("remote", f"diverged, {behind}; `ai-kb sync`"))
    if now.push_failed:
        rows.append(("push failed", f"{now.push_failed} ({now.push_failed_at})"))
    if now.uncommitted:
        rows.append(("not committed", ", ".join(now.uncommitted[:5])))
    if now.interrupted:
        rows.append(("write", "one was interrupted; the next one undoes it"))
    if now.curation_due:
        rows.append(("curation", "due; `ai-kb curate`"))
    return rows


KB_STATUS = kb_operation(
    "kb status",
    status,
    examples=("kb status", "kb status --line"),
    brief="Nodes, unpushed commits, failures, contests; what to tell the person is in nudge.",
    told=(),
)
