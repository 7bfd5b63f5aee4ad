"""Changes to what stands below the head of an org page: truth, sections, timeline."""

from __future__ import annotations

from quaid.errors import Ambiguous, InvalidInput
from quaid.formats import entries
from quaid.formats.document import Document
from quaid.formats.encoding import newline_of
from quaid.formats.org import structure, timeline
from quaid.formats.org.head import read_head
from quaid.formats.slugs import fold
from quaid.model.page import TimelineEntry

_UNCLOSED = "A block above it is not closed as it should be; close it first."


def add_entry(text: str, entry: TimelineEntry) -> str:
    """The page with one more dated item; one of that day and summary is not written twice."""
    document = structure.parse(text)
    if entries.has(timeline.entries(document.timeline), entry):
        return text
    newline = newline_of(text)
    start, old = _with_headline(document, newline)
    changed = start + timeline.insert(old, entry, newline)
    if not entries.has(timeline.entries(structure.parse(changed).timeline), entry):
        raise entries.timeline_loss(_UNCLOSED)
    return changed


def remove_entry(text: str, entry: TimelineEntry) -> str:
    """The page without a dated item and its detail."""
    document = structure.parse(text)
    return document.head + document.truth + document.rule + timeline.remove(document.timeline, entry)


def append_timeline(text: str, addition: str) -> str:
    """The page with text added at the end of its timeline."""
    newline = newline_of(text)
    start, old = _with_headline(structure.parse(text), newline)
    changed = start + timeline.append(old, addition, newline)
    if not structure.parse(changed).rule:
        raise entries.timeline_loss(_UNCLOSED)
    return changed


def replace_truth(text: str, truth: str) -> str:
    """The page with its compiled truth rewritten; head and timeline stay."""
    document = structure.parse(text)
    newline = newline_of(text)
    if document.rule:
        truth = truth.rstrip() + newline * 2 if truth.strip() else ""
    gap = newline if document.head and not document.head.endswith("\n") else ""
    changed = document.head + gap + truth + document.rule + document.timeline
    new = structure.parse(changed)
    if (new.rule, new.timeline) != (document.rule, document.timeline):
        raise InvalidInput(
            "the new compiled truth would swallow or cut the timeline",
            hint="Close every block in it, and leave out the headline `Timeline`.",
        )
    if document.head and read_head(changed).values() != read_head(text).values():
        raise InvalidInput(
            "the new compiled truth begins with fields of the head",
            hint="Begin it with text, and set fields as frontmatter.",
        )
    return changed


def _with_headline(document: Document, newline: str) -> tuple[str, str]:
    """Everything up to the timeline, with its headline made if there is none, and the timeline."""
    start = document.head + document.truth + document.rule
    gap = newline if start and not start.endswith("\n") else ""
    if document.rule:
        return start + gap, document.timeline
    blank = newline if document.truth.strip() and not document.truth.endswith(("\n\n", "\n\r\n")) else ""
    return f"{start}{gap}{blank}* Timeline{newline}", newline


def add_to_section(text: str, title: str, addition: str) -> str:
    """The page with text at the end of a section, which is made if there is none."""
    return _with_section(text, title, addition, keep=True)


def replace_section(text: str, title: str, content: str) -> str:
    """The page with other text in a section, which is made if there is none."""
    return _with_section(text, title, content, keep=False)


def _with_section(text: str, title: str, content: str, *, keep: bool) -> str:
    """The page with text in the section below a top-level headline, whose drawer and title stay."""
    name = structure.plain(title.strip().lstrip("*").strip())
    if not name or len(name.splitlines()) > 1 or fold(name) == "timeline":
        raise InvalidInput("the section has no name", hint="Give the text of its headline, on one line.")
    newline = newline_of(text)
    document = structure.parse(text)
    lines = content.replace("\r\n", "\n").strip("\n").replace("\n", newline)
    if any(heading.level == 1 for heading in structure.headings(lines)):
        raise InvalidInput("the text has a top-level headline", hint="Give it another star.")
    found = structure.section_of(document.truth, name)
    if len(found) > 1:
        raise Ambiguous(
            f"{len(found)} sections are called {name!r}",
            hint="Give them different headlines first.",
            candidates=[f"headline {number}" for number in range(1, len(found) + 1)],
        )
    if found:
        begin, end = found[0]
        kept = document.truth[begin:end].rstrip() if keep else ""
        above = document.truth[:begin]
        gap = "" if above.endswith("\n") else newline
        inner = f"{kept}{newline}{lines}" if kept else lines
        after = document.truth[end:] or document.rule
        truth = f"{above}{gap}{inner.strip(newline)}{newline}{newline if after else ''}{document.truth[end:]}"
    else:
        truth = f"{document.truth.rstrip()}{newline * 2}* {name}{newline}{lines}{newline}".lstrip()
    return replace_truth(text, truth)
