"""A turn of a conversation, and what all transcripts have in common: times, content blocks, injected text."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import Any, Literal

from quaid.model.record import fill, record

Role = Literal["user", "assistant"]
LONGEST = 200_000  # characters of a turn; beyond that somebody has pasted a file


@record
class Turn:
    """What the person or the agent said, once. Texts are as the client wrote them, secrets included."""

    role: Role
    text: str
    time: str = ""
    id: str = ""
    parent: str = ""
    session: str = ""
    project: str = ""
    branch: str = ""
    sidechain: bool = False


@record
class Context:
    """What lines of a transcript say about those that follow; it is carried from one part to the next."""

    session: str = ""
    project: str = ""
    branch: str = ""
    title: str = ""


@record
class Parsed:
    """The turns of a part of a transcript, the context after it, and how many lines could not be read."""

    turns: tuple[Turn, ...]
    context: Context
    malformed: int = 0


# Elements in which clients put what nobody said.
_TAG_LIST = (
    "system-reminder, command-name, command-message, command-contents, local-command-stdout, "
    "local-command-stderr, local-command-caveat, bash-stdout, bash-stderr, task-notification, "
    "user-prompt-submit-hook, session-start-hook, ide_opened_file, ide_selection, environment_context, "
    "user_instructions, INSTRUCTIONS, permissions instructions, collaboration_mode, turn_aborted, skill, "
    "user_shell_command, subagent_notification, hook_prompt, goal_context, recommended_plugins, "
    "internal_model_context"
)
_TAGS = _TAG_LIST.split(", ")
_INJECTED = re.compile(f"<({'|'.join(map(re.escape, _TAGS))})(?:\\s[^<>]{{0,200}})?>")
_COMMAND = re.compile(r"<command-name>([^<>\n]{1,100})</command-name>")
_ARGUMENTS = "<command-args>", "</command-args>"
_WHOLE = re.compile(
    r"# AGENTS\.md instructions for |\[Request interrupted by user|Caveat: The messages below were generated"
    r"|This session is being continued from a previous conversation|No response requested\."
)
# Codex in an editor puts open files and selections before what was said.
_EDITOR = re.compile(r"# (?:Context from my IDE setup|Files mentioned by the user)\b")
_REQUEST = "## My request for Codex:"
_ISO = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?Z\Z")
_SURROGATE = re.compile("[\ud800-\udfff]")


def turn_of(context: Context, role: Any, text: str, time: Any, **more: Any) -> Turn | None:
    """A turn, if the person or the agent really said something."""
    if role not in ("user", "assistant") or not (text := said(text)):
        return None
    return fill(Turn, context, role=role, text=text, time=moment(time), **more)


def parsed_line(line: bytes) -> dict[str, Any] | None:
    """The object of a line, or None if there is none."""
    try:
        value = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def text_of(content: Any) -> str:
    """The text of a message: a string, or the text blocks among others such as calls of tools."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = (
        block["text"]
        for block in content
        if isinstance(block, dict)
        and block.get("type") in ("text", "input_text", "output_text")
        and isinstance(block.get("text"), str)
    )
    return "\n\n".join(texts)


def said(text: str) -> str:
    """What was really said: without what clients put into a message; empty if nothing remains."""
    text = text.strip()
    if _WHOLE.match(text):
        return ""
    if _EDITOR.match(text) and _REQUEST in text:
        text = text.partition(_REQUEST)[2].strip()
    if "<" in text:
        command = _COMMAND.search(text) if text.startswith("<command-") else None
        if command:
            spoken = text.partition(_ARGUMENTS[0])[2].partition(_ARGUMENTS[1])[0].strip()
            return f"{command.group(1).strip()} {spoken}"[:LONGEST] if spoken else ""
        text = _without_injected(text)
    if len(text) > LONGEST:
        # Between words, so that no secret is cut in two and not known any more.
        text = text[:LONGEST].rsplit(maxsplit=1)[0] + " […]"
    if _SURROGATE.search(text):
        text = _SURROGATE.sub("\ufffd", text)
    return text.replace("\0", "")


def _without_injected(text: str) -> str:
    parts = []
    place = 0
    unclosed = set()  # looked for once, so that many of them take no longer than one
    for tag in _INJECTED.finditer(text):
        name = tag.group(1)
        if tag.start() < place or name in unclosed:
            continue
        end = text.find(f"</{name}>", tag.end())
        if end < 0:
            unclosed.add(name)
            continue
        parts.append(text[place : tag.start()])
        place = end + len(name) + 3
    return "".join([*parts, text[place:]]).strip() if parts or place else text


def moment(value: Any) -> str:
    """A time as it is stored, from ISO 8601 or from (milli)seconds since 1970; empty if it is none."""
    try:
        if isinstance(value, str):
            usual = _ISO.match(value)
            if usual:
                return f"{usual.group(1)}Z"
            found = datetime.fromisoformat(value)
            found = found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            found = datetime.fromtimestamp(value / 1000 if value > 1e11 else value, UTC)
        else:
            return ""
        return found.strftime("%Y-%m-%dT%H:%M:%SZ") if found.year >= 1000 else ""
    except (ValueError, OverflowError, OSError):
        return ""


def word(value: Any) -> str:
    """A short text such as an id or a path; empty if it is something else."""
    if not isinstance(value, str):
        return ""
    return _SURROGATE.sub("\ufffd", value[:1000]).replace("\0", "")
