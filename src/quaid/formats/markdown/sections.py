"""The second-level sections of a Markdown page, and edits that change one of them and no other byte.

A section reaches from its heading to the next heading of the first or second level. Headings in code are
none. The timeline of a page, below its rule, belongs to no section.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from quaid.errors import Ambiguous, InvalidInput
from quaid.formats.document import HEADING, OTHER, TEXT
from quaid.formats.encoding import newline_of
from quaid.formats.markdown import items, structure, timeline
from quaid.formats.slugs import fold
from quaid.model.record import fill, record

LEVEL = 2
_ATX = re.compile(r"[ \t]*(#{1,6})(?:[ \t]+|$)(.*?)(?:[ \t]+#*)?[ \t]*$")
_UNDERLINE = re.compile(r"[ \t]*(=+|-+)[ \t]*$")
_LEADING = re.compile(r"(?:[ \t]*\r?\n)*")
MAX_TITLE = 200


@record
class Section:
    """A section: its title, the line of its heading (from 1), and its characters."""

    title: str
    line: int
    start: int
    body: int  # where the heading ends
    end: int


@record
class _Mark:
    level: int
    title: str
    line: int
    start: int
    end: int


@lru_cache(maxsize=8)
def sections(text: str) -> tuple[Section, ...]:
    """The sections of a page, in order. Cached, because an edit asks several times."""
    if "#" not in text and "\n" not in text:  # a heading without its marks has a line below it
        return ()
    marks, (_, stop) = _marks(text)
    found: list[Section] = []
    for place, mark in enumerate(marks):
        if mark.level != LEVEL:
            continue
        end = next((other.start for other in marks[place + 1 :] if other.level <= LEVEL), stop)
        found.append(fill(Section, mark, body=mark.end, end=end))
    return tuple(found)


def title_of(name: str) -> str:
    """The title that a caller means: with or without `##`, without markup."""
    title = structure.plain(_heading_text(name))
    if not title:
        raise InvalidInput("the section has no name", hint="Give the text of its heading, such as Groceries.")
    if len(title) > MAX_TITLE:
        raise InvalidInput(f"a heading of {len(title):,} characters is too long", hint="Use a short one.")
    return title


def _heading_text(name: str) -> str:
    """What stands in a heading: one line, without the marks around it."""
    first = name.strip().splitlines()[0] if name.strip() else ""
    bare = re.sub(r"^#{1,6}(?:\s+|$)", "", first)
    return re.sub(r"\s+#+$", "", bare).strip()


def find(text: str, name: str) -> Section | None:
    """The section of that title; the same letters win over those that differ in case or accents only."""
    title = title_of(name)
    known = sections(text)
    found = [each for each in known if each.title == title]
    found = found or [each for each in known if fold(each.title) == fold(title)]
    if len(found) > 1:
        lines = [each.line for each in found]
        raise Ambiguous(
            f"{len(found)} sections are called {title!r}: at lines {', '.join(map(str, lines))}",
            hint="Give them different headings first.",
            candidates=[f"line {line}" for line in lines],
        )
    return found[0] if found else None


def bounds(text: str) -> tuple[int, int]:
    """Where the part that has sections begins and ends: below the frontmatter, above the timeline."""
    return _marks(text)[1]


def replaced(text: str, section: Section, content: str) -> str:
    """The text with other content in a section: the heading and all outside stay to the byte."""
    content = _own(text, section.title, content)
    old = text[section.body : section.end]
    leading, trailing = _blanks(old)
    newline = newline_of(text)
    if not old.strip():
        leading, trailing = _gap_after_headings(text, newline), newline if section.end < len(text) else ""
    elif section.end < len(text) and not trailing:
        trailing = newline
    start = "" if text[: section.body].endswith("\n") or not content else newline
    ending = newline if content else ""
    new = f"{start}{leading}{content}{ending}{trailing}" if content else old if not old.strip() else trailing
    return _checked(text, section, text[: section.body] + new + text[section.end :], content)


def appended(text: str, section: Section, content: str) -> str:
    """The text with more at the end of a section, in the style of the list that stands there."""
    content = _own(text, section.title, content)
    if not content:
        return text
    old = text[section.body : section.end]
    if not old.strip():
        return replaced(text, section, _in_style(content, "", newline_of(text)))
    start = section.body + len(old.rstrip())
    below = _last_heading(text, section.body, section.end)
    return _checked(text, section, _joined(text, below, start, section.end, content), content)


def appended_to_end(text: str, content: str) -> str:
    """The text with more at its end, before the timeline if it has one."""
    content = _own(text, "", content)
    if not content:
        return text
    head, stop = bounds(text)
    kept = max(head, len(text[:stop].rstrip()))
    if not text[head:stop].strip():
        gap = newline_of(text) if head and stop == len(text) else ""
        return f"{text[:head]}{gap}{content}{newline_of(text)}{text[head:] if stop < len(text) else ''}"
    return _joined(text, _last_heading(text, head, stop), kept, stop, content)


def added(text: str, name: str, content: str) -> str:
    """The text with a new section at its end, before the timeline if it has one."""
    title = title_of(name)
    content = _own(text, title, content)
    newline = newline_of(text)
    head, stop = bounds(text)
    kept = max(head, len(text[:stop].rstrip()))
    gap = "" if not text[:kept].strip() else newline if text[:kept].endswith("\n") else newline * 2
    below = f"{_gap_after_headings(text, newline)}{content}{newline}" if content else ""
    rest = text[stop:]
    between = newline if rest else ""
    new = f"{text[:kept]}{gap}## {_heading_text(name)}{newline}{below}{between}{rest}"
    if [each.title for each in sections(new)] != [*(each.title for each in sections(text)), title]:
        raise _unsafe()
    if _may_open(content) and not _is_closed(new):
        raise _unsafe()
    return new


def demoted(content: str) -> str:
    """Content whose headings stand below those of sections."""
    scanned = structure.lines(content)
    lines = [
        "###" + raw.lstrip(" \t").lstrip("#") if line.kind == HEADING and _level(raw) <= LEVEL else raw
        for line in scanned
        for raw in [content[line.start : line.end]]
    ]
    return "".join(lines)


def _level(raw: str) -> int:
    stripped = raw.lstrip(" \t")
    return len(stripped) - len(stripped.lstrip("#"))


@lru_cache(maxsize=8)
def _marks(text: str) -> tuple[tuple[_Mark, ...], tuple[int, int]]:
    """All headings outside lists, quotes and code, and where the part that has them begins and ends.

    Cached, because an edit asks several times for the text before and after it.
    """
    document = structure.parse(text)
    offset = len(document.head)
    body = text[offset:]
    has_timeline = bool(document.rule) and bool(timeline.entries(document.timeline))
    stop = offset + len(document.truth) if has_timeline else len(text)
    marks: list[_Mark] = []
    paragraph: int | None = None
    line_number = text.count("\n", 0, offset)
    scanned = structure.lines(body)
    for place, line in enumerate(scanned):
        line_number += 1
        if offset + line.start >= stop:
            break
        raw = body[line.start : line.end].rstrip("\r\n")
        if line.kind == HEADING and not line.nested:
            match = _ATX.match(raw)
            level, title = (len(match[1]), match[2]) if match else (1, raw)
            marks.append(
                _Mark(level, structure.plain(title), line_number, offset + line.start, offset + line.end)
            )
        elif line.kind == OTHER and paragraph is not None and not line.nested:
            under = _UNDERLINE.match(raw)
            if under:
                first = scanned[paragraph]
                title = structure.plain(body[first.start : line.start])
                level = 1 if under[1][0] == "=" else 2
                number = line_number - (place - paragraph)
                marks.append(_Mark(level, title, number, offset + first.start, offset + line.end))
        if line.kind != TEXT or line.nested:
            paragraph = None
        elif paragraph is None:
            paragraph = place
    return tuple(marks), (offset, stop)


def _own(text: str, title: str, content: str) -> str:
    """Content for a section: its own heading left out, with the line ends of the text."""
    content = content.replace("\r\n", "\n").replace("\r", "\n")
    content = re.sub(r"\A(?:[ \t]*\n)+", "", content).rstrip()
    known = sections(content)
    if title and known and known[0].start == 0 and fold(known[0].title) == fold(title):
        content = re.sub(r"\A(?:[ \t]*\n)+", "", content[known[0].body :])
    return content.replace("\n", newline_of(text))


def _blanks(body: str) -> tuple[str, str]:
    """The blank lines at both ends of a section."""
    leading = _LEADING.match(body)
    stripped = body.rstrip()
    tail = body[len(stripped) :]
    first = re.match(r"[ \t]*\r?\n", tail)
    return leading[0] if leading else "", tail[first.end() :] if first else ""


def _gap_after_headings(text: str, newline: str) -> str:
    """The blank line below a heading, unless the text has sections that do without."""
    for each in sections(text):
        body = text[each.body : each.end]
        if body.strip():
            return newline if re.match(r"[ \t]*\r?\n", body) else ""
    return newline


def _joined(text: str, body: int, place: int, end: int, content: str) -> str:
    """The text with content after what ends at a place; a list goes on as a list."""
    newline = newline_of(text)
    line_end = text.find("\n", place, end) + 1
    tail = text[line_end:] if line_end else text[end:]
    ended = text[place:line_end] if line_end else newline
    before = text[body:place] + newline
    known = items.items(before)
    ends_with_list = bool(known) and known[-1].end >= len(before.rstrip())
    styled = _in_style(content, before if ends_with_list else "", newline)
    continues = ends_with_list and items.items(styled)[:1] and items.items(styled)[0].start == 0
    loose = items.style_of(before, known).loose if continues else True
    gap = newline if loose or not continues else ""
    return f"{text[:place]}{ended}{gap}{styled}{newline}{tail}"


def _last_heading(text: str, start: int, end: int) -> int:
    """Where the last heading of a stretch ends; its beginning if it has none."""
    return max((mark.end for mark in _marks(text)[0] if start < mark.end <= end), default=start)


def _in_style(content: str, before: str, newline: str) -> str:
    """Content in the style of the list before it: items with its marks, plain lines as items."""
    if not before:
        return content
    known = items.items(before)
    style = items.style_of(before, known)
    lines = content.replace("\r\n", "\n")
    given = items.outermost(items.items(lines))
    if not given:
        if not _all_items(before, known) or not _is_plain(lines):
            return content
        new = [items.item_text(line, style, n) for n, line in enumerate(lines.split("\n"), 1)]
    elif given[0].start == 0 and _all_items(lines, given):
        new = [_restyled(lines, item, style, n) for n, item in enumerate(given, 1)]
    else:
        return content
    between = "\n\n" if style.loose else "\n"
    return between.join(new).replace("\n", newline)


def _restyled(lines: str, item: items.Item, style: items.Style, place: int) -> str:
    """An item with the marks of a list; what is nested in it stays as it is."""
    nested = lines[item.line_end : item.end].rstrip()
    first = items.item_text(item.text, style, place, item.box)
    return f"{first}\n{nested}" if nested else first


def _all_items(text: str, known: Sequence[items.Item]) -> bool:
    """Whether nothing but list items stands in a text."""
    rest = text
    for item in reversed(items.outermost(known)):
        rest = rest[: item.start] + rest[item.end :]
    return not rest.strip()


def _is_plain(lines: str) -> bool:
    """Whether each line could be an item."""
    return all(line.kind == TEXT for line in structure.lines(lines))


def _checked(text: str, section: Section, new: str, content: str) -> str:
    """The new text, if all other sections are what they were."""
    before = [(each.title, text[each.start : each.end]) for each in sections(text) if each != section]
    after = sections(new)
    place = next((n for n, each in enumerate(after) if each.start == section.start), None)
    kept = [(each.title, new[each.start : each.end]) for n, each in enumerate(after) if n != place]
    if place is None or kept != before or new[after[place].end :] != text[section.end :]:
        raise _unsafe()
    if _may_open(content) and _is_closed(text) and not _is_closed(new):
        raise _unsafe()
    return new


def _may_open(content: str) -> bool:
    """Whether there is something in a content that could go on after it."""
    return any(mark in content for mark in ("```", "~~~", "<"))


def _is_closed(text: str) -> bool:
    """Whether a heading at the end of a text would be one: no code block or comment is open there."""
    end = bounds(text)[1]
    return len(sections(f"{text[:end]}\n\n## .\n")) == len(sections(text)) + 1


def _unsafe() -> InvalidInput:
    return InvalidInput(
        "the text would change other sections of the page",
        hint="Use headings of the third level within a section, and close every code block and comment.",
    )
