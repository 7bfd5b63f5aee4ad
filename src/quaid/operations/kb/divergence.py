"""A branch and its remote that have gone apart."""

from __future__ import annotations

from quaid.kb import divergence
from quaid.kb.divergence import Divergence
from quaid.kb.protocol import plural
from quaid.model.record import record
from quaid.operations.kb.answer import Answer, kb_operation
from quaid.operations.kb.app import KbApp
from quaid.operations.kb.fields import KB, YES


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
    data = {"outcome": done.outcome, "commit": done.commit, "contested": list(done.contested)}
    return Answer(data, text, done.notices)


def _sides(sides: Divergence) -> str:
    lines = [f"here, not on the remote ({len(sides.here)}):", *(f"  {each}" for each in sides.here[:10])]
    lines += [f"on the remote, not here ({len(sides.there)}):", *(f"  {each}" for each in sides.there[:10])]
    if sides.both:
        lines += ["changed on both sides:", *(f"  {path}" for path in sides.both[:20])]
    return "\n".join(lines)


KB_RESOLVE_DIVERGENCE = kb_operation(
    "kb resolve-divergence",
    Confirmed,
    resolve_divergence,
    effect="write",
    for_people=True,
    examples=("kb resolve-divergence",),
)
