"""Files of a knowledge base that a person has edited, and its index."""

from __future__ import annotations

from quaid.errors import FINDINGS_STATUS
from quaid.kb.gate import Proposal
from quaid.kb.place import check
from quaid.kb.protocol import reindex, stale_index, write
from quaid.model.record import record
from quaid.operations.kb.answer import KB, OFFLINE, Answer, kb_command, notices_of
from quaid.operations.kb.app import KbApp
from quaid.operations.operation import arg
from quaid.sync.repository import path_list


@record
class Commit:
    """Arguments of `kb commit`."""

    files: list[str] | None = arg(
        "The files; otherwise all that have changed.",
        default=None,
        positional=True,
        rest=True,
        completes="file",
    )
    message: str | None = arg("What the commit says.", default=None)
    offline: bool = OFFLINE
    kb: str | None = KB


def commit(app: KbApp, args: Commit) -> Answer:
    """Check and commit files that you have edited, moved or removed by hand.

    Named files and no others, whatever else has changed. Where the check fails they stay as they are.
    Editors call this after saving.
    """
    kb = app.kb
    files = [app.path_of(name) for name in args.files or ()]

    done = write(kb, lambda _: Proposal({}, args.message or ""), adopting=files or None, offline=args.offline)
    text = f"committed {path_list(done.paths)}" if done.commit else "nothing has changed"
    return Answer(done.as_data(), text, notices_of(done))


KB_COMMIT = kb_command("kb commit", commit, "kb commit", "kb commit 20260524093000-commit-style.org")


@record
class Index:
    """Arguments of `kb index`."""

    check: bool = arg("Only say whether it is stale.", default=False)
    kb: str | None = KB


def index(app: KbApp, args: Index) -> Answer:
    """Write index.org anew from the nodes.

    Nothing is committed. Status 11 with --check if it is stale.
    """
    kb = app.kb
    check(kb.root)
    if args.check:
        stale = stale_index(kb)
        text = f"stale: {path_list(stale)}" if stale else "fresh"
        return Answer({"stale": stale}, text, status=FINDINGS_STATUS if stale else 0)
    written = reindex(kb)
    return Answer({"written": written}, f"wrote {path_list(written)}" if written else "fresh")


KB_INDEX = kb_command("kb index", index, "kb index", "kb index --check")
