"""Transcripts of Claude Code: one JSON object a line; subagents have files of their own."""

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

# Quotation marks within strings are escaped, so these stand for what a line is, and never for what it quotes.
_ROLES = (b'"type":"user"', b'"type":"assistant"', b'"type": "user"', b'"type": "assistant"')
_TITLES = (b'"type":"summary"', b'"type":"ai-title"', b'"type":"custom-title"', b'"type": "summary"')
_RESULT, _TEXT = b'"type":"tool_result"', b'"type":"text"'
_NOT_SAID = ("isMeta", "isCompactSummary", "isApiErrorMessage", "isVisibleInTranscriptOnly")


def parse(data: bytes, context: Context) -> Parsed:
    """The turns in whole lines of a transcript."""
    turns: list[Turn] = []
    malformed = 0
    for line in data.split(b"\n"):
        if _RESULT in line and _TEXT not in line:
            continue
        if not any(kind in line for kind in _ROLES):
            if any(kind in line for kind in _TITLES):
                context = _context_with_title(parsed_line(line) or {}, context)
            elif line.strip() and not (line.lstrip().startswith(b"{") and line.rstrip().endswith(b"}")):
                malformed += 1
            continue
        found = parsed_line(line)
        if found is None:
            malformed += 1
            continue
        context = _context_with_session(found, context)
        turn = _turn(found, context)
        if turn:
            turns.append(turn)
    return Parsed(tuple(turns), context, malformed)


def _context_with_title(found: dict[str, Any], context: Context) -> Context:
    """The context with a title. Summaries before the first turn are those of other conversations."""
    if found.get("type") == "summary" and not context.project:
        return context
    names = ("customTitle", "aiTitle", "title", "summary")
    title = next((word(found[name]) for name in names if found.get(name)), "")
    return replace(context, title=title) if title else context


def _context_with_session(found: dict[str, Any], context: Context) -> Context:
    """The context with what this line says of session, folder and branch."""
    names = {"session": "sessionId", "project": "cwd", "branch": "gitBranch"}
    stated = {name: value for name, key in names.items() if (value := word(found.get(key)))}
    return (
        replace(context, **stated)
        if any(getattr(context, name) != stated[name] for name in stated)
        else context
    )


def _turn(found: dict[str, Any], context: Context) -> Turn | None:
    role, message = found.get("type"), found.get("message")
    if not isinstance(message, dict) or any(found.get(key) for key in _NOT_SAID):
        return None
    return turn_of(
        context,
        role,
        text_of(message.get("content")),
        found.get("timestamp"),
        id=word(found.get("uuid")),
        parent=word(found.get("parentUuid")),
        sidechain=bool(found.get("isSidechain")),
    )
