"""An org page cut into its verbatim parts, and its headlines, summary and ids."""

from __future__ import annotations

import re
from collections.abc import Iterator

from quaid.formats.document import HEADING, MAX_SUMMARY, QUOTE, TEXT, Document, Heading, is_card, shortened
from quaid.formats.org.areas import DRAWER, VALUE
from quaid.formats.org.elements import elements, lines
from quaid.formats.org.head import read_head
from quaid.formats.org.outline import title_of

_HEADLINE = re.compile(r"(\*+) ")
_LINK = re.compile(r"\[\[([^\[\]\n]+)\](?:\[((?:[^\[\]]|\[[^\[\]\n]*\]){1,500})\])?\]")
_SCHEME = re.compile(r"(?:id|roam|file):|\*|#")
_INLINE = (
    (re.compile(r"\[fn:[^\[\]\n]*\]"), ""),
    (re.compile(r"@@[a-z]+:[^@\n]*@@"), ""),
    (re.compile(r"<<<?([^<>\n]+)>>>?"), r"\1"),
    (re.compile(r"(?<![\w*/_=~+])([*/_=~+])(?=\S)([^\n]{1,500}?)(?<=\S)\1(?![\w*/_=~+])"), r"\2"),
)


def split(text: str) -> tuple[str, str]:
    """The head of a page, and the rest."""
    end = read_head(text).end
    return text[:end], text[end:]


def parse(text: str) -> Document:
    """Cut a page below its head and at the last top-level headline `Timeline`."""
    head, body = split(text)
    if "timeline" in body.lower():
        for line in reversed(lines(body)):
            heading = _heading(body[line.start : line.end], 0) if line.kind == HEADING else None
            if heading and heading.level == 1 and heading.plain.casefold() == "timeline":
                return Document(head, body[: line.start], body[line.start : line.end], body[line.end :])
    return Document(head, body, "", "")


def section_end(timeline: str) -> int:
    """Where the timeline's own section ends: at the next top-level headline."""
    for line in lines(timeline):
        if line.kind == HEADING and timeline.startswith("* ", line.start):
            return line.start
    return len(timeline)


def headings(text: str) -> list[Heading]:
    """The headlines outside blocks."""
    if "* " not in text:
        return []
    return [
        _heading(text[line.start : line.end], number)
        for number, line in enumerate(lines(text), start=1)
        if line.kind == HEADING
    ]


def keyword_of(text: str, key: str) -> str:
    """The value of the first keyword of that key that says something, wherever it stands."""
    if f"#+{key}:" not in text.lower():
        return ""
    for area in elements(text).areas:
        if area.kind == VALUE and area.key == key:
            value = " ".join(text[area.start : area.end].partition(":")[2].split())
            if value:
                return value
    return ""


def summary_of(truth: str) -> str:
    """The first quote, else the first paragraph of prose, else a card of names and values."""
    card = ""
    for kind in (QUOTE, TEXT):
        for parts in _paragraphs(truth, kind):
            summary = shortened(plain(" ".join(parts)[: 4 * MAX_SUMMARY]))
            if summary and not is_card(parts):
                return summary
            card = card or summary
    return card


def plain(text: str) -> str:
    """The text without inline markup."""
    text = unlinked(text)
    for pattern, replacement in _INLINE:
        text = pattern.sub(replacement, text)
    return " ".join(text.split())


def readable(text: str) -> str:
    """The text without property drawers, and with the labels of its links only."""
    if ":end:" in text.lower():  # else there is no drawer
        text = "".join(text[line.start : line.end] for line in lines(text) if line.kind != DRAWER)
    return unlinked(text)


def unlinked(text: str) -> str:
    """The text with links as a reader sees them."""
    if "[[" not in text:
        return text
    return _LINK.sub(lambda match: match.group(2) or _SCHEME.sub("", match.group(1), count=1), text)


def _heading(raw: str, number: int) -> Heading:
    stars = _HEADLINE.match(raw)
    level = len(stars.group(1)) if stars else 0
    text = title_of(raw[level:]).text
    return Heading(level, text, plain(text), number)


def _paragraphs(text: str, kind: str) -> Iterator[list[str]]:
    """Runs of lines of one kind that are no part of a list."""
    parts: list[str] = []
    for line in lines(text):
        if line.kind == kind and not line.nested:
            parts.append(text[line.start : min(line.end, line.start + 4 * MAX_SUMMARY)].strip())
        elif parts:
            yield parts
            parts = []
    if parts:
        yield parts
