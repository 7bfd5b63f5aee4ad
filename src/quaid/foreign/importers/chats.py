"""A conversation with an assistant as a page: its turns are sections, and nothing said in them is more."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

from quaid.errors import InvalidInput
from quaid.foreign.importers.importer import (
    Draft,
    Part,
    PieceImporter,
    Refusal,
    piece_data,
    piece_value,
    read_json,
)
from quaid.formats import encoding
from quaid.formats.document import CODE, FENCE, HEADING, RULE
from quaid.formats.markdown import edits, structure
from quaid.formats.markdown.frontmatter import whole
from quaid.formats.slugs import slugify
from quaid.model.record import record

FOLDER = "sources/conversations"
YOU, ASSISTANT = "You", "Assistant"
MAX_NAME = 60
MAX_TITLE = 80
TURN_LEVEL = 2

_FILE = re.compile(r"(?:.*/)?conversations(?:[-_]\d+)?\.json\Z")
_TICKS = re.compile(r"`+")
_OPENER = re.compile(r"[ ]{0,3}(`{3,}|~{3,})")
_HASHES = re.compile(r"[ \t]*#{1,6}")
_DASHES = re.compile(r"-+")


@record
class Turn:
    """What one side said."""

    speaker: str
    text: str
    time: str = ""


@record
class Conversation:
    """A conversation, its current branch only."""

    id: str
    title: str
    created: str
    source: str  # of the frontmatter's source_ref
    turns: tuple[Turn, ...]
    updated: str = ""
    model: str = ""


class ConversationImporter(PieceImporter, ABC):
    """An export of conversations: one page for each."""

    def splits(self, file: str) -> bool:
        """Conversations are in files of that name."""
        return is_conversations(file)

    def pieces(self, file: str, data: bytes) -> Iterator[Part | Refusal]:
        """One piece for each conversation in which something was said."""
        try:
            listed = read_json(encoding.decode(data)[0])
        except InvalidInput as error:
            yield Refusal(file, error.message)
            return
        listed = listed if isinstance(listed, list) else [listed]
        taken: set[str] = set()
        for number, value in enumerate(listed, start=1):
            place = f"conversation {number}"
            found = self.conversation(value) if isinstance(value, dict) else None
            if found is None or not found.turns:
                reason = "it is no conversation" if found is None else "nothing was said in it"
                yield Refusal(f"{file}, {place}", reason)
                continue
            path = _path(found)
            if path in taken:
                path = f"{path[:-3]}-{slugify(found.id)[:8]}.md"
            taken.add(path)
            yield Part(file, path, key=found.id, data=piece_data(value), place=place)

    def draft(self, part: Part, data: bytes) -> Draft:
        """The page of a conversation."""
        found = self.conversation(piece_value(data))
        if found is None:
            raise InvalidInput("it is no conversation")
        return Draft(page_text(found))

    @abstractmethod
    def conversation(self, value: dict[str, Any]) -> Conversation | None:
        """A conversation as its program exports it."""


def is_conversations(file: str) -> bool:
    """Whether a file is that of conversations by its name."""
    return _FILE.match(file) is not None


def text_of(value: Any) -> str:
    """A value that should be text, if it is."""
    return value if isinstance(value, str) else ""


def items_of(value: Any) -> list[Any]:
    """A value that should be a list, if it is."""
    return value if isinstance(value, list) else []


def page_text(conversation: Conversation) -> str:
    """The page of a conversation."""
    title = title_of(conversation)
    parts = [f"# {title}\n"]
    for turn in _sections(conversation.turns):
        time = f" ({turn.time[:16].replace('T', ' ')})" if turn.time else ""
        parts.append(f"\n## {turn.speaker}{time}\n\n{turn.text}\n")
    fields = {
        "title": title,
        "type": "source",
        "source_type": "conversation",
        "source_ref": conversation.source,
        "conversation_id": conversation.id,
        "created": conversation.created,
        "updated": conversation.updated,
        "model": conversation.model,
    }
    return edits.set_fields("".join(parts), {name: value for name, value in fields.items() if value})


def title_of(conversation: Conversation) -> str:
    """Its title, else how it begins."""
    first = next((turn.text for turn in conversation.turns if turn.text.strip()), "")
    title = _line(conversation.title) or structure.plain(_line(first.strip().partition("\n")[0]).lstrip("# "))
    if len(title) > MAX_TITLE:
        title = title[:MAX_TITLE].rpartition(" ")[0] or title[:MAX_TITLE]
    return title or "Untitled conversation"


def contained(text: str) -> str:
    """What was said, such that it opens and closes nothing of the page around it.

    Headings go below that of the turn, rules become `***`, and what is left open is closed. Text with which
    that does not succeed is shown as code.
    """
    text = sound(text).strip("\n")
    parts: list[str] = []
    for line in structure.lines(text):
        raw = text[line.start : line.end]
        if line.kind == RULE:
            raw = _DASHES.sub("***", raw, count=1)
        elif line.kind == HEADING:
            raw = _HASHES.sub(_deeper, raw, count=1)
        parts.append(raw)
    changed = _closed("".join(parts))
    return changed if _holds(changed) else fenced(text)


def fenced(text: str, language: str = "") -> str:
    """Text as a block of code."""
    fence = "`" * max([3, *(len(run.group()) + 1 for run in _TICKS.finditer(text))])
    return f"{fence}{language if language.isalnum() else ''}\n{text.strip(chr(10))}\n{fence}"


def attached(name: str, text: str, language: str = "") -> str:
    """A document that was part of a turn."""
    title = _line(name).replace("*", "")
    heading = f"**{title}**" if title else "**Attachment**"
    return f"{heading}\n\n{fenced(sound(text), language)}" if text.strip() else heading


def sound(text: str) -> str:
    """Text with usual line ends, and without what no page holds."""
    return whole(text).replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")


def _sections(turns: Sequence[Turn]) -> list[Turn]:
    """Turns as they stand in a page; an answer that used tools came in several, and is one."""
    sections: list[Turn] = []
    for turn in turns:
        text, time = contained(turn.text), turn.time
        if sections and sections[-1].speaker == turn.speaker:
            before = sections.pop()
            text, time = f"{before.text}\n\n{text}", before.time
        sections.append(Turn(turn.speaker, text, time))
    return sections


def _path(conversation: Conversation) -> str:
    name = slugify(title_of(conversation).replace("/", " "))[:MAX_NAME].strip("-")
    day = conversation.created[:10]
    return f"{FOLDER}/{day + '-' if day else ''}{name}.md"


def _line(text: str) -> str:
    return " ".join(sound(text).split())


def _deeper(hashes: re.Match[str]) -> str:
    indent = hashes.group().rstrip("#")
    level = len(hashes.group()) - len(indent)
    return indent + "#" * min(6, max(level + TURN_LEVEL, TURN_LEVEL + 1))


def _closed(text: str) -> str:
    """The text with a fence that is still open at its end closed."""
    opened = ""
    for line in structure.lines(text):
        if line.kind == FENCE:
            found = _OPENER.match(text[line.start : line.end])
            opened = "" if opened else found.group(1) if found else ""
    last = structure.lines(f"{text}\n\nx\n")[-1]
    return f"{text}\n{opened}" if opened and last.kind == CODE else text


def _holds(text: str) -> bool:
    """Whether the text stays within its section."""
    page = f"## a\n\n{text}\n\n## b\n"
    scanned = structure.lines(page)
    inner = structure.headings(page)[1:-1]
    return (
        all(line.kind != RULE for line in scanned)
        and scanned[-1].kind == HEADING
        and all(heading.level > TURN_LEVEL for heading in inner)
    )
