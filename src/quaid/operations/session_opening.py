"""What a hook gives an agent when a conversation begins."""

from __future__ import annotations

from quaid import operations
from quaid.app import App
from quaid.formats import fence
from quaid.operations.context import CONTEXT, Wanted
from quaid.operations.kb.memory import nudge_line
from quaid.operations.text import clipped

LONGEST_NUDGE = 400


def session_opening(app: App) -> str:
    """The context that is always there, below what the knowledge base wants done."""
    nudge = clipped(fence.attribute(nudge_line(app)), LONGEST_NUDGE)
    always = str(operations.run(app, CONTEXT, Wanted(format="hook", reserved=2 * len(nudge))).text)
    return "\n".join(filter(None, [nudge, always]))
