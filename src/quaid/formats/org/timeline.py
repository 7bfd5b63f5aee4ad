"""The timeline of an org page: list items that begin with a day."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from textwrap import dedent

from quaid.errors import InvalidInput
from quaid.formats import document
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

    def line(self, entry: TimelineEntry) -> str:
        """The first line of an entry."""
        stamped = self.closing in ("]", ">")
        weekday = f" {_weekday(entry.date)}" if stamped else ""
        bar = "" if stamped else "| "
        source = f"{bar}{entry.source} " if entry.source else ""
        return f"{self.bullet} {self.opening}{entry.date}{weekday}{self.closing} {source}— {entry.summary}"


@record
class _Found:
    """An entry and the characters that it covers."""

    entry: TimelineEntry
    style: _Style
    start: int
    end: int


@lru_cache(maxsize=4)
def entries(timeline: str) -> tuple[TimelineEntry, ...]:
    """The dated items of the timeline's own section, in the order in which they stand."""
    return tuple(found.entry for found in _found(timeline))


def insert(timeline: str, entry: TimelineEntry, newline: str = "\n") -> str:
    """The timeline with one more entry, in the order and style of those that are there."""
    detail = _dedented(entry.detail)
    wanted = TimelineEntry(entry.date, entry.summary.strip(), entry.source.strip(), detail)
    known = _found(timeline)
    text = _rendered(wanted, known[0].style if known else _Style(), newline)
    _check(wanted, text)
    changed = _placed(timeline, known, wanted, text, newline)
    if sorted(map(_key, entries(changed))) == sorted([*map(_key, entries(timeline)), _key(wanted)]):
        return changed
    raise InvalidInput(
        "the entry cannot be added to this timeline", hint="Close its blocks and drawers, then try again."
    )


def remove(timeline: str, entry: TimelineEntry) -> str:
    """The timeline without an entry, wherever it stands; the others stay as they are."""
    changed = timeline
    for found in reversed(_found(timeline)):
        if _key(found.entry) == _key(entry):
            changed = plain_timeline.without(changed, found.start, found.end)
    left = [key for key in map(_key, entries(timeline)) if key != _key(entry)]
    if [_key(known) for known in entries(changed)] == left:
        return changed
    raise InvalidInput(
        "the entry cannot be removed from this timeline", hint="Close its blocks and drawers, then try again."
    )


def append(timeline: str, addition: str, newline: str) -> str:
    """The timeline with a text added at the end of its own section."""
    end = structure.section_end(timeline)
    above = timeline[:end]
    gap = "" if not above or above.endswith("\n") else newline
    return above + gap + addition.rstrip() + newline + timeline[end:]


def _found(timeline: str) -> list[_Found]:
    found: list[_Found] = []
    current: _Found | None = None
    detail: list[str] = []
    limit = structure.section_end(timeline)
    for number, line in enumerate(lines(timeline), start=1):
        if line.start >= limit:
            break
        raw = timeline[line.start : line.end]
        fresh = _entry(raw, number) if line.kind == document.ITEM else None
        if fresh and not (current and raw.startswith("  ")):
            _finish(found, current, detail)
            current, detail = _Found(*fresh, line.start, line.end), []
        elif current and (line.kind == document.BLANK or raw[0] in " \t"):
            detail.append(raw)
            if line.kind != document.BLANK:
                current = _Found(current.entry, current.style, current.start, line.end)
        elif current and line.kind == document.TEXT and not detail:
            # An unindented line goes on with the entry above it, and must not be cut off from it.
            current = _Found(current.entry, current.style, current.start, line.end)
        else:
            _finish(found, current, detail)
            current, detail = None, []
    _finish(found, current, detail)
    return found


def _finish(found: list[_Found], current: _Found | None, detail: list[str]) -> None:
    if current:
        known = current.entry
        text = _dedented("".join(detail))
        entry = TimelineEntry(known.date, known.summary, known.source, text, known.line)
        found.append(_Found(entry, current.style, current.start, current.end))


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
        if not read.summary or not _is_date(stamp):
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


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _weekday(day: str) -> str:
    return _WEEKDAYS[date.fromisoformat(day).weekday()]


def _dedented(detail: str) -> str:
    text = dedent(detail.replace("\r\n", "\n"))
    return "\n".join(line if line.strip() else "" for line in text.split("\n")).strip("\n")


def _rendered(entry: TimelineEntry, style: _Style, newline: str) -> str:
    if not _is_date(entry.date):
        raise InvalidInput(f"date {entry.date!r} is not a date", hint="Write it as YYYY-MM-DD.")
    bullet = " *" if style.bullet == "*" else style.bullet
    first = _Style(bullet, style.opening, style.closing).line(entry)
    detail = [f"  {line}" if line else "" for line in entry.detail.split("\n")] if entry.detail else []
    return newline.join([first, *detail, ""])


def _check(entry: TimelineEntry, text: str) -> None:
    if not entry.summary or "\n" in entry.summary or "\r" in entry.summary:
        raise InvalidInput("the summary must be one line of text", hint="Put further lines into the detail.")
    if [_key(found) for found in entries(text)] != [_key(entry)]:
        raise InvalidInput(
            f"the entry would not be read back as it is (source {entry.source!r})",
            hint="A source is a few words on one line, without '|' and without a dash between spaces.",
        )


def _key(entry: TimelineEntry) -> tuple[str, str, str, str]:
    return entry.date, entry.summary, entry.source, entry.detail


def _placed(timeline: str, known: list[_Found], entry: TimelineEntry, text: str, newline: str) -> str:
    if not known:
        return append(timeline, text, newline)
    ascending = len(known) > 1 and known[0].entry.date < known[-1].entry.date
    loose = len(known) > 1 and known[0].end < known[1].start
    gap = newline if loose and not timeline[known[0].end : known[1].start].strip() else ""
    if ascending:
        before = [found for found in known if found.entry.date <= entry.date]
    else:
        before = [found for found in known if found.entry.date > entry.date]
    if before:
        place = before[-1].end
        above = timeline[:place] if timeline[:place].endswith("\n") else timeline[:place] + newline
        return above + gap + text + timeline[place:]
    place = known[0].start
    return timeline[:place] + text + gap + timeline[place:]
