"""A knowledge base and its remote."""

from __future__ import annotations

from quaid.errors import GitFailed
from quaid.kb import push as pushing
from quaid.model.record import record
from quaid.operations.kb.answer import Answer, kb_operation
from quaid.operations.kb.app import KbApp
from quaid.operations.kb.fields import KB, Whole
from quaid.operations.kb.memory import refresh
from quaid.operations.operation import arg


def sync(app: KbApp, args: Whole) -> Answer:
    """Fetch, follow the remote where that needs no merge, and refresh the Quaid memory.

    That is the memory to which this is attached.
    """
    done = pushing.sync(app.kb)
    refreshed = refresh(app)
    text = done.message + ("; the memory is refreshed" if refreshed else "")
    return Answer({**done.__dict__, "memory": refreshed}, text)


KB_SYNC = kb_operation("kb sync", Whole, sync, effect="write", for_people=True, examples=("kb sync",))


@record
class Push:
    """Arguments of `kb push`."""

    if_ahead: bool = arg(
        "For timers: only if there is something to push, and always with status 0.", default=False
    )
    kb: str | None = KB


def push(app: KbApp, args: Push) -> Answer:
    """Push what is committed; never with force.

    A failure is noted for status and doctor. A rejected push is not tried again: the commit stays, and the
    divergence is noted. Status 13: the push failed.
    """
    if args.if_ahead:
        quiet = pushing.quietly(app.kb)
        return Answer(dict(quiet.__dict__), quiet.message)
    done = pushing.push(app.kb)
    notice = "the commits stay here; `ai-kb resolve-divergence` brings both sides together"
    notices = (notice,) if done.outcome == "diverged" else ()
    return Answer(dict(done.__dict__), done.message, notices, GitFailed.exit_status if done.failed else 0)


KB_PUSH = kb_operation(
    "kb push",
    Push,
    push,
    effect="write",
    for_people=True,
    examples=("kb push", "kb push --if-ahead"),
)
