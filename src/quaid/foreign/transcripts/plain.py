"""Transcripts without a client: JSON lines of role and content, and Markdown with a heading for each turn."""

from __future__ import annotations

import re
from typing import Any

from quaid.foreign.transcripts.turn import (
    Context,
    Parsed,
    Role,
    Turn,
    moment,
    parsed_line,
    said,
    text_of,
    turn_of,
    word,
)

_ROLES: dict[str, Role] = {
    **dict.fromkeys(("user", "human", "me", "you"), "user"),
    **dict.fromkeys(
        ("assistant", "ai", "agent", "model", "claude", "chatgpt", "gemini", "copilot"), "assistant"
    ),
}
_NAMES = "|".join(_ROLES)
_HEADING = re.compile(
    rf"(?:#{{1,6}}[ \t]+|\*\*)(?P<role>{_NAMES}|system|tool)(?P<rest>\b[^\n]{{0,200}})?\Z", re.IGNORECASE
)
_TIME = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)?")
_AFTER_ROLE = re.compile(r"[\s:*()\[\]—–|,.-]*\Z")
_TITLE = re.compile(r"#[ \t]+(.{1,200})")


def parse_lines(data: bytes, context: Context) -> Parsed:
    """The turns in whole lines of JSON: role (or type, or sender) and content (or text, or message)."""
    turns: list[Turn] = []
    malformed = 0
    for line in data.split(b"\n"):
        if not line.strip():
            continue
        found = parsed_line(line)
        if found is None:
            malformed += 1
            continue
        turn = _turn(found, context)
        if turn:
            turns.append(turn)
    return Parsed(tuple(turns), context, malformed)


def _turn(found: dict[str, Any], context: Context) -> Turn | None:
    message = found.get("message")
    inner: dict[str, Any] = message if isinstance(message, dict) else found
    named = next(
        (
            inner.get(key) or found.get(key)
            for key in ("role", "sender", "author", "type")
            if inner.get(key) or found.get(key)
        ),
        "",
    )
    role = _ROLES.get(str(named).lower())
    content = next((inner[key] for key in ("content", "text", "message") if inner.get(key)), "")
    time = next((found[key] for key in ("timestamp", "time", "created_at", "date") if found.get(key)), None)
    return turn_of(
        context,
        role,
        text_of(content),
        time,
        id=word(found.get("id") or found.get("uuid")),
        project=word(found.get("cwd") or found.get("project")) or context.project,
    )


def parse_markdown(data: bytes, context: Context) -> Parsed:
    """The turns of a whole text: under headings such as `## User` and `## Assistant`, or `**User:**`."""
    turns: list[Turn] = []
    role: Role | None = None
    time, title, said_lines, fenced = "", context.title, list[str](), ""

    def finish() -> None:
        text = said("\n".join(said_lines)) if role else ""
        if role and text:
            turns.append(Turn(role, text, time, session=context.session, project=context.project))

    for line in data.decode("utf-8-sig", "replace").splitlines():
        fence = line.lstrip()[:3]
        if fence in ("```", "~~~") and (not fenced or fence == fenced):
            fenced = "" if fenced else fence
        heading = None if fenced else _spoken_by(line)
        if heading:
            finish()
            role, time, rest = heading
            said_lines = [rest] if rest else []
            continue
        if not turns and role is None and not title:
            head = _TITLE.match(line)
            title = head.group(1).strip() if head else ""
        said_lines.append(line)
    finish()
    return Parsed(tuple(turns), Context(context.session, context.project, context.branch, title))


def _spoken_by(line: str) -> tuple[Role | None, str, str] | None:
    """Who speaks after a line, when, and what stands on the line itself; None if it is no such heading."""
    if not line.startswith(("#", "**")):
        return None
    match = _HEADING.match(line.rstrip())
    if not match:
        return None
    rest = match.group("rest") or ""
    time = _TIME.search(rest)
    remains = _TIME.sub("", rest, count=1)
    text = ""
    if not _AFTER_ROLE.match(remains):
        if line.startswith("#") or ":" not in remains[:4]:
            return None  # a heading that begins with such a word, and says something else
        text = remains.lstrip(" :*").strip()
    return (
        _ROLES.get(match.group("role").lower()),
        moment(time.group().replace(" ", "T")) if time else "",
        text,
    )
