"""The command that answers a client's hooks. An agent must never fail because of it."""

from __future__ import annotations

import json
import os
import select
import sys
import time

from quaid.agents.hooks import EVENTS, answer, event_of, read_input
from quaid.cli.parser import Given
from quaid.cli.session import Session

PATIENCE = 1.0  # seconds for a client to say what it has to say
MOST = 16_000_000  # bytes


def hook(session: Session, given: Given) -> int:
    """Answer one event with JSON. Whatever is wrong is said on standard error; the status is always 0."""
    said = {}
    try:
        asked = read_input(_input())
        event = event_of(given.values.get("event"), asked)
        if not event:
            session.console.notify(f"no event of a hook; there are: {', '.join(EVENTS)}")
        said = answer(event, asked, lambda: session.app)
    except Exception as error:  # surface: an agent's session goes on without its memory
        session.console.notify(f"hook: {error}")
    session.console.show(json.dumps(said, ensure_ascii=False))
    return 0


def _input() -> bytes:
    """What stands on standard input, if anything comes: a client may leave it open."""
    if sys.stdin is None or sys.stdin.closed or sys.stdin.isatty():
        return b""
    try:
        descriptor = sys.stdin.fileno()
    except OSError:  # not a file of the system
        return sys.stdin.buffer.read()
    data = b""
    end = time.monotonic() + PATIENCE
    while len(data) < MOST and _ready(descriptor, end - time.monotonic()):
        more = os.read(descriptor, 1 << 16)
        data += more
        if not more or (data.rstrip().endswith(b"}") and read_input(data)):
            break
    return data


def _ready(descriptor: int, seconds: float) -> bool:
    if os.name == "nt":  # where pipes cannot be waited for
        return True
    return bool(select.select([descriptor], [], [], max(0.0, seconds))[0])
