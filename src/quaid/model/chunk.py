"""A part of a page that is searched on its own."""

from __future__ import annotations

from typing import Literal

from quaid.model.record import record

ChunkKind = Literal["truth_section", "timeline_entry"]


@record
class Chunk:
    """A section of the compiled truth, or one entry of the timeline.

    `start` and `length` count characters of the page's text, lines count from 1. `embedded` is what an
    embedder reads: title and headings before the text, so that the section makes sense on its own.
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
