"""The command that opens the memory in a browser."""

from __future__ import annotations

import gc
import webbrowser
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from quaid.app import user_memory
from quaid.app.discovery import is_memory
from quaid.cli.parser import Given
from quaid.cli.serve import port_of
from quaid.cli.session import Session
from quaid.errors import InvalidInput, NotFound
from quaid.operations.foundation import make_memory


def dashboard(session: Session, given: Given) -> int:
    """Serve the memory to the person's browser, or find the server that does."""
    gc.disable()  # thousands of objects are made while the SDK is loaded, and none is garbage
    listener = import_module("quaid.dashboard.listener")  # a surface, which no other command loads
    path = _memory(session)

    def invite(link: str) -> None:
        print(link, flush=True)
        if not given.values.get("no_browser"):
            webbrowser.open(link)

    note = listener.Note.of(session.home, path)
    debug = bool(given.values.get("debug"))
    running = note.link(debug=debug)
    if running:
        session.console.notify("The dashboard of this memory runs already.")
        invite(running)
        return 0
    gate, keys = import_module("quaid.web.gate"), import_module("quaid.web.keys")
    shared = import_module("quaid.app.shared")
    port = given.values.get("port")
    opening = shared.Opening(lambda: path, session.settings, session.surroundings)
    policy = gate.Policy(gate.Address("127.0.0.1", 0), keys.Keys(session.home, lambda: path), debug=debug)
    options = listener.Options(
        port=port_of(port) if port else None, watching=not given.values.get("no_watch")
    )
    session.console.notify("The dashboard runs until you stop it (Ctrl-C). The link works once:")
    status: int = listener.run(opening, policy, options, note, invite)
    return status


def _memory(session: Session) -> Path:
    """The memory that is meant; the person's own is made if there is none, and the first view leads on."""
    named = session.db or session.environment.get("QUAID_DB")
    with suppress(NotFound):
        path = session.memory
        if named and not is_memory(path):
            raise InvalidInput(f"there is no memory at {path}", hint=f"Make one: quaid init {path}.")
        return path
    made = make_memory(user_memory(session.home), session.settings, session.surroundings)
    session.console.notify(f"Made a memory: {made.path}")
    return made.path
