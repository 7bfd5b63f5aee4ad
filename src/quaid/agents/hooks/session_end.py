"""A pause, a compaction, the end: processes of their own index the transcript, and exchange folders."""

from __future__ import annotations

import time
from pathlib import Path

from quaid.agents.hooks.events import Call
from quaid.store.collections import of_files

INDEX = "conversations index"
QUIET_SECONDS = 60  # between two looks at a transcript that has hardly grown
QUIET_BYTES = 65_536


def before_compaction(call: Call) -> None:
    """The client may soon forget what was said."""
    call.state.new_window()
    _index(call, at_once=True)


def after_compaction(call: Call) -> None:
    """A new window begins."""
    call.state.new_window()


def pause(call: Call) -> None:
    """The agent has answered; a conversation has many such moments."""
    _index(call, at_once=False)


def end(call: Call) -> None:
    """The conversation is over: it is indexed, by the process that exchanges folders if there are any."""
    app = call.app
    if not app.settings.flag("hooks.sync") or not any(
        (app.stated_root(row) / ".git").exists() for row in of_files(app.connection)
    ):
        _index(call, at_once=True)
        return
    wanted = call.transcript is not None and app.settings.flag("hooks.index")
    along = ("--transcript", str(call.transcript)) if wanted else ()
    call.launch(("--db", str(app.store.path), "sync", "--quiet", *along))


def _index(call: Call, *, at_once: bool) -> None:
    path = call.transcript
    if not path or not call.app.settings.flag("hooks.index"):
        return
    if _has_grown(call, path) or at_once:
        call.launch(("--db", str(call.app.store.path), *INDEX.split(), "--quiet", str(path)))


def _has_grown(call: Call, path: Path) -> bool:
    """Whether a transcript is worth another look."""
    size, now, state = path.stat().st_size, time.time(), call.state
    grown = abs(size - state.indexed_size)
    if not grown or (grown < QUIET_BYTES and 0 <= now - state.indexed_at < QUIET_SECONDS):
        return False
    state.indexed_size, state.indexed_at = size, now
    return True
