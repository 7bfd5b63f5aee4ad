"""A knowledge base and its remote: pushed, followed, and brought together where they have gone apart."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from quaid.errors import FINDINGS_STATUS, GitFailed, QuaidError
from quaid.formats.secrets import ALLOWED
from quaid.kb import divergence
from quaid.kb import push as pushing
from quaid.kb.divergence import Divergence
from quaid.kb.due import note_due
from quaid.kb.emacs import poke
from quaid.model.record import record
from quaid.operations.kb.answer import KB, YES, Answer, kb_command
from quaid.operations.kb.app import KbApp
from quaid.operations.kb.memory import refresh
from quaid.operations.operation import arg
from quaid.sync.leaks import Leak
from quaid.sync.repository import plural


@record
class Sync:
    """Arguments of `kb sync`."""

    background: bool = arg("For timers: always with status 0; failures are noted.", default=False)
    kb: str | None = KB


def sync(app: KbApp, args: Sync) -> Answer:
    """Bring what is new to the remote and from it, and refresh the Quaid memory.

    That is the memory to which this is attached. It follows the remote; where both sides have new commits,
    those made here come after the remote's, and changes of one node are joined if nothing in them clashes.
    Otherwise nothing changes, and the divergence is noted. What is not committed stays as it is. Then it
    pushes, as `push` does: status 11 for secrets, 13 for a failure.
    """
    done = pushing.sync_quietly(app.kb) if args.background else pushing.sync(app.kb)
    refreshed = refresh(app, done.authors)
    with suppress(QuaidError):  # time alone makes it due, and sessions only read what is noted
        note_due(app.kb, app.kb.nodes().rows)
    if done.followed or done.joined:
        poke(app.root, app.environment)
    text = done.message + ("; the memory is refreshed" if refreshed else "")
    data = {**done.as_data(), "memory": refreshed}
    if args.background:
        return Answer(data, text)
    if done.leaks:
        return Answer(data, _withheld(text, done.leaks), (_REMEDY,), FINDINGS_STATUS)
    return Answer(data, text, status=GitFailed.exit_status if done.failed else 0)


KB_SYNC = kb_command("kb sync", sync, "kb sync", "kb sync --background")


@record
class Push:
    """Arguments of `kb push`."""

    if_ahead: bool = arg("Only if there is something to push, and always with status 0.", default=False)
    kb: str | None = KB


_REMEDY = (
    "the commits are still here alone: take the secret out of them (`git rebase -i`, or `git reset --soft "
    "@{upstream}` and commit anew) and make it void if others may have seen it; a line that holds none may "
    f"have the comment `{ALLOWED[0]}`"
)


def push(app: KbApp, args: Push) -> Answer:
    """Push what is committed; never with force, and no secrets.

    Every commit that the remote has not got is looked through first, those made by hand too. If one holds
    what looks like a key, a token or a password, nothing is pushed, and the places are named: status 11.
    A failure is noted for status and doctor. A rejected push is not tried again: the commit stays, and the
    divergence is noted. Status 13: the push failed.
    """
    done = pushing.quietly(app.kb) if args.if_ahead else pushing.push(app.kb)
    data = done.__dict__
    if args.if_ahead:
        return Answer(data, done.message)
    if done.leaks:
        return Answer(data, _withheld(done.message, done.leaks), (_REMEDY,), FINDINGS_STATUS)
    notice = "the commits stay here; `ai-kb sync` brings both sides together"
    notices = (notice,) if done.outcome == "diverged" else ()
    return Answer(data, done.message, notices, GitFailed.exit_status if done.failed else 0)


def _withheld(message: str, leaks: Sequence[Leak]) -> str:
    return "\n".join([message, *(f"  {leak}" for leak in leaks)])


KB_PUSH = kb_command("kb push", push, "kb push", "kb push --if-ahead")


@record
class Confirmed:
    """Arguments of `kb resolve-divergence`."""

    yes: bool = YES
    kb: str | None = KB


def resolve_divergence(app: KbApp, args: Confirmed) -> Answer:
    """Bring the branch and the remote together.

    Commits made here come after the remote's; where both changed a node such that the texts cannot be
    joined, both versions stay, as contested nodes.
    """
    sides = divergence.divergence(app.kb)
    if sides.there and sides.here:
        if app.person:
            app.person.show(_sides(sides))
        app.confirm("Bring both together?", args.yes)
    done = divergence.resolve(app.kb)
    text = {
        "nothing": "nothing to resolve",
        "followed": f"followed the remote by {len(sides.there)} {plural('commit', len(sides.there))}",
        "rebased": "your commits now come after the remote's",
        "merged": "both sides are joined",
    }[done.outcome]
    if done.contested:
        text += f"; contested, decide with `ai-kb resolve`: {', '.join(done.contested)}"
    if done.outcome in ("rebased", "merged"):
        text += "; `ai-kb push` pushes"
    data = {"outcome": done.outcome, "commit": done.commit, "contested": done.contested}
    return Answer(data, text, done.notices)


def _sides(sides: Divergence) -> str:
    lines = [f"here, not on the remote ({len(sides.here)}):", *(f"  {each}" for each in sides.here[:10])]
    lines += [f"on the remote, not here ({len(sides.there)}):", *(f"  {each}" for each in sides.there[:10])]
    if sides.both:
        lines += ["changed on both sides:", *(f"  {path}" for path in sides.both[:20])]
    return "\n".join(lines)


KB_RESOLVE_DIVERGENCE = kb_command("kb resolve-divergence", resolve_divergence, "kb resolve-divergence")
