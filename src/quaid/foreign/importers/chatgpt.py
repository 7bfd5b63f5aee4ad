"""Conversations that ChatGPT exports."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from quaid.errors import InvalidInput
from quaid.foreign.importers.chats import (
    ASSISTANT,
    YOU,
    Conversation,
    ConversationImporter,
    Turn,
    attached,
    fenced,
    items_of,
    sound,
    text_of,
)
from quaid.foreign.importers.importer import read_json

_SPEAKERS = {"user": YOU, "assistant": ASSISTANT}
_CITATION = re.compile("\ue200[^\ue200\ue201]*\ue201")
_CANVAS = "canmore.create_textdoc"


class ChatGpt(ConversationImporter):
    """The conversations.json of ChatGPT: a tree of messages, of which one branch is current."""

    name = "chatgpt"

    def conversation(self, value: dict[str, Any]) -> Conversation | None:
        """A conversation, if it has a tree of messages."""
        mapping = value.get("mapping")
        identity = text_of(value.get("conversation_id")) or text_of(value.get("id"))
        if not isinstance(mapping, dict) or not identity:
            return None
        messages = list(_branch(mapping, value.get("current_node")))
        return Conversation(
            id=identity,
            title=text_of(value.get("title")),
            created=_moment(value.get("create_time")),
            updated=_moment(value.get("update_time")),
            source=f"https://chatgpt.com/c/{identity}",
            model=text_of(value.get("default_model_slug")) or _model(messages),
            turns=tuple(_turns(messages)),
        )


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _branch(mapping: dict[str, Any], current: Any) -> list[dict[str, Any]]:
    """The messages from the beginning to the current one, or to the latest where none is named."""
    node = current if isinstance(current, str) and current in mapping else _latest(mapping)
    chain: list[dict[str, Any]] = []
    seen: set[str] = set()
    while isinstance(node, str) and node in mapping and node not in seen:
        seen.add(node)
        known = _dict(mapping[node])
        message = known.get("message")
        if isinstance(message, dict):
            chain.append(message)
        node = known.get("parent")
    return chain[::-1]


def _latest(mapping: dict[str, Any]) -> str | None:
    """The last of the messages that nothing follows."""
    leaves = [name for name, node in mapping.items() if not _dict(node).get("children")]
    times = {name: _time(_dict(_dict(mapping[name]).get("message")).get("create_time")) for name in leaves}
    return max(reversed(leaves), key=lambda name: times[name], default=None)


def _turns(messages: list[dict[str, Any]]) -> Iterator[Turn]:
    for message in messages:
        speaker = _SPEAKERS.get(text_of(_dict(message.get("author")).get("role")))
        hidden = _dict(message.get("metadata")).get("is_visually_hidden_from_conversation")
        if not speaker or hidden:
            continue
        said = "\n\n".join(part for part in _parts_of(message) if part.strip())
        if said:
            yield Turn(speaker, said, _moment(message.get("create_time")))


def _parts_of(message: dict[str, Any]) -> Iterator[str]:
    content = _dict(message.get("content"))
    kind = content.get("content_type")
    recipient = message.get("recipient") or "all"
    if recipient != "all":
        # What is said to a tool is no part of the conversation, but a document that it wrote is.
        yield from _canvas(content) if recipient == _CANVAS else ()
    elif kind == "code":
        language = text_of(content.get("language"))
        yield fenced(sound(text_of(content.get("text"))), "" if language == "unknown" else language)
    elif kind in ("text", "multimodal_text"):
        for part in items_of(content.get("parts")):
            yield _CITATION.sub("", part) if isinstance(part, str) else _medium(_dict(part))
        for item in items_of(_dict(message.get("metadata")).get("attachments")):
            name = text_of(_dict(item).get("name"))
            if name:
                yield attached(name, "")


def _medium(part: dict[str, Any]) -> str:
    """What a part that is no text says."""
    if part.get("content_type") == "audio_transcription":
        return text_of(part.get("text"))
    return "*(an image)*" if part.get("content_type") == "image_asset_pointer" else ""


def _canvas(content: dict[str, Any]) -> Iterator[str]:
    parts = items_of(content.get("parts")) or [content.get("text")]
    try:
        document = _dict(read_json("".join(part for part in parts if isinstance(part, str))))
    except InvalidInput:
        return
    yield attached(text_of(document.get("name")), text_of(document.get("content")))


def _model(messages: list[dict[str, Any]]) -> str:
    slugs = (text_of(_dict(message.get("metadata")).get("model_slug")) for message in reversed(messages))
    return next((slug for slug in slugs if slug), "")


def _time(value: Any) -> float:
    return float(value) if isinstance(value, (int, float)) else 0.0


def _moment(value: Any) -> str:
    if not _time(value):
        return ""
    try:
        return datetime.fromtimestamp(_time(value), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError):
        return ""
