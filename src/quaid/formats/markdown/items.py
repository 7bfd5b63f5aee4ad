"""The items of Markdown lists: where they stand, how they are written, and new ones in the same style."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from quaid.formats.document import BLANK, ITEM, TEXT, Line
from quaid.formats.markdown import structure
from quaid.model.record import record

BULLET = "-"
_ITEM = re.compile(r"([ \t]*)([-*+]|\d{1,9}[.)])([ \t]+|$)(?:\[([ xX])\](?:[ \t]+|$))?(.*)", re.ASCII)


class Item(NamedTuple):
    """An item: its characters with all that is nested in it, its line within the text, and its parts.

    There are many: a tuple is quickly made.
    """

    start: int
    end: int  # of the item and what is nested in it, without blank lines after it
    line_end: int
    indent: str
    marker: str
    gap: str
    box: str | None  # "x" and " " of a task; None of an item without a box
    text: str

    @property
    def done(self) -> bool:
        """Whether it is ticked."""
        return self.box is not None and self.box != " "


@record
class Style:
    """How the items of a list are written."""

    indent: str = ""
    marker: str = BULLET
    gap: str = " "
    boxed: bool = False
    loose: bool = False  # blank lines stand between items
    counting: bool = True  # a numbered list whose numbers go up


@lru_cache(maxsize=8)
def items(text: str, start: int = 0, end: int | None = None) -> tuple[Item, ...]:
    """The list items of a stretch of text that begins and ends at the bounds of lines.

    Cached, because an edit asks several times.
    """
    stretch = text[start:end]
    scanned = structure.lines(stretch)
    found: list[Item] = []
    for place, line in enumerate(scanned):
        if line.kind != ITEM:
            continue
        raw = stretch[line.start : line.end].rstrip("\r\n")
        match = _ITEM.fullmatch(raw)
        if match is None:
            continue
        indent, marker, gap, box, words = match.groups()
        last = _extent(stretch, scanned, place, len(indent.expandtabs(4)))
        found.append(
            Item(
                start=start + line.start,
                end=start + scanned[last].end,
                line_end=start + line.end,
                indent=indent,
                marker=marker,
                gap=gap or " ",
                box=box.lower() if box else None,
                text=words.strip(),
            )
        )
    return tuple(found)


def _extent(text: str, scanned: Sequence[Line], place: int, indent: int) -> int:
    """The last line that belongs to the item of a line."""
    last = place
    for number in range(place + 1, len(scanned)):
        line = scanned[number]
        if line.kind == BLANK:
            continue
        raw = text[line.start : line.end]
        depth = len(raw[: len(raw) - len(raw.lstrip(" \t"))].expandtabs(4))
        continues = number == last + 1 and line.kind == TEXT and line.nested
        if depth <= indent and not continues:
            break
        last = number
    return last


def outermost(found: Sequence[Item]) -> list[Item]:
    """The items that are nested in no other."""
    top: list[Item] = []
    for item in found:
        if not top or item.start >= top[-1].end:
            top.append(item)
    return top


def style_of(text: str, found: Sequence[Item]) -> Style:
    """How these items are written: as the last one is."""
    top = outermost(found)
    if not top:
        return Style()
    last = top[-1]
    gaps = [text[before.end : after.start] for before, after in pairwise(top)]
    numbers = [int(item.marker[:-1]) for item in top if item.marker[:-1].isdigit()]
    return Style(
        indent=last.indent,
        marker=last.marker,
        gap=last.gap if "\t" in last.gap or len(last.gap) <= 4 else " ",
        boxed=last.box is not None,
        loose=bool(gaps) and gaps[-1].strip(" \t\r\n") == "" and "\n" in gaps[-1],
        counting=len(numbers) < 2 or numbers[-1] != numbers[-2],
    )


def item_text(words: str, style: Style, place: int = 1, box: str | None = None) -> str:
    """A new item, the `place`th after those whose style it has; further lines of its words are indented."""
    marker = style.marker
    if marker[:-1].isdigit() and style.counting:
        marker = f"{int(marker[:-1]) + place}{marker[-1]}"
    tick = box if box is not None else " " if style.boxed else None
    first = f"{style.indent}{marker}{style.gap}{f'[{tick}] ' if tick is not None else ''}"
    inner = " " * len(f"{style.indent}{marker}{style.gap}".expandtabs(4))
    head, *rest = words.strip().splitlines() or [""]
    return "\n".join([f"{first}{head}".rstrip(), *(f"{inner}{line.strip()}".rstrip() for line in rest)])


def ticked(text: str, item: Item, *, done: bool = True) -> str:
    """The text with an item's box ticked, or no longer; an item without a box gets one."""
    raw = text[item.start : item.line_end]
    head = f"{item.indent}{item.marker}{item.gap}"
    box = f"[{'x' if done else ' '}]"
    rest = raw[len(head) :]
    new = f"{head}{box}{rest[3:]}" if item.box is not None else f"{head}{box} {rest}"
    return text[: item.start] + new + text[item.line_end :]


def without(text: str, item: Item) -> str:
    """The text without an item and what is nested in it; of blank lines around it, one gap stays."""
    before, after = text[: item.start], text[item.end :]
    gap = re.match(r"(?:[ \t]*\r?\n)+", after)
    if gap and re.search(r"(?:\A|\n)[ \t]*\r?\n\Z", before):
        after = after[gap.end() :]
    return before + after
