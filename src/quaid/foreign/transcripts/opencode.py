"""Transcripts of OpenCode: a session, its messages and their parts, from JSON files or from its database."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from quaid.foreign.transcripts.turn import Context, Parsed, Turn, turn_of, word

Message = tuple[Mapping[str, Any], Iterable[Mapping[str, Any]]]


def parse(session: Mapping[str, Any], messages: Iterable[Message]) -> Parsed:
    """The turns of a session, from its messages in order, each with its parts in order.

    An answer that is still being written waits for the next time.
    """
    context = Context(
        session=word(session.get("id")),
        project=word(session.get("directory")),
        title=word(session.get("title")),
    )
    turns: list[Turn] = []
    waiting: Turn | None = None
    for message, parts in messages:
        waiting = None
        turn = _turn(message, parts, context, bool(session.get("parentID")))
        if turn and turn.role == "assistant" and not _is_complete(message):
            waiting = turn
        if turn:
            turns.append(turn)
    if waiting:
        turns.pop()
    return Parsed(tuple(turns), context)


def _is_complete(message: Mapping[str, Any]) -> bool:
    time = message.get("time")
    return bool(message.get("error")) or bool(isinstance(time, dict) and time.get("completed"))


def _turn(
    message: Mapping[str, Any], parts: Iterable[Mapping[str, Any]], context: Context, sidechain: bool
) -> Turn | None:
    role = message.get("role")
    if role not in ("user", "assistant") or message.get("summary") is True:
        return None
    texts = [
        part["text"]
        for part in parts
        if part.get("type") == "text"
        and isinstance(part.get("text"), str)
        and not part.get("synthetic")
        and not part.get("ignored")
    ]
    time = message.get("time")
    return turn_of(
        context,
        role,
        "\n\n".join(texts),
        time.get("created") if isinstance(time, dict) else None,
        id=word(message.get("id")),
        parent=word(message.get("parentID")),
        sidechain=sidechain,
    )
