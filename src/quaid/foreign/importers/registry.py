"""The importers, and which of them fits a folder."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection

from quaid.foreign.importers import logseq, notion
from quaid.foreign.importers.chatgpt import ChatGpt
from quaid.foreign.importers.chats import is_conversations
from quaid.foreign.importers.claude import Claude
from quaid.foreign.importers.importer import Importer, Obsidian, is_page
from quaid.foreign.importers.jsonl import JsonLines, is_lines

IMPORTERS: dict[str, type[Importer]] = {
    each.name: each for each in (Importer, Obsidian, notion.Notion, logseq.Logseq, Claude, ChatGpt, JsonLines)
}


def importer_for(
    files: Collection[str], folders: Collection[str], read: Callable[[str], bytes]
) -> type[Importer]:
    """The importer that fits. `folders` are those at the top, also such as are not looked into."""
    conversations = next((file for file in sorted(files, key=_depth) if is_conversations(file)), None)
    if conversations and not any(is_page(file) for file in files if file.count("/") == 0):
        return _of_conversations(read(conversations), files)
    if any(is_lines(file) for file in files) and not any(is_page(file) for file in files):
        return JsonLines
    if logseq.looks_like(files):
        return logseq.Logseq
    if ".obsidian" in folders:
        return Obsidian
    return notion.Notion if notion.looks_like(files) else Importer


def _depth(file: str) -> tuple[int, str]:
    return file.count("/"), file


def _of_conversations(data: bytes, files: Collection[str]) -> type[Importer]:
    """Whose conversations they are: each has a key of its own, which comes early."""
    places = {Claude: data.find(b'"chat_messages"'), ChatGpt: data.find(b'"mapping"')}
    found = [each for each in places if places[each] >= 0]
    if found:
        return min(found, key=lambda each: places[each])
    names = {posixpath.basename(file) for file in files}
    return Claude if "users.json" in names or "projects.json" in names else ChatGpt
