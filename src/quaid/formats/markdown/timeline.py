"""The timeline of a page: dated lines of evidence with their indented detail."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from textwrap import dedent

from quaid.errors import InvalidInput
from quaid.formats.markdown import structure
from quaid.formats.slugs import fold
from quaid.model.page import TimelineEntry

_ENTRY = re.compile(r"( {0,3})([-*+])[ \t]+(\*\*)?(\d{4}-\d\d-\d\d)(:?\*\*)?(?!\d)", re.ASCII)
_SEPARATOR = re.compile(r"[ \t]*[\u2014\u2013:][ \t]*|[ \t]+-[ \t]+")
_SOURCE_END = re.compile(r"(?<=[ \t])[\u2014\u2013-](?=[ \t])")
_SOURCE_COLON = re.compile(r":[ \t]")
_BLANK_LINES = re.compile(r"(?:[ \t]*\r?\n)+")
_BLANK_END = re.compile(r"(?:\A|\n)[ \t]*\r?\n\Z")


class _Found:
    """An entry with its place and style."""

    def __init__(self, entry: TimelineEntry, bullet: str, bold: bool) -> None:
        self.entry = entry
        self.bullet = bullet
        self.bold = bold
        self.start = self.end = 0


@lru_cache(maxsize=4)
def entries(timeline: str) -> tuple[TimelineEntry, ...]:
    """The dated lines, in the order in which they stand. Cached, because adding one asks several times."""
    return tuple(found.entry for found in _found(timeline))


def insert(timeline: str, entry: TimelineEntry, newline: str = "\n") -> str:
    """The timeline with one more entry, in the order and style of those that are there."""
    detail = _dedented(entry.detail)
    wanted = TimelineEntry(entry.date, entry.summary.strip(), entry.source.strip(), detail)
    known = _found(timeline)
    text = _rendered(wanted, known[0] if known else None, newline)
    _check(wanted, text)
    before = sorted(map(_key, entries(timeline)))
    for changed in (_placed(timeline, known, wanted, text, newline), _on_top(timeline, text, newline)):
        if sorted(map(_key, entries(changed))) == sorted([*before, _key(wanted)]):
            return changed
    raise InvalidInput(
        "the entry cannot be added to this timeline",
        hint="Close its code blocks and comments, then try again.",
    )


def remove(timeline: str, entry: TimelineEntry) -> str:
    """The timeline without an entry, wherever it stands; the others stay as they are."""
    changed = timeline
    for found in reversed(_found(timeline)):
        if _key(found.entry) == _key(entry):
            changed = without(changed, found.start, found.end)
    left = [key for key in map(_key, entries(timeline)) if key != _key(entry)]
    if [_key(known) for known in entries(changed)] == left:
        return changed
    raise InvalidInput(
        "the entry cannot be removed from this timeline",
        hint="Close its code blocks and comments, then try again.",
    )


def without(text: str, start: int, end: int) -> str:
    """The text without some whole lines; of the blank lines around them, those above stay."""
    blank = _BLANK_LINES.match(text, end)
    if blank and (not start or _BLANK_END.search(text[:start])):
        end = blank.end()
    return text[:start] + text[end:]


def _found(timeline: str) -> list[_Found]:
    found: list[_Found] = []
    detail: list[str] = []
    current: _Found | None = None
    for number, line in enumerate(structure.lines(timeline), start=1):
        raw = timeline[line.start : line.end]
        fresh = _entry(raw, number) if line.kind == structure.ITEM else None
        if fresh and not (current and raw.startswith("  ")):
            _finish(current, detail)
            current, detail = fresh, []
            current.start, current.end = line.start, line.end
            found.append(current)
        elif current and (line.kind == structure.BLANK or raw[0] in " \t"):
            detail.append(raw)
            current.end = current.end if line.kind == structure.BLANK and not raw.strip() else line.end
        elif current and line.kind == structure.TEXT and not detail:
            # An unindented line goes on with the entry above it, and must not be cut off from it.
            current.end = line.end
        else:
            _finish(current, detail)
            current, detail = None, []
    _finish(current, detail)
    return found


def _finish(found: _Found | None, detail: list[str]) -> None:
    if found and detail:
        entry = found.entry
        text = _dedented("".join(detail))
        found.entry = TimelineEntry(entry.date, entry.summary, entry.source, text, entry.line)


def _entry(raw: str, number: int) -> _Found | None:
    match = _ENTRY.match(raw)
    if not match or bool(match.group(3)) != bool(match.group(5)) or not _is_date(match.group(4)):
        return None
    rest = raw[match.end() :].rstrip()
    if (match.group(5) or "").startswith(":"):
        rest = ":" + rest
    source, summary = _source_and_summary(rest, bold=bool(match.group(3)))
    if not summary:
        return None
    entry = TimelineEntry(match.group(4), summary, source, line=number)
    return _Found(entry, match.group(2), bool(match.group(3)))


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


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _dedented(detail: str) -> str:
    text = dedent(detail.replace("\r\n", "\n"))
    return "\n".join(line if line.strip() else "" for line in text.split("\n")).strip("\n")


def _rendered(entry: TimelineEntry, like: _Found | None, newline: str) -> str:
    day = entry.date if like and not like.bold else f"**{entry.date}**"
    source = f" | {entry.source}" if entry.source else ""
    first = f"{like.bullet if like else '-'} {day}{source} — {entry.summary}"
    detail = [f"  {line}" if line else "" for line in entry.detail.split("\n")] if entry.detail else []
    return newline.join([first, *detail, ""])


def _check(entry: TimelineEntry, text: str) -> None:
    if not _is_date(entry.date):
        raise InvalidInput(f"date {entry.date!r} is not a date", hint="Write it as YYYY-MM-DD.")
    if not entry.summary or "\n" in entry.summary or "\r" in entry.summary:
        raise InvalidInput("the summary must be one line of text", hint="Put further lines into the detail.")
    if "|" in entry.source or [_key(found) for found in entries(text)] != [_key(entry)]:
        raise InvalidInput(
            f"the entry would not be read back as it is (source {entry.source!r})",
            hint="A source is a few words on one line, without '|' and without a dash between spaces.",
        )


def _key(entry: TimelineEntry) -> tuple[str, str, str, str]:
    return entry.date, entry.summary, entry.source, entry.detail


def _placed(timeline: str, known: list[_Found], entry: TimelineEntry, text: str, newline: str) -> str:
    if not timeline.strip():
        return f"{_ended(timeline, newline) or newline}## Timeline{newline}{newline}{text}"
    if not known:
        return _below_heading(timeline, text, newline)
    gap = newline if _is_loose(timeline, known) else ""
    if _is_ascending(known):
        older = [found for found in known if found.entry.date <= entry.date]
    else:
        older = [found for found in known if found.entry.date > entry.date]
    if older:
        place = older[-1].end
        return _ended(timeline[:place], newline) + gap + text + timeline[place:]
    place = known[0].start
    return timeline[:place] + text + gap + timeline[place:]


def _on_top(timeline: str, text: str, newline: str) -> str:
    return f"{newline}{text}{newline}{timeline}"


def _below_heading(timeline: str, text: str, newline: str) -> str:
    rows = timeline.splitlines(keepends=True)
    titled = [heading.line for heading in structure.headings(timeline) if fold(heading.text) == "timeline"]
    if titled and len(timeline.split("\n")) == len((timeline + "x").splitlines()):
        above, below = "".join(rows[: titled[0]]), "".join(rows[titled[0] :])
        return _ended(above, newline) + newline + text + below
    above = _ended(timeline, newline)
    return above + ("" if above.endswith(("\n\n", "\n\r\n")) else newline) + text


def _is_ascending(known: list[_Found]) -> bool:
    return len(known) > 1 and known[0].entry.date < known[-1].entry.date


def _is_loose(timeline: str, known: list[_Found]) -> bool:
    return (
        len(known) > 1
        and not timeline[known[0].end : known[1].start].strip()
        and known[0].end < known[1].start
    )


def _ended(text: str, newline: str) -> str:
    return text if not text or text.endswith("\n") else text + newline
