"""The command that an agent's client calls."""

from __future__ import annotations

import json
import os
import select
import sys
import time
from collections.abc import Sequence
from typing import Any

from quaid.agents.hooks import events
from quaid.app import App, open_app, user_memory
from quaid.cli.parser import Given
from quaid.cli.session import Session
from quaid.errors import QuaidError
from quaid.settings import Layer

MOST_INPUT = 16_000_000  # bytes
PATIENCE = 1.0  # seconds for a client to say what it has to say
# A client waits for the answer: nothing takes long, and what is not quick is left for another time.
HASTE = {"store.busy_timeout": 0.05, "sync.cheap_files": 3000, "sync.catch_up": 50, "query.catch_up": 4}
PROGRAM = "import sys; from quaid.cli.main import main; sys.exit(main())"


def hook(session: Session, given: Given) -> int:
    """Answer the call of a hook. Whatever happens, the answer is JSON and the status 0."""
    answer = "{}"
    try:
        event = str(given.values.get("event") or "")
        answer = events.answer(event, _input(), lambda: _hasty(session), session.home, _launch)
    except QuaidError as error:
        session.console.notify(f"hook: {error.message}. {error.hint}".rstrip())
    except Exception as error:  # surface: an agent must not fail because its memory does
        session.console.notify(f"hook: {type(error).__name__}: {error}")
    session.console.show(answer)
    return 0


def _hasty(session: Session) -> App:
    """The memory: one that was named, or the person's own.

    Not one that lies where the agent works: what a stranger's repository says must not come before prompts.
    """
    named = session.db or session.environment.get("QUAID_DB")
    path = session.memory if named else user_memory(session.home)
    settings = session.settings.adding(Layer("flag", "hook", HASTE))
    return open_app(path, settings, session.surroundings)


def _input() -> dict[str, Any]:
    """What the client says; nothing where it says nothing that can be understood."""
    if sys.stdin is None or sys.stdin.closed or sys.stdin.isatty():
        return {}
    try:
        descriptor = sys.stdin.fileno()
    except OSError:  # not a file of the system
        return _payload(sys.stdin.buffer.read(MOST_INPUT))
    data = b""
    end = time.monotonic() + PATIENCE
    while len(data) < MOST_INPUT and _ready(descriptor, end - time.monotonic()):
        more = os.read(descriptor, 1 << 16)
        data += more
        if not more or (data.rstrip().endswith(b"}") and _payload(data)):
            break
    return _payload(data)


def _payload(data: bytes) -> dict[str, Any]:
    try:
        said = json.loads(data or b"{}")
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def _ready(descriptor: int, seconds: float) -> bool:
    """Whether there is something to read: a client may leave the input open."""
    if os.name == "nt":  # where pipes cannot be waited for
        return True
    return bool(select.select([descriptor], [], [], max(0.0, seconds))[0])


def _launch(words: Sequence[str]) -> None:
    """Start this program again, on its own: it goes on when the client has gone."""
    import subprocess  # only for events that start something

    nothing = subprocess.DEVNULL
    subprocess.Popen(
        # -P: whatever lies in the agent's directory is not taken for a module of ours.
        [sys.executable, "-P", "-c", PROGRAM, *words],
        stdin=nothing,
        stdout=nothing,
        stderr=nothing,
        start_new_session=True,
    )
