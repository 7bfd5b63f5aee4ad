"""An org page cut into its verbatim parts, and its headlines, summary and ids."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from quaid.formats.markdown import (
    BLANK,
    CODE,
    COMMENT,
    FENCE,
    HEADING,
    ITEM,
    MAX_SUMMARY,
    OTHER,
    QUOTE,
    TABLE,
    TEXT,
    Document,
    Heading,
    Line,
)
from quaid.formats.org_head import COMMENT as COMMENT_LINE
from quaid.formats.org_head import LINE, PROPERTY, read_drawer, read_head

DRAWER, KEYWORD = "drawer", "keyword"

HEADLINE = re.compile(r"(\*+) ")
_BLOCK = re.compile(r"[ \t]*#\+(begin|end)_(\S+)", re.IGNORECASE)
_HIDDEN_BLOCKS = frozenset(("src", "example", "export", "comment"))
_KEYWORD = re.compile(r"[ \t]*#\+\S")
_FIXED = re.compile(r"[ \t]*:(?:[ \t\r\n]|\Z)")
_TABLE = re.compile(r"[ \t]*\|")
_ITEM = re.compile(r"(?:[ \t]*(?:[-+]|\d{1,9}[.)]|[A-Za-z][.)])|[ \t]+\*)(?:[ \t]|\r?\n?\Z)", re.ASCII)
_OTHER = re.compile(r"[ \t]*(?:-{5,}[ \t]*\r?\n?\Z|(?:SCHEDULED|DEADLINE|CLOSED):[ \t])")
_STATE = re.compile(r"(?:TODO|DONE)(?:[ \t]+|\Z)")
_PRIORITY = re.compile(r"\[#[A-Za-z0-9]{1,2}\][ \t]*")
_HEADLINE_TAGS = re.compile(r"(?:^|[ \t]+):(?:[\w@#%]+:)+\Z")
_LINK = re.compile(r"\[\[([^\[\]\n]+)\](?:\[((?:[^\[\]]|\[[^\[\]\n]*\]){1,500})\])?\]")
_SCHEME = re.compile(r"(?:id|roam|file):|\*|#")
_INLINE = (
    (re.compile(r"\[fn:[^\[\]\n]*\]"), ""),
    (re.compile(r"@@[a-z]+:[^@\n]*@@"), ""),
    (re.compile(r"<<<?([^<>\n]+)>>>?"), r"\1"),
    (re.compile(r"(?<![\w*/_=~+])([*/_=~+])(?=\S)([^\n]{1,500}?)(?<=\S)\1(?![\w*/_=~+])"), r"\2"),
)


def lines(text: str) -> tuple[Line, ...]:
    """Every line with its kind, one of those of Markdown, DRAWER or KEYWORD."""
    return _lines(text)


@lru_cache(maxsize=4)
def _lines(text: str) -> tuple[Line, ...]:
    return tuple(_scan(text))


def parse(text: str) -> Document:
    """Cut a page below its head and at the last top-level headline `Timeline`."""
    end = read_head(text).end
    head, body = text[:end], text[end:]
    if "timeline" in body.lower():
        for line in reversed(lines(body)):
            if line.kind == HEADING and is_timeline(body[line.start : line.end]):
                return Document(head, body[: line.start], body[line.start : line.end], body[line.end :])
    return Document(head, body, "", "")


def is_timeline(raw: str) -> bool:
    """Whether a line is the headline of the timeline."""
    heading = _heading(raw, 0)
    return heading.level == 1 and plain(heading.text).casefold() == "timeline"


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


def ids_of(text: str) -> list[str]:
    """The ids in the property drawers of a text, in order."""
    found = []
    for line in lines(text) if ":" in text else ():
        match = PROPERTY.match(text[line.start : line.end]) if line.kind == DRAWER else None
        if match and match.group(1).lower() == "id" and match.group(3):
            found.append(match.group(3))
    return found


def keyword_of(text: str, key: str) -> str:
    """The value of a keyword that stands somewhere in a text."""
    start = re.compile(rf"[ \t]*#\+{re.escape(key)}:[ \t]*([^\r\n]*)", re.IGNORECASE)
    matches = (start.match(text, line.start) for line in lines(text) if line.kind == KEYWORD)
    return next((" ".join(match.group(1).split()) for match in matches if match), "")


def summary_of(truth: str) -> str:
    """The first quote, else the first paragraph of prose."""
    for kind in (QUOTE, TEXT):
        for paragraph in _paragraphs(truth, kind):
            summary = plain(paragraph)
            if summary:
                return _shortened(summary)
    return ""


def plain(text: str) -> str:
    """The text without inline markup."""
    text = unlinked(text)
    for pattern, replacement in _INLINE:
        text = pattern.sub(replacement, text)
    return " ".join(text.split())


def readable(text: str) -> str:
    """The text without property drawers, and with the labels of its links only."""
    kept = (text[line.start : line.end] for line in lines(text) if line.kind != DRAWER)
    return unlinked("".join(kept))


def unlinked(text: str) -> str:
    """The text with links as a reader sees them."""
    if "[[" not in text:
        return text
    return _LINK.sub(lambda match: match.group(2) or _SCHEME.sub("", match.group(1), count=1), text)


def _scan(text: str) -> Iterator[Line]:
    rows = list(LINE.finditer(text))
    ends = _block_ends([row.group() for row in rows])
    hidden_until = quoted_until = -1
    drawer_until = 0
    hidden_kind, in_item = CODE, False
    for number, row in enumerate(rows):
        raw = row.group()
        if number < hidden_until:
            yield Line(row.start(), row.end(), hidden_kind, in_item)
            continue
        kind = _kind(raw)
        if row.start() >= drawer_until and kind == TEXT and ":" in raw:
            drawer = read_drawer(text, row.start())
            drawer_until = drawer.after if drawer else drawer_until
        if row.start() < drawer_until:
            yield Line(row.start(), row.end(), DRAWER, False)
            continue
        if number in ends:
            name, end = ends[number]
            if name in _HIDDEN_BLOCKS:
                hidden_until, hidden_kind = end, COMMENT if name == "comment" else CODE
            elif name == "quote":
                quoted_until = end
        if kind not in (BLANK, ITEM) and raw[0] not in " \t":
            in_item = False
        quoted = number < quoted_until and kind == TEXT
        yield Line(row.start(), row.end(), QUOTE if quoted else kind, in_item and kind != ITEM)
        in_item = in_item or kind == ITEM


def _block_ends(rows: list[str]) -> dict[int, tuple[str, int]]:
    """Where each block that is closed ends, by the line on which it begins."""
    found: dict[int, tuple[str, int]] = {}
    following: dict[str, tuple[str, int]] = {}
    for number in range(len(rows) - 1, -1, -1):
        match = _BLOCK.match(rows[number])
        if not match:
            continue
        edge, name = match.group(1).lower(), match.group(2).lower()
        closing = following.get(name)
        if edge == "begin" and closing and closing[0] == "end":
            found[number] = (name, closing[1])
        following[name] = (edge, number)
    return found


def _kind(raw: str) -> str:
    if not raw.strip():
        return BLANK
    if HEADLINE.match(raw):
        return HEADING
    for kind, pattern in (
        (FENCE, _BLOCK),
        (KEYWORD, _KEYWORD),
        (COMMENT, COMMENT_LINE),
        (CODE, _FIXED),
        (TABLE, _TABLE),
        (OTHER, _OTHER),
        (ITEM, _ITEM),
    ):
        if pattern.match(raw):
            return kind
    return TEXT


def _heading(raw: str, number: int) -> Heading:
    stars = HEADLINE.match(raw)
    level = len(stars.group(1)) if stars else 0
    text = _STATE.sub("", raw[level:].strip(), count=1)
    text = _PRIORITY.sub("", text, count=1) if text.startswith("[#") else text
    return Heading(level, _HEADLINE_TAGS.sub("", text).strip(), number)


def _paragraphs(text: str, kind: str) -> Iterator[str]:
    """Runs of lines of one kind that are no part of a list."""
    parts: list[str] = []
    for line in lines(text):
        if line.kind == kind and not line.nested:
            parts.append(text[line.start : min(line.end, line.start + 4 * MAX_SUMMARY)].strip())
        elif parts:
            yield " ".join(parts)[: 4 * MAX_SUMMARY]
            parts = []
    if parts:
        yield " ".join(parts)[: 4 * MAX_SUMMARY]


def _shortened(text: str) -> str:
    if len(text) <= MAX_SUMMARY:
        return text
    cut = text[: MAX_SUMMARY - 1]
    space = cut.rfind(" ", MAX_SUMMARY // 2)
    return (cut[:space] if space > 0 else cut).rstrip() + "…"
