"""The command that an agent's client calls."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from quaid.agents import hooks
from quaid.app import App, open_app
from quaid.cli.parser import Given
from quaid.cli.session import Session
from quaid.errors import QuaidError
from quaid.settings import Layer

MOST_INPUT = 16_000_000  # bytes
# A client waits for the answer: nothing takes long, and what is not quick is left for another time.
HASTE = {"store.busy_timeout": 0.05, "sync.cheap_files": 3000, "sync.catch_up": 50, "query.catch_up": 4}
PROGRAM = "import sys; from quaid.cli.main import main; sys.exit(main())"


def hook(session: Session, given: Given) -> int:
    """Answer the call of a hook. Whatever happens, the answer is JSON and the status 0."""
    answer = "{}"
    try:
        event = str(given.values.get("event") or "")
        answer = hooks.answer(event, _input(), lambda: _hasty(session), session.home, _launch)
    except QuaidError as error:
        session.console.notify(f"hook: {error.message}. {error.hint}".rstrip())
    except Exception as error:  # surface: an agent must not fail because its memory does
        session.console.notify(f"hook: {type(error).__name__}: {error}")
    session.console.show(answer)
    return 0


def _hasty(session: Session) -> App:
    settings = session.settings.adding(Layer("flag", "hook", HASTE))
    return open_app(session.place.path, settings, session.surroundings)


def _input() -> dict[str, Any]:
    """What the client says; nothing where it says nothing that can be understood."""
    if sys.stdin is None or sys.stdin.isatty():
        return {}
    try:
        data = json.loads(sys.stdin.buffer.read(MOST_INPUT) or b"{}")
    except (ValueError, RecursionError, OSError):
        return {}
    return data if isinstance(data, dict) else {}


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
