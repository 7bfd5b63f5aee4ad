"""Parts of a page that are searched on their own: chunks, and single lines within them."""

from __future__ import annotations

from hashlib import sha256
from typing import Literal, NamedTuple

from quaid.model.record import record

ChunkKind = Literal["truth_section", "timeline_entry", "fields"]
ItemKind = Literal["item", "row", "field", "fact"]


def text_hash(embedded: str) -> bytes:
    """The hash under which the vector of a text is kept."""
    return sha256(embedded.encode()).digest()[:16]


@record
class Chunk:
    """A section of the compiled truth, one entry of the timeline, or what the fields say.

    `start` and `length` count characters of the page's text, lines count from 1. `embedded` is what an
    embedder reads: title and headings before the text, so that the section makes sense on its own. `searched`
    is what words are looked for in, where that is not the text itself.
    """

    kind: ChunkKind
    heading: str
    start: int
    length: int
    line_start: int
    line_end: int
    embedded: str
    hash: bytes
    date: str | None = None
    searched: str | None = None


class Item(NamedTuple):
    """A line that is found and shown on its own, with what is nested in it: an item, a row, a field, a fact.

    Places are as those of a chunk. `hash` is that of what is embedded, None where the line has no vector of
    its own. There are many: a tuple is quickly made.
    """

    kind: ItemKind
    heading: str
    start: int
    length: int
    line_start: int
    line_end: int
    embedded: str
    hash: bytes | None
