"""Conversations that claude.ai exports."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quaid.foreign.importers.chats import (
    ASSISTANT,
    YOU,
    Conversation,
    ConversationImporter,
    Turn,
    attached,
    items_of,
    text_of,
)

_SPEAKERS = {"human": YOU, "assistant": ASSISTANT}


class Claude(ConversationImporter):
    """The conversations.json of claude.ai: messages in order, each with blocks of content."""

    name = "claude"

    def conversation(self, value: dict[str, Any]) -> Conversation | None:
        """A conversation, if it has messages."""
        messages = value.get("chat_messages")
        identity = text_of(value.get("uuid"))
        if not isinstance(messages, list) or not identity:
            return None
        known = [message for message in messages if isinstance(message, dict)]
        return Conversation(
            id=identity,
            title=text_of(value.get("name")),
            created=_moment(value.get("created_at")),
            updated=_moment(value.get("updated_at")),
            source=f"https://claude.ai/chat/{identity}",
            model=text_of(value.get("model")),
            turns=tuple(_turns(_branch(known, text_of(value.get("current_leaf_message_uuid"))))),
        )


def _branch(messages: list[dict[str, Any]], leaf: str) -> list[dict[str, Any]]:
    """The messages that lead to the last one, where they say what they answer; else all of them."""
    by_id = {text_of(message.get("uuid")): message for message in messages}
    by_id.pop("", None)
    if not any(text_of(message.get("parent_message_uuid")) in by_id for message in messages):
        return messages
    node = leaf if leaf in by_id else text_of(messages[-1].get("uuid"))
    chain: dict[str, dict[str, Any]] = {}
    while node in by_id and node not in chain:
        chain[node] = by_id[node]
        node = text_of(by_id[node].get("parent_message_uuid"))
    return list(chain.values())[::-1]


def _turns(messages: list[dict[str, Any]]) -> Iterator[Turn]:
    for message in messages:
        speaker = _SPEAKERS.get(text_of(message.get("sender")))
        said = "\n\n".join(part for part in _parts_of(message) if part.strip())
        if speaker and said:
            yield Turn(speaker, said, _moment(message.get("created_at")))


def _parts_of(message: dict[str, Any]) -> Iterator[str]:
    parts = [part for block in items_of(message.get("content")) for part in _block(block)]
    # `text` repeats the blocks, with remarks about those that cannot be shown.
    yield from parts or [text_of(message.get("text"))]
    for key in ("attachments", "files"):
        for item in items_of(message.get(key)):
            if isinstance(item, dict):
                name = text_of(item.get("file_name")) or "Attachment"
                yield attached(name, text_of(item.get("extracted_content")))


def _block(block: Any) -> Iterator[str]:
    if not isinstance(block, dict):
        return
    if block.get("type") == "text":
        yield text_of(block.get("text"))
    given = block.get("input")
    # An artifact is what was asked for, though it comes as the use of a tool.
    if block.get("type") == "tool_use" and block.get("name") == "artifacts" and isinstance(given, dict):
        document = text_of(given.get("content"))
        if document.strip():
            yield attached(text_of(given.get("title")), document, text_of(given.get("language")))


def _moment(value: Any) -> str:
    """`2024-01-15T10:20:30Z` from a time with parts of a second."""
    text = text_of(value).strip()
    day, _, time = text.partition("T")
    return f"{day}T{time[:8]}Z" if len(time) >= 8 else day
