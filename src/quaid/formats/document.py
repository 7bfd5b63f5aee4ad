"""The parts of a page's text, whatever its format: head, truth, timeline; headings; kinds of lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from quaid.model.record import record

MAX_SUMMARY = 500
_NEWLINE = re.compile("\n")
_LABELLED = re.compile(r"[*_]{0,2}[^\W\d_][^:\n|]{0,40}:[*_]{0,2}(?=\s|\Z)")

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
    """A heading, as it stands there and without inline markup; `line` counts from 1."""

    level: int
    text: str
    plain: str
    line: int


class Line(NamedTuple):
    """One line of a text: its characters, what it is, and whether it continues a list item or quote."""

    start: int
    end: int
    kind: str
    nested: bool


@lru_cache(maxsize=2)
def line_starts(text: str) -> tuple[int, ...]:
    """Where each line begins. Cached, because a page's chunks and items both ask."""
    return (0, *[match.end() for match in _NEWLINE.finditer(text)])


def shortened(text: str) -> str:
    """A text that is no longer than a summary, cut between words."""
    if len(text) <= MAX_SUMMARY:
        return text
    cut = text[: MAX_SUMMARY - 1]
    space = cut.rfind(" ", MAX_SUMMARY // 2)
    return (cut[:space] if space > 0 else cut).rstrip() + "…"


def is_card(lines: Sequence[str]) -> bool:
    """Whether each of several lines is a name with its value, as on a card: no sentence about a page."""
    return len(lines) > 1 and all(_LABELLED.match(line) for line in lines)
