"""Pages as they are to be, and what their rows hold of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from quaid.model.page import Content
from quaid.model.record import record
from quaid.store.connection import segmented
from quaid.store.packing import KEPT, pack

if TYPE_CHECKING:
    from quaid.model.chunk import Chunk, Item  # whose hashes reading a page does not need


_json = json.JSONEncoder(ensure_ascii=False).encode  # made once: `json.dumps` would make one each time


@record
class Cut:
    """The chunks of a page, and the lines in them."""

    chunks: tuple[Chunk, ...]
    items: tuple[Item, ...]


@record
class PageRow:
    """What a page's row holds, and what the word index does besides its slug."""

    columns: Mapping[str, Any]
    words: tuple[str, ...]


@record
class Draft:
    """A page as it is to be: where, what its text says, in which encoding, and since when."""

    slug: str
    path: str | None
    content: Content
    encoding: str
    now: str
    cut: Cut | None = None  # where whoever read the page has cut it already

    def columns(self, stock: bytes = b"") -> dict[str, Any]:
        """What the page's row holds of it; its text is packed against a stock."""
        return columns(self.content, stock) | {
            "slug": self.slug,
            "path": self.path,
            "encoding": self.encoding,
        }

    def row(self, stock: bytes = b"") -> PageRow:
        """All that is made of it for its row and for the word index, which whoever read it can do."""
        content, columns = self.content, self.columns(stock)
        searched = (content.title, content.keywords, content.truth, content.timeline, columns["fields"])
        return PageRow(columns, tuple(text and segmented(text) for text in searched))


def column_assignments(columns: Iterable[str]) -> str:
    """The assignments that give a page's row these columns."""
    kept = {"packed": KEPT.format(collection="collection_id")}
    return ", ".join(f"{name} = {kept.get(name, f':{name}')}" for name in columns)


def columns(content: Content, stock: bytes = b"") -> dict[str, Any]:
    """What a page's row holds of its text."""
    text = content.text
    return {
        "type": content.type,
        "format": content.format,
        "uuid": content.uuid,
        "title": content.title,
        "summary": content.summary,
        "frontmatter": _json(content.frontmatter),
        "keywords": content.keywords,
        "fields": content.fields,
        "wing": content.wing,
        "room": content.room,
        "problems": _json([vars(problem) for problem in content.problems]),
        "truth_start": len(content.head),
        "rule_start": len(content.head) + len(content.truth),
        "timeline_start": len(text) - len(content.timeline),
        # Whether there may be unchecked items in the truth, or org headlines that are to be done.
        "has_tasks": "[ ]" in content.truth or (content.format == "org" and "* TODO " in content.truth),
        "packed": pack(text, stock),
    }
