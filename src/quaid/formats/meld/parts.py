"""A text cut into the parts that people change one at a time: headings, paragraphs, items, tables, blocks.

The parts stand in one row, as the lines do, and each knows what it is called and how deep it stands. So a
part that is moved, be it to another section, is still the same part.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from quaid.formats.document import (
    BLANK,
    CODE,
    COMMENT,
    FENCE,
    HEADING,
    HTML,
    ITEM,
    OTHER,
    QUOTE,
    RULE,
    TABLE,
    TEXT,
    Heading,
    Line,
)
from quaid.formats.format import PageFormat
from quaid.formats.slugs import fold

START, DRAWER, KEYWORD, FIELD, ROW, PROPERTY = "start", "drawer", "keyword", "field", "row", "property"
DEEP = 100  # the rank of text; what is nested in an item has a higher one, headings have their level

ITEM_LINE = re.compile(r"([ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]*)(?:(\[[ xX-]\])(?=[ \t\r\n]))?", re.ASCII)
HEADLINE_TAGS = re.compile(r"[ \t]+(:[\w@#%:]+:)[ \t]*$")
_UNDERLINE = re.compile(r"[ \t]*(=+|-+)[ \t]*$")
_PLANNING = re.compile(r"[ \t]*(?:CLOSED|DEADLINE|SCHEDULED):")
_BEGINS = re.compile(r"[ \t]*#\+begin", re.IGNORECASE)
_DRAWER_LINE = re.compile(r"[ \t]*:(?!END:)[\w-]+:[ \t]*$", re.IGNORECASE)
_KEYWORD_LINE = re.compile(r"[ \t]*#\+([^\s:]+):[ \t]*(.*)")
_HALF = re.compile(r"^[ \t]*(?:#\+(?:begin|end)_|:PROPERTIES:|:END:)", re.IGNORECASE | re.MULTILINE)
_FORMULA = re.compile(r"[ \t]*#\+tblfm:", re.IGNORECASE)
# What goes on with a part of a kind, if no blank line is between.
_GOES_ON = {
    TEXT: {TEXT},
    ITEM: {TEXT},
    QUOTE: {QUOTE, TEXT},
    TABLE: {TABLE},
    COMMENT: {COMMENT},
    HTML: {HTML, TEXT},
    CODE: {CODE},
    DRAWER: {DRAWER},
    HEADING: {DRAWER},
}


class Part(NamedTuple):
    """A part: whole lines, and the blank ones below them."""

    kind: str
    key: str  # what it is called: parts of the same kind and key are the same one
    own: str
    gap: str = ""
    rank: int = DEEP
    day: str = ""  # of an entry of the timeline
    zone: int = 1  # 0 in the head of an org file, above which nothing else may stand

    @property
    def text(self) -> str:
        return self.own + self.gap


class Cutter:
    """Goes over the lines of a text, with the part that is open.

    `days` has the lines of dated entries, `rule` is that of the rule above them.
    """

    def __init__(
        self, body: str, format: PageFormat, days: Mapping[int, str], head_end: int, rule: int
    ) -> None:
        self._body, self._days, self._head_end, self._rule = body, days, head_end, rule
        self._org = format.name == "org"
        self._plain = format.syntax.plain
        self._lines: Sequence[Line] = format.syntax.lines(body)
        self._headings: Mapping[int, Heading] = {each.line: each for each in format.syntax.headings(body)}
        self._found: list[Part] = []
        self._kind, self._rank, self._start, self._end, self._first = START, -1, 0, 0, 0
        self._level = 0
        self._depth = 0  # of blocks that are open
        self._last = ""

    def parts(self) -> list[Part] | None:
        """The parts; None if a block or drawer is not closed, so that nobody knows what is what."""
        for number, line in enumerate(self._lines, start=1):
            raw = self._body[line.start : line.end]
            if self._depth:
                self._inside(line, raw)
            elif line.kind == BLANK:
                pass
            elif self._joins(line, raw):
                self._end = line.end
            else:
                self._close(line.start)
                self._open(number, line, raw)
            self._last = line.kind
        self._close(len(self._body))
        is_broken = bool(self._depth) or (self._org and any(map(_is_torn, self._found)))
        return None if is_broken else self._found

    def _inside(self, line: Line, raw: str) -> None:
        """A line of a block, up to the one that closes it."""
        self._end = line.end
        if self._org:
            if line.kind == FENCE:
                self._depth += 1 if _BEGINS.match(raw) else -1
            elif self._kind == OTHER and line.kind == OTHER:
                self._depth = 0
        elif line.kind != CODE:
            self._depth = 0

    def _joins(self, line: Line, raw: str) -> bool:
        """Whether a line goes on with the part that is open."""
        if self._end != line.start or self._kind == START:
            return False
        if self._kind == TEXT and line.kind == OTHER and not self._org and _UNDERLINE.match(raw):
            self._kind, self._level = HEADING, 1 if raw.lstrip()[0] == "=" else 2
            self._rank = self._level
            return True
        if self._kind == ITEM and line.kind in (CODE, FENCE) and not self._org:
            return line.kind == CODE or self._last == CODE  # a block that began on the item's own line
        if self._kind == HEADING:
            return self._org and (line.kind == DRAWER or bool(_PLANNING.match(raw)))
        if self._kind == TABLE and line.kind == KEYWORD:
            return bool(_FORMULA.match(raw))
        if self._kind == ITEM and not line.nested:
            return False
        return line.kind in _GOES_ON.get(self._kind, ())

    def _open(self, number: int, line: Line, raw: str) -> None:
        self._kind, self._start, self._end, self._first = line.kind, line.start, line.end, number
        indent = len(raw[: len(raw) - len(raw.lstrip(" \t"))].expandtabs(4))
        self._rank = DEEP + (indent if line.kind == ITEM or line.nested else 0)
        if line.kind == HEADING and not (line.nested and indent):
            self._rank = self._headings[number].level if number in self._headings else 1
        elif line.kind == RULE and number == self._rule:
            self._rank = 0
        elif line.kind == FENCE or (line.kind == OTHER and self._org and _DRAWER_LINE.match(raw)):
            self._depth = 1

    def _close(self, until: int) -> None:
        own, gap = self._body[self._start : self._end], self._body[self._end : until]
        day = self._days.get(self._first, "") if self._kind == ITEM else ""
        zone = 0 if self._start < self._head_end or self._kind == START else 1
        self._found.append(Part(self._kind, self._key(own), own, gap, rank=self._rank, day=day, zone=zone))

    def _key(self, own: str) -> str:
        if self._kind == HEADING:
            known = self._headings.get(self._first)
            title = known.text if known else own.rstrip().rpartition("\n")[0]
            return fold(self._plain(title)) or title.strip()
        if self._kind == ITEM:
            found = ITEM_LINE.match(own)
            return " ".join(own[found.end() if found else 0 :].split())
        if self._kind == TABLE:
            return " ".join(own.partition("\n")[0].split())
        if self._kind == DRAWER:
            return ""
        if self._kind == KEYWORD:
            return keyword_key(own)
        return " ".join(own.split())


def _is_torn(part: Part) -> bool:
    """Whether half a block or drawer stands in a part that is none."""
    return part.kind not in (FENCE, CODE, DRAWER, HEADING, OTHER) and bool(_HALF.search(part.own))


def keyword_key(own: str) -> str:
    """What a line `#+name: value` is called; of facts and links, several of which stand there, all of it."""
    found = _KEYWORD_LINE.match(own)
    if not found:
        return " ".join(own.split())
    name = found[1].lower()
    return f"{name} {found[2].strip()}" if name in ("relation", "assertion", "link") else name


def parents_of(parts: Sequence[Part]) -> list[int | None]:
    """For each part the place of the one under which it stands: a heading, an item, the rule."""
    above: list[int] = []
    found: list[int | None] = []
    for place, part in enumerate(parts):
        while above and parts[above[-1]].rank >= part.rank:
            above.pop()
        found.append(above[-1] if above and parts[above[-1]].kind != START else None)
        above.append(place)
    return found


def sections_of(parts: Sequence[Part]) -> list[int | None]:
    """For each part the place of the nearest heading or rule above it, which it is found by."""
    found: list[int | None] = []
    parents = parents_of(parts)
    for parent in parents:
        at = parent
        while at is not None and parts[at].rank >= DEEP:
            at = parents[at]
        found.append(at)
    return found
