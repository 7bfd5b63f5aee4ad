"""The timeline of a page: dated lines of evidence with their indented detail."""

from __future__ import annotations

import re
from functools import lru_cache

from quaid.formats import entries as dated
from quaid.formats.entries import Timelines
from quaid.formats.markdown import structure
from quaid.formats.slugs import fold
from quaid.model.page import TimelineEntry
from quaid.model.record import record

_ENTRY = re.compile(r"( {0,3})([-*+])[ \t]+(\*\*)?(\d{4}-\d\d-\d\d)(:?\*\*)?(?!\d)", re.ASCII)
_SEPARATOR = re.compile(r"[ \t]*[\u2014\u2013:][ \t]*|[ \t]+-[ \t]+")
_SOURCE_END = re.compile(r"(?<=[ \t])[\u2014\u2013-](?=[ \t])")
_SOURCE_COLON = re.compile(r":[ \t]")


@record
class _Style:
    """How a line begins: its bullet, and whether the day is bold."""

    bullet: str = "-"
    bold: bool = True


@lru_cache(maxsize=4)
def entries(timeline: str) -> tuple[TimelineEntry, ...]:
    """The dated lines, in the order in which they stand. Cached, because adding one asks several times."""
    return tuple(spot.entry for spot in TIMELINES.spots(timeline))


def _entry(raw: str, number: int) -> tuple[TimelineEntry, _Style] | None:
    match = _ENTRY.match(raw)
    if not match or bool(match.group(3)) != bool(match.group(5)) or not dated.is_date(match.group(4)):
        return None
    rest = raw[match.end() :].rstrip()
    if (match.group(5) or "").startswith(":"):
        rest = ":" + rest
    source, summary = _source_and_summary(rest, bold=bool(match.group(3)))
    if not summary:
        return None
    entry = TimelineEntry(match.group(4), summary, source, line=number)
    return entry, _Style(match.group(2), bool(match.group(3)))


def _source_and_summary(rest: str, bold: bool) -> tuple[str, str]:
    content = rest.lstrip(" \t")
    if content.startswith("|"):
        content = content[1:]
        end = _SOURCE_END.search(content) or _SOURCE_COLON.search(content)
        if end:
            return content[: end.start()].strip(), content[end.end() :].strip()
        return "", content.strip()
    separator = _SEPARATOR.match(rest)
    if separator:
        return "", rest[separator.end() :].strip()
    return "", content.strip() if bold and content != rest else ""


def _first_line(entry: TimelineEntry, style: _Style | None) -> str:
    dated.check(entry, "|" not in entry.source)
    style = style or _Style()
    day = f"**{entry.date}**" if style.bold else entry.date
    source = f" | {entry.source}" if entry.source else ""
    return f"{style.bullet} {day}{source} — {entry.summary}"


def _below_heading(timeline: str, text: str, newline: str) -> str:
    if not timeline.strip():
        return f"{dated.ended(timeline, newline) or newline}## Timeline{newline}{newline}{text}"
    rows = timeline.splitlines(keepends=True)
    titled = [heading.line for heading in structure.headings(timeline) if fold(heading.text) == "timeline"]
    if titled and len(timeline.split("\n")) == len((timeline + "x").splitlines()):
        above, below = "".join(rows[: titled[0]]), "".join(rows[titled[0] :])
        return dated.ended(above, newline) + newline + text + below
    above = dated.ended(timeline, newline)
    return above + ("" if above.endswith(("\n\n", "\n\r\n")) else newline) + text


TIMELINES: Timelines[_Style] = Timelines(
    parse=structure.parse,
    lines=structure.lines,
    end=len,
    read=_entry,
    entries=entries,
    first_line=_first_line,
    first=_below_heading,
    opening=lambda truth, newline: f"{newline if truth.strip() else ''}---",
    open_above="A code fence or HTML comment above it is not closed; close it first.",
    open_within="Close its code blocks and comments, then try again.",
    on_top=True,
)
insert = TIMELINES.insert
