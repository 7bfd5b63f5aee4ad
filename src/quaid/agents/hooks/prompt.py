"""Before a prompt: the request to write down, when it is time, and what the memory knows about the prompt."""

from __future__ import annotations

from quaid import standby
from quaid.agents.hooks.events import Call
from quaid.agents.hooks.recollection import Recollected, recollect
from quaid.notebook.flush import MESSAGE, FlushMonitor, fill_of

# A conversation that is larger than its window shows that the window is: some have five times as much.
BEYOND, LARGER = 1.1, 5
WORTH_A_LOOK = 65_536  # bytes by which a transcript has grown
MOST_RECALLED = 8_000  # characters, whatever the settings say


def prompt(call: Call) -> str:
    """What stands beside the prompt."""
    parts = [MESSAGE] if _is_time_to_write(call) else []
    settings = call.app.settings
    mode = settings.text("hooks.recall")
    if mode != "off":
        found = _recollection(call, mode, min(settings.integer("hooks.recall_chars"), MOST_RECALLED))
        call.state.shown += found.keys
        parts += [found.text] if found.text else []
    return "\n\n".join(parts)


def after_tool(call: Call) -> str:
    """Between two steps of a long turn: the request to write down, when it is time."""
    path = call.transcript
    if not path or call.state.fired:
        return ""
    size = path.stat().st_size
    if abs(size - call.state.looked_size) < WORTH_A_LOOK:
        return ""
    call.state.looked_size = size
    return MESSAGE if _is_time_to_write(call) else ""


def _recollection(call: Call, mode: str, room: int) -> Recollected:
    """What helps with the prompt: by meaning if the model is loaded, else by words.

    To load it for this prompt alone would take longer than a client should wait; the next one has it.
    """
    ready = mode == "meaning" and call.app.models.is_ready
    if mode == "meaning" and not ready:
        warm_up(call)
    call.app.freshen()
    return recollect(call.app, call.text("prompt"), mode if ready else "words", room, call.state.shown)


def warm_up(call: Call) -> None:
    """Start the process that stands by, if that is wanted and there is none; it is for the next time."""
    settings = call.app.settings
    wanted = settings.text("hooks.recall") == "meaning" and settings.integer("warm.minutes") > 0
    if wanted and standby.place() is not None and not standby.is_there():
        call.launch(("warm",))


def _is_time_to_write(call: Call) -> bool:
    """Whether the window is so full that the agent should write down, and was not told yet."""
    if not call.transcript or not call.app.settings.flag("hooks.flush"):
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
