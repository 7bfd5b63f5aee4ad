"""The command that opens the memory in a browser."""

from __future__ import annotations

import gc
import webbrowser
from importlib import import_module

from quaid.cli.parser import Given
from quaid.cli.serve import port_of
from quaid.cli.session import Session


def dashboard(session: Session, given: Given) -> int:
    """Serve the memory to the person's browser, or find the server that does."""
    gc.disable()  # thousands of objects are made while the SDK is loaded, and none is garbage
    listener = import_module("quaid.dashboard.listener")  # a surface, which no other command loads
    path = session.place.path

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
