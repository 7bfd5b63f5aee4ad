"""The timeline of an org page: list items that begin with a day."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from itertools import takewhile

from quaid.formats import entries as dated
from quaid.formats.entries import Spot
from quaid.formats.markdown import timeline as plain_timeline
from quaid.formats.org import structure
from quaid.formats.org.elements import lines
from quaid.model.page import TimelineEntry
from quaid.model.record import record, replace

_DAY = r"(\d{4}-\d\d-\d\d)"
_STAMP = rf"[\[<]{_DAY}(?:[ \t][^\[\]<>\r\n]{{0,60}})?[\]>]"
_ENTRY = re.compile(
    rf"( {{0,3}}[-+]|[ ]{{1,3}}\*)[ \t]+(?:{_STAMP}(?:--{_STAMP})?|(\*{{1,2}}){_DAY}(:?)\4|{_DAY})(?!\d)",
    re.ASCII,
)
_SOURCE = re.compile(r"[ \t]*([^|\u2014\u2013:\s][^|\u2014\u2013]*?)[ \t]+[\u2014\u2013][ \t]+(?=\S)")
_UNCLOSED = "Close its blocks and drawers, then try again."
_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


@record
class _Style:
    """How the days of a timeline are written."""

    bullet: str = "-"
    opening: str = "["
    closing: str = "]"

    def line(self, entry: TimelineEntry) -> str:
        """The first line of an entry."""
        stamped = self.closing in ("]", ">")
        weekday = f" {_WEEKDAYS[date.fromisoformat(entry.date).weekday()]}" if stamped else ""
        bar = "" if stamped else "| "
        source = f"{bar}{entry.source} " if entry.source else ""
        return f"{self.bullet} {self.opening}{entry.date}{weekday}{self.closing} {source}— {entry.summary}"


@lru_cache(maxsize=4)
def entries(timeline: str) -> tuple[TimelineEntry, ...]:
    """The dated items of the timeline's own section, in the order in which they stand."""
    return tuple(spot.entry for spot in _spots(timeline))


def insert(timeline: str, entry: TimelineEntry, newline: str = "\n") -> str:
    """The timeline with one more entry, in the order and style of those that are there."""
    new = dated.cleaned(entry)
    known = _spots(timeline)
    text = _entry_text(new, known[0].style if known else _Style(), newline)
    dated.check(new, [dated.key(each) for each in entries(text)] == [dated.key(new)])
    changed = dated.among(timeline, known, new, text, newline) if known else append(timeline, text, newline)
    return dated.inserted(timeline, new, [changed], entries, _UNCLOSED)


def remove(timeline: str, entry: TimelineEntry) -> str:
    """The timeline without an entry, wherever it stands; the others stay as they are."""
    return dated.removed(timeline, _spots(timeline), entry, entries, _UNCLOSED)


def append(timeline: str, addition: str, newline: str) -> str:
    """The timeline with a text added at the end of its own section."""
    end = structure.section_end(timeline)
    above = timeline[:end]
    gap = "" if not above or above.endswith("\n") else newline
    return above + gap + addition.rstrip() + newline + timeline[end:]


def _spots(timeline: str) -> list[Spot[_Style]]:
    limit = structure.section_end(timeline)
    own = takewhile(lambda line: line.start < limit, lines(timeline))
    return dated.spots(timeline, own, _entry)


def _entry(raw: str, number: int) -> tuple[TimelineEntry, _Style] | None:
    match = _ENTRY.match(raw)
    if not match:
        return None
    stamp, _, bold, bold_day, colon, bare_day = match.groups()[1:]
    rest = raw[match.end() :].rstrip()
    source = _SOURCE.match(rest) if stamp else None
    bar = "|" in rest[: len(rest) - len(rest.lstrip(" \t|"))]
    if stamp and not bar:
        summary = rest[source.end() :] if source else rest.lstrip(" \t").lstrip("—–").strip()
        read = TimelineEntry(stamp, summary.strip(), source.group(1) if source else "", line=number)
        if not read.summary or not dated.is_date(stamp):
            return None
    else:
        # Without the timestamp it is a line as Markdown has it.
        day = stamp or bold_day or bare_day
        line = f"- {day}{colon or ''}{rest}" if bare_day else f"- **{day}{colon or ''}**{rest}"
        known = plain_timeline.entries(line)
        if not known:
            return None
        read = TimelineEntry(day, known[0].summary, known[0].source, line=number)
    if stamp:
        return read, _Style(match.group(1).strip(), *("[]" if "[" in match.group()[:8] else "<>"))
    return read, _Style(match.group(1).strip(), bold or "", bold or "")


def _entry_text(entry: TimelineEntry, style: _Style, newline: str) -> str:
    dated.check_date(entry.date)
    # A star in the first column would be a headline.
    bullet = " *" if style.bullet == "*" else style.bullet
    return dated.entry_lines(replace(style, bullet=bullet).line(entry), entry, newline)
