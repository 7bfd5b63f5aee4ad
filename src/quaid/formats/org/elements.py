"""The elements of an org text, as Org's own parser sees them: headlines, drawers, blocks, lists, paragraphs.

Everything else that reads org texts asks here: what kind each line is, and where there is text whose markup
has a meaning. A headline ends whatever was begun above it, blocks too; a block, drawer or environment that is
not closed is none.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache

from quaid.formats.document import BLANK, CODE, COMMENT, ITEM, Line
from quaid.formats.org.areas import DRAWER, Area
from quaid.formats.org.scan import Scan


class Elements(Scan):
    """What is in a text. Lines count from 0; offsets are those of the text that was given."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._run()
        self.areas.sort()
        self._places = [area.start for area in self.areas]

    def area_at(self, place: int) -> Area | None:
        """The area in which a place is."""
        index = bisect_right(self._places, place) - 1
        return self.areas[index] if index >= 0 and place < self.areas[index].end else None


@lru_cache(maxsize=4)
def elements(text: str) -> Elements:
    """The elements of a text. Cached, because headlines, lines and links of a page all ask."""
    return Elements(text)


@lru_cache(maxsize=4)
def lines(text: str) -> tuple[Line, ...]:
    """Every line with its kind, one of those of Markdown, DRAWER or KEYWORD."""
    known = elements(text)
    found: list[Line] = []
    in_item = False
    for number, kind in enumerate(known.kinds):
        start, end = known.starts[number], known.starts[number + 1]
        if kind not in (BLANK, ITEM, CODE, COMMENT, DRAWER) and text[start] not in " \t":
            in_item = False
        found.append(Line(start, end, kind, in_item and kind not in (ITEM, DRAWER)))
        in_item = in_item or kind == ITEM
    return tuple(found)
