"""The timeline of an org page: list items that begin with a day."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache

from quaid.formats import entries as dated
from quaid.formats.entries import Timelines
from quaid.formats.markdown import timeline as plain_timeline
from quaid.formats.org import structure
from quaid.formats.org.elements import lines
from quaid.model.page import TimelineEntry
from quaid.model.record import record

_DAY = r"(\d{4}-\d\d-\d\d)"
_STAMP = rf"[\[<]{_DAY}(?:[ \t][^\[\]<>\r\n]{{0,60}})?[\]>]"
_ENTRY = re.compile(
    rf"( {{0,3}}[-+]|[ ]{{1,3}}\*)[ \t]+(?:{_STAMP}(?:--{_STAMP})?|(\*{{1,2}}){_DAY}(:?)\4|{_DAY})(?!\d)",
    re.ASCII,
)
_SOURCE = re.compile(r"[ \t]*([^|\u2014\u2013:\s][^|\u2014\u2013]*?)[ \t]+[\u2014\u2013][ \t]+(?=\S)")
_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


@record
class _Style:
    """How the days of a timeline are written."""

    bullet: str = "-"
    opening: str = "["
    closing: str = "]"


@lru_cache(maxsize=4)
def entries(timeline: str) -> tuple[TimelineEntry, ...]:
    """The dated items of the timeline's own section, in the order in which they stand."""
    return tuple(spot.entry for spot in TIMELINES.spots(timeline))


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


def _first_line(entry: TimelineEntry, style: _Style | None) -> str:
    style = style or _Style()
    # A star in the first column would be a headline.
    bullet = " *" if style.bullet == "*" else style.bullet
    stamped = style.closing in ("]", ">")
    weekday = f" {_WEEKDAYS[date.fromisoformat(entry.date).weekday()]}" if stamped else ""
    bar = "" if stamped else "| "
    source = f"{bar}{entry.source} " if entry.source else ""
    return f"{bullet} {style.opening}{entry.date}{weekday}{style.closing} {source}— {entry.summary}"


def _headline(truth: str, newline: str) -> str:
    is_apart = not truth.strip() or truth.endswith(("\n\n", "\n\r\n"))
    return f"{'' if is_apart else newline}* Timeline"


TIMELINES: Timelines[_Style] = Timelines(
    parse=structure.parse,
    lines=lines,
    end=structure.section_end,
    read=_entry,
    entries=entries,
    first_line=_first_line,
    first=lambda timeline, text, newline: TIMELINES.append(timeline, text, newline),
    opening=_headline,
    open_above="A block above it is not closed as it should be; close it first.",
    open_within="Close its blocks and drawers, then try again.",
)
