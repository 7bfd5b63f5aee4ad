"""The beginning of a conversation: what the agent should always know."""

from __future__ import annotations

from quaid import operations
from quaid.agents.calls import Call
from quaid.operations.context import CONTEXT, Wanted
from quaid.operations.kb.attached import nudge_line

NEW_WINDOW = ("compact", "clear")  # what a conversation may begin anew from


def start(call: Call) -> str:
    """The context that is always there."""
    call.states.clean()
    if call.text("source") in NEW_WINDOW or call.text("trigger") in NEW_WINDOW:
        call.state.new_window()
    always = str(operations.run(call.app, CONTEXT, Wanted(format="hook")).text)
    return "\n".join(filter(None, [nudge_line(call.app), always]))
