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
    is_open = False
    for message, parts in messages:
        turn = _turn(message, parts, context, bool(session.get("parentID")))
        time = message.get("time")
        is_complete = message.get("error") or (isinstance(time, dict) and time.get("completed"))
        is_open = turn is not None and turn.role == "assistant" and not is_complete
        if turn:
            turns.append(turn)
    return Parsed(tuple(turns[:-1] if is_open else turns), context)


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
