"""A Markdown page cut into its verbatim parts, and its title, summary and headings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from quaid.formats.document import (
    BLANK,
    CODE,
    COMMENT,
    FENCE,
    HEADING,
    HTML,
    ITEM,
    MAX_SUMMARY,
    OTHER,
    QUOTE,
    RULE,
    TABLE,
    TEXT,
    Document,
    Heading,
    Line,
    is_card,
    shortened,
)
from quaid.formats.markdown import frontmatter

_INDENT = re.compile(r"[ \t]*")
_FENCE = re.compile(r"(`{3,})[^`\n]*$|(~{3,})", re.MULTILINE)
_HEADING = re.compile(r"#{1,6}(?=[ \t\r\n]|\Z)")
_ITEM = re.compile(r"([-*+]|\d{1,9}[.)])([ \t]+|(?=[\r\n]|\Z))", re.ASCII)
_ITEM_START = frozenset("-*+0123456789")
_RULE = re.compile(r"-{3,}[ \t]*\r?\n?\Z")
_RULE_LINE = re.compile(r"^[ \t]*-{3,}[ \t]*\r?$", re.MULTILINE)
_UNDERLINE = re.compile(r"(?:-+|=+)[ \t]*\r?\n?\Z")
_BREAK = re.compile(r"(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})\r?\n?\Z")
_DEFINITION = re.compile(r"\[[^\[\]^\n][^\[\]\n]*\]:[ \t]")
_HTML = re.compile(
    r"</?(?:address|article|aside|blockquote|body|center|details|dialog|div|dl|fieldset|figure|footer|form|h[1-6]"
    r"|header|hr|html|iframe|li|link|main|nav|ol|p|pre|script|section|style|summary|table|tbody|td|th|thead|tr|ul)"
    r"(?=[\s/>])",
    re.IGNORECASE,
)

_CALLOUT = re.compile(r"\[![\w -]{1,40}\][+-]?[ \t]*")
_QUOTE_MARK = re.compile(r"[ \t]*(?:>[ \t]?)+")
_IMAGE = re.compile(r"!\[[^\[\]]*\]\([^()\n]*\)")
# What each inline mark cannot do without, what it looks like, and what is left of it.
_INLINE = (
    ("%%", re.compile(r"%%(?:(?!%%).)*%%", re.DOTALL), ""),
    ("<!--", re.compile(r"<!--(?:(?!<!--).)*?-->", re.DOTALL), ""),
    ("![[", re.compile(r"!\[\[[^\[\]\n]*\]\]"), ""),
    ("[[", re.compile(r"\[\[[^\[\]|\n]*\|([^\[\]\n]*)\]\]"), r"\1"),
    ("[[", re.compile(r"\[\[([^\[\]\n]*)\]\]"), r"\1"),
    ("![", re.compile(r"!\[([^\[\]]*)\]\([^()\n]*\)"), r"\1"),
    ("](", re.compile(r"\[([^\[\]]*)\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)?\)"), r"\1"),
    ("][", re.compile(r"\[([^\[\]]*)\]\[[^\[\]]*\]"), r"\1"),
    ("[^", re.compile(r"\[\^[^\[\]\s]*\]"), ""),
    ("<", re.compile(r"<((?:https?|mailto):[^<>\s]*)>"), r"\1"),
    ("<", re.compile(r"</?[A-Za-z][^<>]*>"), ""),
    ("", re.compile(r"(?<![\\\s])[*~=`]{2,}|(?<!\\)[*~=`]{2,}(?=[^\s*~=`])"), ""),
    ("", re.compile(r"(?<![\\\s])[*`]|(?<!\\)[*`](?=\S)"), ""),
    ("_", re.compile(r"(?<![\\\w])_+(?=[^\W_])|(?<=[^\W_])_+(?!\w)"), ""),
    ("\\", re.compile(r"\\([!-/:-@\[-`{-~])"), r"\1"),
)
# Of these, what a reader of the page does not see: where links lead, pictures, comments.
_UNSEEN = (("![", _IMAGE, ""), *(each for each in _INLINE if each[0] in ("%%", "<!--", "![[", "[[", "](")))
_TAG = re.compile(r"(?<!\S)#[\w/-]+")
_WORD = re.compile(r"\w")
# Links, the last of which may be cut, and the elements around them.
_BETWEEN = re.compile(
    r"\[\[[^\[\]\n]*\]\]|\[[^\[\]]*\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)?(?:\)|\Z)|</?[A-Za-z][^<>]*>"
)
_MARK = re.compile(r"[%<\[*~=`_\\]")  # one of these is in all of them


MOST_PARAGRAPHS = 20  # among which the one is that sums a page up
_KEPT = 4  # texts whose lines are known
_known_lines: dict[str, tuple[Line, ...]] = {}


def lines(text: str) -> tuple[Line, ...]:
    """Every line with its kind. Cached, because title, summary, headings and links of a page all ask."""
    found = _known_lines.get(text)
    return _kept_lines(text, scan(text)) if found is None else found


def _kept_lines(text: str, scanned: Iterable[Line]) -> tuple[Line, ...]:
    found = tuple(scanned)
    for oldest in list(_known_lines)[: 1 - _KEPT]:
        _known_lines.pop(oldest, None)  # another thread may have been first
    _known_lines[text] = found
    return found


def scan(text: str, last: str = "") -> list[Line]:
    """Every line with its kind, after CommonMark as far as a page needs it; up to the first of one kind."""
    scanner = _Scanner()
    found: list[Line] = []
    start, size = 0, len(text)
    while start < size:
        end = text.find("\n", start) + 1 or size
        kind = scanner.kind(text[start:end])
        found.append(Line(start, end, kind, scanner.nested))
        if kind == last:
            break
        start = end
    return found


def parse(text: str) -> Document:
    """Cut a page at the first horizontal rule below its frontmatter."""
    head, body = frontmatter.split(text)
    dashes = body.find("---")
    if dashes < 0 or not _RULE_LINE.search(body, body.rfind("\n", 0, dashes) + 1):
        return Document(head, body, "", "")
    *before, line = scan(body, RULE)
    if line.kind == RULE:
        truth = body[: line.start]
        _kept_lines(truth, before)
        return Document(head, truth, body[line.start : line.end], body[line.end :])
    _kept_lines(body, [*before, line])
    return Document(head, body, "", "")


@lru_cache(maxsize=4)
def headings(text: str) -> tuple[Heading, ...]:
    """The ATX headings outside code. Cached, because title, room, chunks and items of a page all ask."""
    if "#" not in text:
        return ()
    return tuple(
        _heading(text[line.start : line.end], number)
        for number, line in enumerate(lines(text), start=1)
        if line.kind == HEADING
    )


def title_of(truth: str) -> str:
    """The text of the first heading of level 1."""
    return next((heading.plain for heading in headings(truth) if heading.level == 1), "")


def summary_of(truth: str) -> str:
    """The first block quote, else the first paragraph of prose, else a card of names and values."""
    scanned = lines(truth)
    card = ""
    for kind in (QUOTE, TEXT):
        for parts in _paragraphs(truth, scanned, kind):
            paragraph = " ".join(parts)
            summary = shortened(plain(_IMAGE.sub("", paragraph)))
            # Hugo's frontmatter is TOML between plus signs, which no part of Markdown explains.
            if not summary or summary.startswith("+++") or _says_nothing(paragraph):
                continue
            if not is_card(parts):
                return summary
            card = card or summary
    return card


def _says_nothing(paragraph: str) -> bool:
    """Whether a paragraph is nothing but tags, or a row of links with signs between them."""
    if "#" in paragraph and not _TAG.sub("", paragraph).strip():
        return True
    if paragraph.count("](") + paragraph.count("[[") < 2:
        return False
    return not _WORD.search(_BETWEEN.sub("", paragraph))


def plain(text: str) -> str:
    """The text without inline markup."""
    if _MARK.search(text):
        for needed, pattern, replacement in _INLINE:
            if needed in text:
                text = pattern.sub(replacement, text)
    return " ".join(text.split())


def readable(text: str) -> str:
    """The text without where links lead, pictures and comments: there may be nothing left of it."""
    if "[" in text or "%%" in text or "<!--" in text:  # else none of them is there
        for needed, pattern, replacement in _UNSEEN:
            if needed in text:
                text = pattern.sub(replacement, text)
    return text.strip()


class _Scanner:
    """What is open while lines go by: a fence, a comment, a list item, a paragraph, a table."""

    def __init__(self) -> None:
        self.nested = False
        self._fence = ""
        self._fence_floor = 0
        self._fence_quoted = False
        self._until = ""
        self._item = 0
        self._quoted = False
        self._paragraph = False
        self._table = False

    def kind(self, raw: str) -> str:
        if raw[0].isalpha() and not self._fence and not self._until:
            return self._words(raw)
        blank = raw.isspace()
        if self._fence and self._stays_in_fence(raw, blank):
            return self._in_fence(raw)
        if self._until == "-->":
            self._until = "" if "-->" in raw else self._until
            return COMMENT
        if blank:
            self._paragraph = self._table = False
            self._until = ""
            return BLANK
        if self._until:
            return HTML
        return self._open_line(raw)

    def _words(self, raw: str) -> str:
        """A line that begins with a letter, as most do: `_open_line` finds nothing else in it than prose."""
        if not self._paragraph:
            self._item, self._quoted = 0, False
        self.nested = self._item > 0 or self._quoted
        return self._prose(raw)

    def _stays_in_fence(self, raw: str, blank: bool) -> bool:
        """A fence inside a list item or a quote ends with it."""
        if self._fence_quoted:
            inside = raw.lstrip().startswith(">")
        else:
            inside = blank or _indent(raw) >= self._fence_floor
        if not inside:
            self._fence = ""
        return inside

    def _in_fence(self, raw: str) -> str:
        content = _QUOTE_MARK.sub("", raw, count=1) if self._fence_quoted else raw
        content = content.strip()
        if len(content) >= len(self._fence) and not content.strip(self._fence[0]):
            self._fence = ""
            return FENCE
        return CODE

    def _open_line(self, raw: str) -> str:
        content, indent = raw.lstrip(" \t"), _indent(raw)
        inside = 0 < self._item <= indent
        if not self._paragraph:
            self._item = self._item if inside else 0
            self._quoted = False
        self.nested = self._item > 0 or self._quoted
        marker = _ITEM.match(content) if content[0] in _ITEM_START else None
        if indent - (self._item if inside else 0) >= 4 and not (marker and self._item):
            return TEXT if self._paragraph else CODE
        kind = self._special(content, indent, inside)
        if kind:
            self._paragraph = self._table = False
            self._item = self._item if inside else 0
            return kind
        if content.startswith(">"):
            return self._quote(content)
        if marker and not self._is_prose(marker, content):
            return self._list_item(marker, content, indent)
        return self._prose(content)

    def _special(self, content: str, indent: int, inside: bool) -> str:
        """The kind of a line that ends whatever paragraph is open."""
        first = content[0]
        if first in "`~" and self._opens_fence(content):
            self._fence_floor, self._fence_quoted = self._item if inside else 0, False
            return FENCE
        if first == "#" and _HEADING.match(content):
            return HEADING
        if first == "<":
            return self._markup(content)
        if first in "-=" and _UNDERLINE.match(content) and self._paragraph and (inside or not self.nested):
            return OTHER
        if first == "-" and _RULE.match(content):
            return OTHER if inside else RULE
        return OTHER if first in "*_-" and _BREAK.match(content) else ""

    def _opens_fence(self, content: str) -> bool:
        match = _FENCE.match(content)
        if match:
            self._fence = match.group(1) or match.group(2)
        return match is not None

    def _markup(self, content: str) -> str:
        if content.startswith("<!--"):
            self._until = "" if "-->" in content else "-->"
            return COMMENT
        if _HTML.match(content):
            self._until = "blank"
            return HTML
        return ""

    def _quote(self, content: str) -> str:
        if self._opens_fence(_QUOTE_MARK.sub("", content, count=1)):
            self._fence_quoted = True
            return FENCE
        # What follows without a blank line belongs to the quote, so it can be no heading's text.
        self.nested = self._item > 0
        self._paragraph, self._quoted, self._table = True, True, False
        return QUOTE

    def _is_prose(self, marker: re.Match[str], content: str) -> bool:
        """Within a paragraph, a number such as a year at the start of a line begins no list."""
        if not self._paragraph or self.nested:
            return False
        return marker.end() == len(content.rstrip()) or marker.group(1)[:-1] not in ("", "1")

    def _list_item(self, marker: re.Match[str], content: str, indent: int) -> str:
        space = len(marker.group(2))
        self._item = indent + len(marker.group(1)) + (space if 1 <= space <= 4 else 1)
        rest = content[marker.end() :]
        self._paragraph, self._table, self.nested = bool(rest.strip()), False, True
        if self._opens_fence(rest):
            self._fence_floor, self._fence_quoted, self._paragraph = self._item, False, False
        return ITEM

    def _prose(self, content: str) -> str:
        first = content[0]
        delimiter = self._paragraph and first in "|-:" and _is_delimiter(content)
        if self._table or first == "|" or delimiter:
            self._table, self._paragraph = True, False
            return TABLE
        if first == "[" and not self._paragraph and _DEFINITION.match(content):
            return OTHER
        self._paragraph = True
        return TEXT


def _is_delimiter(content: str) -> bool:
    """Whether a line parts the head of a table from its rows."""
    return "|" in content and "-" in content and not content.strip("|-: \t\r\n")


def _indent(raw: str) -> int:
    if raw[0] not in " \t":
        return 0
    match = _INDENT.match(raw)
    space = match.group() if match else ""
    return len(space.expandtabs(4)) if "\t" in space else len(space)


def _heading(raw: str, number: int) -> Heading:
    stripped = raw.strip()
    text = stripped.lstrip("#")
    level = len(stripped) - len(text)
    text = text.strip()
    closed = text.rstrip("#")
    if closed != text and (not closed or closed[-1] in " \t"):
        text = closed.rstrip()
    return Heading(level, text, plain(text), number)


def _paragraphs(text: str, scanned: Sequence[Line], kind: str) -> list[list[str]]:
    """Runs of lines of one kind; lines that continue a list item or a quote are no prose of their own."""
    found: list[list[str]] = []
    parts: list[str] = []
    size = 0
    for line in [*scanned, None]:
        if line and line.kind == kind and not line.nested:
            part = text[line.start : min(line.end, line.start + 4 * MAX_SUMMARY)].strip()
            part = _unquoted(part) if kind == QUOTE else part
            if part and size < 4 * MAX_SUMMARY:
                parts.append(part)
                size += len(part)
            if part:
                continue
        if parts:
            found.append(parts)
            parts, size = [], 0
            if len(found) == MOST_PARAGRAPHS:
                break
    return found


def _unquoted(part: str) -> str:
    return _CALLOUT.sub("", _QUOTE_MARK.sub("", part, count=1), count=1).strip()
