"""The parts of a page's text, whatever its format: head, truth, timeline; headings; kinds of lines."""

from __future__ import annotations

from typing import NamedTuple

from quaid.model.record import record

MAX_SUMMARY = 500

BLANK, TEXT, HEADING, ITEM, QUOTE, TABLE = "blank", "text", "heading", "item", "quote", "table"
FENCE, CODE, COMMENT, HTML, OTHER, RULE = "fence", "code", "comment", "html", "other", "rule"


@record
class Document:
    """The verbatim parts of a page."""

    head: str
    truth: str
    rule: str
    timeline: str

    @property
    def text(self) -> str:
        """The page as it was."""
        return self.head + self.truth + self.rule + self.timeline


@record
class Heading:
    """A heading; `line` counts from 1."""

    level: int
    text: str
    line: int


class Line(NamedTuple):
    """One line of a text: its characters, what it is, and whether it continues a list item or quote."""

    start: int
    end: int
    kind: str
    nested: bool


def shortened(text: str) -> str:
    """A text that is no longer than a summary, cut between words."""
    if len(text) <= MAX_SUMMARY:
        return text
    cut = text[: MAX_SUMMARY - 1]
    space = cut.rfind(" ", MAX_SUMMARY // 2)
    return (cut[:space] if space > 0 else cut).rstrip() + "…"
