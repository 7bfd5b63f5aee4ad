"""Links in an org text, those that org-roam finds: in prose, headlines, tables, footnotes and fields."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache

from quaid.formats.org import objects
from quaid.formats.org.areas import VALUE, Area
from quaid.formats.org.elements import elements
from quaid.formats.org.lines import plain_lines
from quaid.formats.org.objects import ADDRESS, ANGLE, PLAIN, TYPES, WORD, LinkSpan
from quaid.formats.patterns import Pattern
from quaid.model.record import record

# Properties and keywords whose links are none: what a node is about, and what is shown in it.
_SILENT = frozenset((":roam_refs", "transclude"))

_START = Pattern(r"\[\[|:(?=\S)")  # of a link in brackets; behind the type of any other
_TYPE_BEFORE = Pattern(rf"{WORD}(?:{TYPES})\Z", re.IGNORECASE)
_TYPE = rf"({TYPES}):"
_LABEL = r"(?:^|[\s(*_/\-])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)[*_/]?::[ \t]*\Z"
_KNOWN_LABEL = (
    r"(?:^|[\s(*_/\-])(SUPERSEDES|CONTRADICTS|RELATES_TO|IMPLEMENTS|DERIVED_FROM)[*_/]?:{0,2}[ \t]*\Z"
)
_LISTED = (
    r"[ \t]*[-+*][ \t]+(?:[*_/]?((?i:supersedes|contradicts|relates[_ ]to|implements|derived[_ ]from))[*_/]?"
    r"|([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[A-Z]{3,}))[ \t]+::[ \t]*"
    r"(?:\[\[[^\[\]\n]+\](?:\[[^\[\]\n]*\])?\][ \t]*,?[ \t]*(?:and[ \t]+)?)*\Z"
)


@record
class OrgLink:
    """A link as it stands in a text. `address` is what it leads to, from `address_start` on.

    `type` is Org's: `id`, `file`, `roam`, `https`; `fuzzy` for the name of a headline or page. `field` names
    the property (`:key`) or keyword in which it stands.
    """

    type: str
    address: str
    description: str
    start: int
    end: int
    address_start: int
    field: str = ""
    bare: bool = False


@lru_cache(maxsize=8)
def org_links(text: str) -> tuple[OrgLink, ...]:
    """All links of a text, whatever they lead to, in its order."""
    if "[[" not in text and ":" not in text:
        return ()
    return tuple(_links(text))


def label_of(text: str, start: int) -> str:
    """The label before a link at a place, in capitals, else nothing.

    `LABEL:: [[…]]` and `- LABEL :: [[…]], [[…]]` have any label in capitals; those of a knowledge base
    need no colons.
    """
    before = text[max(text.rfind("\n", 0, start) + 1, start - 500) : start]
    if not before or before.isspace():
        return ""
    near = before[-80:]
    match = re.search(_KNOWN_LABEL, near) or re.search(_LABEL, near)
    if match:
        return match.group(1)
    listed = re.match(_LISTED, before) if "::" in before else None
    return (listed.group(1) or listed.group(2)).upper().replace(" ", "_") if listed else ""


def _links(given: str) -> Iterator[OrgLink]:
    """Each link that Org's search would come upon, if Org takes it for one at that place."""
    text = plain_lines(given)
    spans: dict[Area, list[LinkSpan]] = {}
    hiding: dict[Area, bool] = {}  # looked for once in each: a long paragraph may have thousands of links
    for start, end in _candidates(text, 0, len(text)):
        area = elements(given).area_at(end - 1)
        if area is None:
            continue
        if area.kind == VALUE:
            if area.key not in _SILENT:
                yield from _in_field(text, area, start, end)
            continue
        if area not in hiding:
            hiding[area] = objects.may_hide(text, area)
        if start >= area.start and not hiding[area]:
            yield _link(text, start, end)
            continue
        if area not in spans:
            spans[area] = objects.links_in(text, area)
        index = bisect_right(spans[area], end - 1, key=lambda span: span.start) - 1
        if index >= 0 and end - 1 <= spans[area][index].end:
            yield _link(text, *spans[area][index])


def _in_field(text: str, area: Area, start: int, end: int) -> Iterator[OrgLink]:
    """The link in a field that a search came upon, which may have begun above it."""
    spans = [LinkSpan(start, end)] if start >= area.start else _candidates(text, area.start, area.end)
    for span in spans:
        if span.start < end <= span.end:
            yield _link(text, *span, area.key)
            return


def _candidates(text: str, place: int, end: int) -> Iterator[LinkSpan]:
    """What looks like a link; a search goes on where one ends."""
    lexer = objects.Lexer(text, place, end)
    begin = place
    while match := _START.search(text, place, end):
        place = match.end()
        if match.group() == "[[":
            span = lexer.link_at(match.start())
            place = match.start() + 1
        else:
            named = _TYPE_BEFORE.search(text, max(begin, match.start() - 10), match.start())
            span = lexer.plain_at(named.start()) if named else None
        if span:
            yield span
            begin = place = max(span.end - 1, place)


def _link(text: str, start: int, end: int, field: str = "") -> OrgLink:
    bare = not text.startswith("[[", start)
    description = ""
    if bare:
        match = re.match(ANGLE if text[start] == "<" else PLAIN, text[start:end], re.IGNORECASE)
        kind, address = (match.group(1), match.group(2)) if match else ("", "")
        place = start + (match.start(2) if match else 0)
    else:
        bracket = re.match(ADDRESS, text[start:end])
        written = bracket.group(1) if bracket else ""
        close = start + (bracket.end() if bracket else 0)
        description = text[close + 1 : end - 2] if text.startswith("[", close) else ""
        kind, skipped = _type_of(written)
        address, place = written[skipped:], start + 2 + skipped
    return OrgLink(
        type=kind,
        address=address,
        description=description,
        start=start,
        end=end,
        address_start=place,
        field=field,
        bare=bare,
    )


def _type_of(written: str) -> tuple[str, int]:
    """The type of an address, and how many characters name it."""
    if written.startswith(("/", "~", "./", "../")):
        return "file", 0
    match = re.match(_TYPE, written, re.IGNORECASE)
    if match:
        return match.group(1), match.end()
    if written.startswith("#"):
        return "custom-id", 0
    return ("coderef", 0) if written.startswith("(") and written.endswith(")") else ("fuzzy", 0)
