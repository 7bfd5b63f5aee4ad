"""The head of an org file: its property drawer and the `#+keyword:` lines, each with its place.

What Org does not see as a drawer is read all the same, and reported; an id counts only in a drawer that
Org sees, because links lead to it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Literal, NamedTuple

from quaid.formats.org.drawer import own_drawer, value_of
from quaid.formats.org.lines import plain_lines
from quaid.formats.patterns import Pattern
from quaid.model.page import Problem
from quaid.model.record import record

Kind = Literal["property", "keyword"]

LINE = Pattern(r"[^\n]*\n|[^\n]+")
KEYWORD = Pattern(r"[ \t]*#\+([^\s:]+):(?:[ \t]*)([^\r\n]*?)[ \t]*\r?\n?\Z")
PROPERTY = Pattern(r"[ \t]*:(\S+?)(\+?):(?:[ \t]+([^\r\n]*?))?[ \t]*\r?\n?\Z")
DRAWER = Pattern(r"[ \t]*:PROPERTIES:[ \t]*\r?\n?\Z", re.IGNORECASE)
END = Pattern(r"[ \t]*:END:[ \t]*\r?\n?\Z", re.IGNORECASE)
COMMENT = Pattern(r"[ \t]*#(?:[ \t\r\n]|\Z)")

_MISSPELT = Pattern(r"[ \t]*:?PROPERTIES:?[ \t]*\r?\n?\Z", re.IGNORECASE)
# These belong to what stands below them, so that they begin the text.
_AFFILIATED = Pattern(
    r"(?:caption|name|tblname|label|headers?|results|plot|data|attr_\w*|downloaded|include|call|toc|tblfm"
    r"|print_bibliography|begin_.*|end_.*)(?:\[.*)?\Z",
    re.IGNORECASE,
)


class Field(NamedTuple):
    """One property or keyword, with the places of its line and of its value.

    There are many: a tuple is quickly made.
    """

    kind: Kind
    key: str
    value: str
    start: int
    end: int
    value_start: int
    value_end: int
    continues: bool = False  # `:KEY+:` goes on with the value above


@record
class Head:
    """The fields of a file. The head ends at `end`; a drawer's `:END:` line begins at `drawer_end`."""

    end: int = 0
    fields: tuple[Field, ...] = ()
    problems: tuple[Problem, ...] = ()
    drawer_end: int | None = None
    last: int = 0  # where the last keyword or the drawer ends
    seen: Mapping[str, str] = MappingProxyType({})  # the properties that Org sees, by their names in capitals

    def all(self, *keys: str, kind: Kind | None = None) -> list[Field]:
        """The fields with one of these keys, in the order of the text."""
        return [field for field in self.fields if field.key in keys and kind in (None, field.kind)]

    def value(self, key: str) -> str:
        """The first value of a key; keywords come before properties. Several keywords are one text."""
        found = [field for field in self.fields if field.key == key]
        joined = " ".join(" ".join(each.value for each in found if each.kind == "keyword").split())
        return joined or next((" ".join(f.value.split()) for f in found if f.kind == "property"), "")

    def first(self, key: str) -> str:
        """The first keyword of a key that says something, as Org-roam takes a title."""
        return next((" ".join(f.value.split()) for f in self.all(key, kind="keyword") if f.value.strip()), "")

    def values(self) -> dict[str, str | list[str]]:
        """Everything by its key; what is given several times is a list."""
        found: dict[str, list[str]] = {}
        for field in self.fields:
            known = found.setdefault(field.key, [])
            if field.continues and known:
                known[-1] = f"{known[-1]} {field.value}".strip()
            else:
                known.append(field.value)
        return {key: known[0] if len(known) == 1 else known for key, known in found.items()}


class Drawer(NamedTuple):
    """A property drawer: where its lines end, its properties, its `:END:` line, and what is wrong with it."""

    after: int
    fields: list[Field]
    end_line: int | None
    fault: str


# Who has these properties is a node of a knowledge base, where a value may have a comment.
_NODE = frozenset(("projects", "status", "visibility"))


def _without_comment(field: Field) -> Field:
    value = value_of(field.key.upper(), field.value)
    return field._replace(value=value, value_end=field.value_start + len(value))


@lru_cache(maxsize=8)
def read_head(text: str) -> Head:
    """The head of a text. Cached, because edits ask several times."""
    place, last, number = 0, 0, 1
    fields: list[Field] = []
    problems: list[Problem] = []
    drawer_end: int | None = None
    seen_drawer = False
    while line := LINE.match(text, place):
        raw, start = line.group(), place
        drawer = _drawer(text, place)
        keyword = None if drawer else keyword_field(raw, place)
        if drawer:
            misplaced = "the property drawer is not on top, where Org looks for it" if fields else ""
            fault = drawer.fault or ("there are two property drawers on top" if seen_drawer else misplaced)
            if fault:
                problems.append(Problem("properties", fault, number))
            fields += drawer.fields
            drawer_end = drawer_end if seen_drawer else drawer.end_line
            seen_drawer = True
            place = last = drawer.after
        elif keyword:
            fields.append(keyword)
            place = last = line.end()
        elif raw.strip() and not COMMENT.match(raw):
            break
        else:
            place = line.end()
        number += text.count("\n", start, place)
    if not last:
        return Head()
    end = last
    while (line := LINE.match(text, end)) and not line.group().strip():
        end = line.end()
    seen = own_drawer(plain_lines(text))[1]
    if not seen and not problems and any(field.kind == "property" for field in fields):
        problems.append(Problem("properties", "Org does not see the property drawer: a blank line or a tab"))
    if {field.key for field in fields} >= _NODE:
        fields = [
            _without_comment(field) if field.kind == "property" and ";" in field.value else field
            for field in fields
        ]
    return Head(end, tuple(fields), tuple(problems), drawer_end, last, seen)


def keyword_field(raw: str, place: int) -> Field | None:
    """A `#+keyword:` line that says something about the whole file."""
    match = KEYWORD.match(raw)
    if not match or _AFFILIATED.match(match.group(1)):
        return None
    span = (place, place + len(raw), place + match.start(2), place + match.end(2))
    return Field("keyword", match.group(1).lower(), match.group(2), *span)


def _drawer(text: str, place: int) -> Drawer | None:
    opening = LINE.match(text, place)
    if opening is None or not _MISSPELT.match(opening.group()):
        return None
    well_spelt = bool(DRAWER.match(opening.group()))
    fields: list[Field] = []
    place = opening.end()
    while line := LINE.match(text, place):
        raw = line.group()
        match = PROPERTY.match(raw)
        if not match or DRAWER.match(raw):
            break
        if END.match(raw):
            if not well_spelt and not fields:
                return None
            fault = "" if well_spelt else "the property drawer does not begin with a line `:PROPERTIES:`"
            return Drawer(line.end(), fields, place, fault)
        fields.append(_property(raw, place, match))
        place = line.end()
    if not well_spelt and not fields:
        return None
    return Drawer(place, fields, None, "the property drawer has no line `:END:`")


def _property(raw: str, place: int, match: re.Match[str]) -> Field:
    value = match.group(3) or ""
    colon = match.end(2) + 1
    start, end = (match.start(3), match.end(3)) if value else (colon, colon)
    span = (place, place + len(raw), place + start, place + end)
    return Field("property", match.group(1).lower(), value, *span, bool(match.group(2)))
