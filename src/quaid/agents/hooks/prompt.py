"""Before a prompt: the request to write down, when it is time, and what the memory knows about the prompt."""

from __future__ import annotations

from quaid.agents.hooks.calls import Call
from quaid.agents.hooks.recollection import recollect
from quaid.notebook.flush import MESSAGE, FlushMonitor
from quaid.notebook.windows import fill_of

# A conversation that is larger than its window shows that the window is: some have five times as much.
BEYOND, LARGER = 1.1, 5
MOST_RECALLED = 8_000  # characters, whatever the settings say


def prompt(call: Call) -> str:
    """What stands beside the prompt."""
    parts = [MESSAGE] if _is_time_to_write(call) else []
    settings = call.app.settings
    mode = settings.text("hooks.recall")
    if mode != "off":
        call.app.freshen()
        room = min(settings.integer("hooks.recall_chars"), MOST_RECALLED)
        found = recollect(call.app, call.text("prompt"), mode, room, call.state.shown)
        call.state.shown += found.keys
        parts += [found.text] if found.text else []
    return "\n\n".join(parts)


def _is_time_to_write(call: Call) -> bool:
    """Whether the window is so full that the agent should write down, and was not told yet."""
    if not call.transcript:
        return False
    fill = fill_of(call.transcript)
    settings = call.app.settings
    window = fill.window or settings.integer("hooks.window_tokens")
    while fill.noted and fill.tokens > BEYOND * window:
        window *= LARGER
    share = min(1.0, max(0.01, settings.number("hooks.flush_share")))
    monitor = FlushMonitor(window, share, fired=call.state.fired)
    due = monitor.reached(fill.tokens)
    call.state.fired = monitor.fired
    # Without a memory of it, the agent would be asked again before every prompt.
    if due and not call.keep():
        call.app.notify("the agent is not asked to write down: ~/.quaid/hooks cannot be written")
        return False
    return due
