"""The entries of a timeline, whatever the format: dated lines with their indented detail.

How a line says its day differs; what belongs to an entry, where a new one goes and what must be true after a
change does not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date
from itertools import takewhile
from textwrap import dedent
from typing import Generic, TypeVar

from quaid.errors import InvalidInput
from quaid.formats.document import BLANK, ITEM, TEXT, Document, Line
from quaid.formats.encoding import newline_of
from quaid.model.page import TimelineEntry
from quaid.model.record import record, replace

_BLANK_LINES = re.compile(r"(?:[ \t]*\r?\n)+")
_BLANK_END = re.compile(r"(?:\A|\n)[ \t]*\r?\n\Z")

S = TypeVar("S")


@record
class Spot(Generic[S]):
    """An entry, how it is written, and the characters that it covers."""

    entry: TimelineEntry
    style: S
    start: int
    end: int


@record
class Timelines(Generic[S]):
    """The timelines of a format: how they are read and written, and what changes about a page's."""

    parse: Callable[[str], Document]
    lines: Callable[[str], Sequence[Line]]
    end: Callable[[str], int]  # of a timeline's own section, behind which others may follow
    read: Callable[[str, int], tuple[TimelineEntry, S] | None]  # what a list item says
    entries: Callable[[str], tuple[TimelineEntry, ...]]  # those of all spots, cached
    first_line: Callable[[TimelineEntry, S | None], str]  # of an entry, written as others are
    first: Callable[[str, str, str], str]  # a timeline without entries, with the text of one
    opening: Callable[[str, str], str]  # the line that begins a timeline, below a truth
    open_above: str  # what is told where something swallows the timeline,
    open_within: str  # and where something in it swallows entries
    on_top: bool = False  # above all else is a place, where the one among the others is no good

    def spots(self, timeline: str) -> list[Spot[S]]:
        """The entries of a timeline, in the order in which they stand."""
        found: list[Spot[S]] = []
        current: tuple[TimelineEntry, S] | None = None
        start = end = 0
        detail: list[str] = []

        def finish() -> None:
            if current:
                entry = replace(current[0], detail=dedented("".join(detail))) if detail else current[0]
                found.append(Spot(entry, current[1], start, end))

        limit = self.end(timeline)
        own = takewhile(lambda line: line.start < limit, self.lines(timeline))
        for number, line in enumerate(own, start=1):
            raw = timeline[line.start : line.end]
            fresh = self.read(raw, number) if line.kind == ITEM else None
            if fresh and not (current and raw.startswith("  ")):
                finish()
                current, start, end, detail = fresh, line.start, line.end, []
            elif current and (line.kind == BLANK or raw[0] in " \t"):
                detail.append(raw)
                # Blank lines at the end of an entry stand between it and the next.
                end = end if line.kind == BLANK else line.end
            elif current and line.kind == TEXT and not detail:
                # An unindented line goes on with the entry above it, and must not be cut off from it.
                end = line.end
            else:
                finish()
                current = None
        finish()
        return found

    def insert(self, timeline: str, entry: TimelineEntry, newline: str = "\n") -> str:
        """The timeline with one more entry, in the order and style of those that are there."""
        # As it will be read back.
        new = TimelineEntry(entry.date, entry.summary.strip(), entry.source.strip(), dedented(entry.detail))
        if not is_date(new.date):
            raise InvalidInput(f"date {new.date!r} is not a date", hint="Write it as YYYY-MM-DD.")
        known = self.spots(timeline)
        detail = [f"  {line}" if line else "" for line in new.detail.split("\n")] if new.detail else []
        first = self.first_line(new, known[0].style if known else None)
        text = newline.join([first, *detail, ""])
        check(new, list(map(key, self.entries(text))) == [key(new)])
        wanted = sorted([*map(key, self.entries(timeline)), key(new)])
        places = [
            among(timeline, known, new, text, newline) if known else self.first(timeline, text, newline)
        ]
        places += [f"{newline}{text}{newline}{timeline}"] if self.on_top else []
        for changed in places:
            if sorted(map(key, self.entries(changed))) == wanted:
                return changed
        raise InvalidInput("the entry cannot be added to this timeline", hint=self.open_within)

    def append(self, timeline: str, addition: str, newline: str) -> str:
        """The timeline with a text added at the end of its own section."""
        end = self.end(timeline)
        return ended(timeline[:end], newline) + addition.rstrip() + newline + timeline[end:]

    def add_entry(self, text: str, entry: TimelineEntry) -> str:
        """The page with one more dated line; one of that day and summary is not written twice."""
        document = self.parse(text)
        if _has(self.entries(document.timeline), entry):
            return text
        newline = newline_of(text)
        start, old = self._parts(document, newline)
        changed = start + self.insert(old, entry, newline)
        if not _has(self.entries(self.parse(changed).timeline), entry):
            raise self._loss()
        return changed

    def remove_entry(self, text: str, entry: TimelineEntry) -> str:
        """The page without a dated line and its detail, wherever it stands; the others stay as they are."""
        document = self.parse(text)
        timeline, known = document.timeline, self.spots(document.timeline)
        for spot in reversed(known):
            if key(spot.entry) == key(entry):
                timeline = without(timeline, spot.start, spot.end)
        left = [key(spot.entry) for spot in known if key(spot.entry) != key(entry)]
        if list(map(key, self.entries(timeline))) != left:
            raise InvalidInput("the entry cannot be removed from this timeline", hint=self.open_within)
        return document.head + document.truth + document.rule + timeline

    def append_timeline(self, text: str, addition: str) -> str:
        """The page with text added at the end of its timeline."""
        newline = newline_of(text)
        start, old = self._parts(self.parse(text), newline)
        changed = start + self.append(old, addition, newline)
        if not self.parse(changed).rule:
            raise self._loss()
        return changed

    def _parts(self, document: Document, newline: str) -> tuple[str, str]:
        """Everything up to the timeline, which is begun if there is none, and the timeline."""
        start = ended(document.head + document.truth + document.rule, newline)
        if document.rule:
            return start, document.timeline
        return start + self.opening(document.truth, newline) + newline, newline

    def _loss(self) -> InvalidInput:
        """The refusal of a change after which a page's timeline would be text like any other."""
        return InvalidInput("the page's timeline cannot be found after this change", hint=self.open_above)


def check(entry: TimelineEntry, is_read_back: bool) -> None:
    """Refuse an entry that would say something else once it is written."""
    if not entry.summary or "\n" in entry.summary or "\r" in entry.summary:
        raise InvalidInput("the summary must be one line of text", hint="Put further lines into the detail.")
    if not is_read_back:
        raise InvalidInput(
            f"the entry would not be read back as it is (source {entry.source!r})",
            hint="A source is a few words on one line, without '|' and without a dash between spaces.",
        )


def _has(read: Sequence[TimelineEntry], entry: TimelineEntry) -> bool:
    """Whether an entry of that day and summary is there: it is not written twice."""
    return any((known.date, known.summary) == (entry.date, entry.summary) for known in read)


def is_date(text: str) -> bool:
    """Whether the calendar has that day."""
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def among(timeline: str, known: Sequence[Spot[S]], entry: TimelineEntry, text: str, newline: str) -> str:
    """The timeline with the text of an entry among others, in their order and with their gaps."""
    gap = ""
    if len(known) > 1:
        start, end = known[0].end, known[1].start
        gap = newline if start < end and not timeline[start:end].strip() else ""
    if len(known) > 1 and known[0].entry.date < known[-1].entry.date:
        above = [spot for spot in known if spot.entry.date <= entry.date]
    else:
        above = [spot for spot in known if spot.entry.date > entry.date]
    if above:
        place = above[-1].end
        return ended(timeline[:place], newline) + gap + text + timeline[place:]
    place = known[0].start
    return timeline[:place] + text + gap + timeline[place:]


def without(text: str, start: int, end: int) -> str:
    """The text without some whole lines; of the blank lines around them, those above stay."""
    blank = _BLANK_LINES.match(text, end)
    if blank and (not start or _BLANK_END.search(text[:start])):
        end = blank.end()
    return text[:start] + text[end:]


def key(entry: TimelineEntry) -> tuple[str, str, str, str]:
    """What an entry says, wherever it stands."""
    return entry.date, entry.summary, entry.source, entry.detail


def dedented(detail: str) -> str:
    """A detail without the indentation that it has below its entry."""
    text = dedent(detail.replace("\r\n", "\n"))
    return "\n".join(line if line.strip() else "" for line in text.split("\n")).strip("\n")


def ended(text: str, newline: str) -> str:
    """A text whose last line is ended."""
    return text if not text or text.endswith("\n") else text + newline
