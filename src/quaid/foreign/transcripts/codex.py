"""Transcripts of Codex: rollouts, one JSON object a line, with the message in `payload`."""

from __future__ import annotations

from typing import Any

from quaid.foreign.transcripts.turn import (
    Context,
    Parsed,
    Turn,
    parsed_line,
    text_of,
    turn_of,
    word,
)
from quaid.model.record import replace

_WANTED = (b'"message"', b'"session_meta"', b'"turn_context"')


def parse(data: bytes, context: Context) -> Parsed:
    """The turns in whole lines of a rollout."""
    turns: list[Turn] = []
    malformed = 0
    for line in data.split(b"\n"):
        if not any(kind in line for kind in _WANTED):
            if line.strip() and not (line.lstrip().startswith(b"{") and line.rstrip().endswith(b"}")):
                malformed += 1
            continue
        found = parsed_line(line)
        if found is None:
            malformed += 1
            continue
        payload = found.get("payload")
        # Early versions wrote the message itself, without an envelope.
        item = payload if isinstance(payload, dict) else found
        kind = found.get("type")
        if kind in ("session_meta", "turn_context"):
            context = _context_with_session(item, context, kind == "session_meta")
        elif kind in ("response_item", "message") and item.get("type") == "message":
            text, time = text_of(item.get("content")), found.get("timestamp")
            turn = turn_of(context, item.get("role"), text, time, id=word(item.get("id")))
            if turn:
                turns.append(turn)
    return Parsed(tuple(turns), context, malformed)


def _context_with_session(item: dict[str, Any], context: Context, first: bool) -> Context:
    git = item.get("git")
    branch = word(git.get("branch")) if isinstance(git, dict) else ""
    session = word(item.get("id")) if first else ""
    return replace(
        context,
        session=session or context.session,
        project=word(item.get("cwd")) or context.project,
        branch=branch or context.branch,
    )
