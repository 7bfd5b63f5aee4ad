"""A page cut into the parts that are searched on their own.

The compiled truth is cut at its headings of the first two levels, a section that is too long at the ends of
paragraphs and sentences, with some overlap. Each entry of the timeline is a part. What the fields and facts
in the head say is one too. Where a part begins and ends depends on the text alone, so that the same text has
the same hash whatever model is installed.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise

from quaid.formats.document import HEADING, line_starts
from quaid.formats.format import Syntax, page_format
from quaid.formats.placeholders import is_untouched, may_hold, without_placeholders
from quaid.index.labels import without_pointers
from quaid.model.chunk import Chunk, ChunkKind, text_hash
from quaid.model.page import Content

RULES = 7  # raised when the same text is to be cut otherwise
SECTION_LEVEL = 2
MAX_SIZE = 1000.0  # of a part, in Latin letters: about 250 tokens
OVERLAP = 100.0
LEAST_FIELDS = 2  # that are a part of a page; one is found as a line
MOST_FIELDS = 500  # characters of them that are embedded together
WIDE = 4.0  # a character of a script that is written without spaces counts as that many

# An entry of a log says what happened in its heading.
LOG_ENTRY = re.compile(r"(?:#+|\*+)[ \t]+\d{1,2}:\d\d[ \t]+[—–-][ \t]+(?=\S)", re.ASCII)
_WIDE_SIGNS = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_WIDE = re.compile(f"[{_WIDE_SIGNS}]")
_RUN = re.compile(f"(?P<wide>[{_WIDE_SIGNS}]+)|[^{_WIDE_SIGNS}]+")
_BOUNDS = tuple(
    re.compile(pattern) for pattern in (r"\n[ \t]*\n+", r"\n", r"(?<=[.!?…])[ \t]+|(?<=[。！？])", r"[ \t]+")
)


def chunks_of(content: Content) -> list[Chunk]:
    """The parts of a page, in the order of its text."""
    maker = _Maker(content)
    found = maker.sections()
    if content.timeline:
        found += maker.entries()
    if not found and not maker.is_unfilled:
        found = maker.nothing_but_names()
    return [*found, *maker.fields()] if content.stated else found


class _Maker:
    def __init__(self, content: Content) -> None:
        self._content = content
        self._syntax = page_format(content.format).syntax
        self._text = content.text
        self._lines = line_starts(self._text)
        self._may_be_unfilled = may_hold(self._text)

    @property
    def is_unfilled(self) -> bool:
        """Whether the page is what a template made: then it has a name, and says nothing."""
        return self._may_be_unfilled and without_placeholders(self._text) != self._text

    def sections(self) -> list[Chunk]:
        """The compiled truth by its headings."""
        offset, truth = len(self._content.head), self._content.truth
        made = [
            self._chunk("truth_section", offset + part_start, offset + part_end, heading)
            for start, end, heading in _sections(self._syntax, truth, self._content.title)
            for part_start, part_end in _parts(self._syntax.cut, truth, start, end)
        ]
        return [chunk for chunk in made if chunk]

    def entries(self) -> Iterator[Chunk]:
        """The timeline by its entries; text between them is a part too."""
        timeline = self._content.timeline
        offset = len(self._text) - len(timeline)
        starts = [self._offset_of(offset, entry.line) for entry in self._content.entries]
        bounds = [offset, *starts, offset + self._syntax.timeline_end(timeline), len(self._text)]
        dates = [None, *(entry.date for entry in self._content.entries), None]
        for (start, end), date in zip(pairwise(bounds), dates, strict=True):
            for part_start, part_end in _parts(self._syntax.cut, self._text, start, end):
                text = self._text[part_start:part_end]
                if date or _has_prose(self._syntax, text):
                    made = self._chunk("timeline_entry", part_start, part_end, "Timeline", date)
                    if made:
                        yield made

    def fields(self) -> Iterator[Chunk]:
        """What the head says of the page, as one part; of a single field, or of codes, none."""
        stated = self._content.stated
        telling = [each.sentence for each in stated if each.is_telling]
        if len(telling) < LEAST_FIELDS and not any(each.fact for each in stated):
            return
        head = self._content.head
        if self.is_unfilled and is_untouched(head):
            return
        start = len(head) - len(head.lstrip())
        shown = head[: int(MAX_SIZE)].strip()
        embedded = "\n".join([self._content.title, *telling])[:MOST_FIELDS]
        yield self._chunk_at("fields", start, len(shown), "", None, embedded, searched=self._content.fields)

    def nothing_but_names(self) -> list[Chunk]:
        """A page without text is its title, summary and tags."""
        start = len(self._text) - len(self._text.lstrip())
        shown = self._text[start : start + int(MAX_SIZE / WIDE)].rstrip()
        known = (self._content.title, self._content.summary, self._content.keywords)
        embedded = "\n".join(name for name in known if name)
        return [self._chunk_at("truth_section", start, len(shown), "", None, embedded)] if shown else []

    def _offset_of(self, part: int, line: int) -> int:
        """Where a line of a part begins in the whole text; lines count from 1."""
        first = bisect_right(self._lines, part) - 1
        return self._lines[first + line - 1] if line > 1 else part

    def _chunk(
        self, kind: ChunkKind, start: int, end: int, heading: str, date: str | None = None
    ) -> Chunk | None:
        """The part between two places, without blanks at its ends; nothing if that is all there is."""
        text = self._text[start:end]
        stripped = filled = text.strip()
        if self._may_be_unfilled:
            filled = without_placeholders(stripped)
        if not stripped or (filled != stripped and not _has_prose(self._syntax, filled)):
            return None
        title, named = self._content.title, heading if kind == "truth_section" else date or ""
        said = without_pointers(_without_names(self._syntax, filled.strip(), title, heading))
        body = self._syntax.readable(said)
        first = start + len(text) - len(text.lstrip())
        # Of pictures and comments, what they stand below is all that a reader sees.
        embedded = "\n".join([each for each in (title, named, body) if each]) or filled
        return self._chunk_at(kind, first, len(stripped), heading, date, embedded)

    def _chunk_at(
        self,
        kind: ChunkKind,
        start: int,
        length: int,
        heading: str,
        date: str | None,
        embedded: str,
        searched: str | None = None,
    ) -> Chunk:
        first, last = bisect_right(self._lines, start), bisect_right(self._lines, start + length - 1)
        return Chunk(
            kind=kind,
            heading=heading,
            start=start,
            length=length,
            line_start=first,
            line_end=last,
            embedded=embedded,
            hash=text_hash(embedded),
            date=date,
            searched=searched,
        )


def _sections(syntax: Syntax, truth: str, title: str) -> list[tuple[int, int, str]]:
    """Start, end and heading path of each section; a heading without text of its own joins the next.

    Entries of a log that are mere headings stand together, and those that say more by themselves.
    """
    found: list[tuple[int, int, str]] = []
    path: list[tuple[int, str]] = []
    start, heading, prose = 0, "", False
    entries: list[tuple[int, str]] = []  # where they begin, with what stands above them
    headings = iter(syntax.headings(truth))
    for line in syntax.lines(truth):
        if line.kind != HEADING:
            if not prose and line.kind not in syntax.silent:
                prose = True
                if len(entries) > 1:
                    found.append((start, *entries[-1]))
                    start = entries[-1][0]
            continue
        known = next(headings)
        if known.level > SECTION_LEVEL:
            continue
        if prose:
            found.append((start, line.start, heading))
            start, prose, entries = line.start, False, []
        if LOG_ENTRY.match(truth, line.start):
            entries.append((line.start, heading))
        path = [(level, text) for level, text in path if level < known.level]
        path.append((known.level, known.plain))
        heading = " > ".join(text for _, text in path if text != title)
    if start < len(truth):
        found.append((start, len(truth), heading))
    return found


def _without_names(syntax: Syntax, text: str, title: str, heading: str) -> str:
    """The text without headings at its beginning that say what stands before it anyway."""
    rest = text
    if not syntax.heading.match(rest):
        return rest
    names = {title, *heading.split(" > ")}
    while syntax.heading.match(rest):
        line, _, after = rest.partition("\n")
        if syntax.plain(line.strip(syntax.marks)) not in names or not after.strip():
            break
        rest = after.lstrip()
    return rest


def _has_prose(syntax: Syntax, text: str) -> bool:
    """Whether there is more than blank lines and headings."""
    return any(line.strip() and not syntax.heading.match(line.lstrip()) for line in text.splitlines())


def _parts(before_heading: re.Pattern[str], text: str, start: int, end: int) -> list[tuple[int, int]]:
    """A stretch of text, cut into pieces if it is too long, each reaching a little into the one before."""
    found: list[tuple[int, int]] = []
    while (reach := _reach(text, start, end)) < end:
        cut = _cut((before_heading, *_BOUNDS), text, start, reach)
        found.append((start, cut))
        start = _overlap(text, start, cut)
    return [*found, (start, end)]


def _cut(bounds: tuple[re.Pattern[str], ...], text: str, start: int, reach: int) -> int:
    """The best place to end a piece, in the second half of what it may hold."""
    middle = start + (reach - start) // 2
    for bound in bounds:
        places = [match.end() for match in bound.finditer(text, middle, reach)]
        if places:
            return places[-1]
    return reach


def _overlap(text: str, start: int, cut: int) -> int:
    """Where the next piece begins: at a sentence or word a little before the cut."""
    earliest = max(start + 1, cut - int(OVERLAP / (WIDE if _WIDE.match(text, cut - 1) else 1)))
    for bound in _BOUNDS[1:]:
        place = next((match.end() for match in bound.finditer(text, earliest, cut)), None)
        if place is not None and place < cut:
            return place
    return cut


def _reach(text: str, start: int, end: int) -> int:
    """How far a piece goes."""
    narrow = min(end, start + int(MAX_SIZE))
    if text.isascii() or not _WIDE.search(text, start, narrow):
        return narrow
    room = MAX_SIZE
    for run in _RUN.finditer(text, start, end):
        width = WIDE if run.lastgroup else 1.0
        fitting = math.ceil(room / width)
        if run.end() - run.start() >= fitting:
            return run.start() + fitting
        room -= (run.end() - run.start()) * width
    return end
