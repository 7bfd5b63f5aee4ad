"""The beginning of a conversation: what the agent should always know."""

from __future__ import annotations

from quaid.agents.hooks.events import Call
from quaid.agents.hooks.prompt import warm_up
from quaid.operations.session_opening import session_opening

NEW_WINDOW = ("compact", "clear")  # what a conversation may begin anew from


def start(call: Call) -> str:
    """The context that is always there, unless the person does not want it."""
    call.states.clean()
    warm_up(call)
    if call.text("source") in NEW_WINDOW or call.text("trigger") in NEW_WINDOW:
        call.state.new_window()
    return session_opening(call.app) if call.app.settings.flag("hooks.context") else ""
