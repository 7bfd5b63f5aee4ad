"""The beginning of a conversation: what the agent should always know."""

from __future__ import annotations

from quaid import operations
from quaid.agents.hooks.calls import Call
from quaid.agents.hooks.prompt import warm_up
from quaid.formats import fence
from quaid.operations.context import CONTEXT, Wanted
from quaid.operations.kb.attached import nudge_line
from quaid.operations.text import clipped

LONGEST_NUDGE = 400
NEW_WINDOW = ("compact", "clear")  # what a conversation may begin anew from


def start(call: Call) -> str:
    """The context that is always there."""
    call.states.clean()
    warm_up(call)
    if call.text("source") in NEW_WINDOW or call.text("trigger") in NEW_WINDOW:
        call.state.new_window()
    nudge = clipped(fence.attribute(nudge_line(call.app)), LONGEST_NUDGE)
    always = str(operations.run(call.app, CONTEXT, Wanted(format="hook", reserved=2 * len(nudge))).text)
    return "\n".join(filter(None, [nudge, always]))
