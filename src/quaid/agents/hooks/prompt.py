"""Before a prompt: the request to write down, when it is time, and what the memory knows about the prompt."""

from __future__ import annotations

from quaid.agents import warm
from quaid.agents.hooks.calls import Call
from quaid.agents.hooks.recollection import Recollected, recollect
from quaid.app.discovery import is_own
from quaid.notebook.flush import MESSAGE, FlushMonitor
from quaid.notebook.windows import fill_of

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
        found = _recollected(call, mode, min(settings.integer("hooks.recall_chars"), MOST_RECALLED))
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


def _recollected(call: Call, mode: str, room: int) -> Recollected:
    """What helps with the prompt: by meaning through the process that is ready for it, else by words."""
    if mode == "meaning" and may_be_warm(call):
        values = {"prompt": call.text("prompt"), "room": room, "known": list(call.state.shown)}
        found = warm.ask(call.app.store.path, call.app.home, "recollect", values)
        if isinstance(found, dict):
            return Recollected(str(found.get("text", "")), tuple(map(str, found.get("keys", ()))))
        warm_up(call)
    # The model would have to be loaded for this prompt alone, which takes longer than a client should wait.
    call.app.freshen()
    return recollect(call.app, call.text("prompt"), "words", room, call.state.shown)


def may_be_warm(call: Call) -> bool:
    """Whether a process may keep the model ready: if that is wanted, and the memory is the person's."""
    app = call.app
    wanted = app.settings.text("hooks.recall") == "meaning" and app.settings.integer("hooks.warm") > 0
    return (
        wanted and warm.socket_path(app.store.path, app.home) is not None and is_own(app.store.path, app.home)
    )


def warm_up(call: Call) -> None:
    """Start the process that keeps the model ready, unless there is one; it is for the next time."""
    path = call.app.store.path
    if not warm.is_there(path, call.app.home):
        call.launch(("--db", str(path), "warm"))


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
