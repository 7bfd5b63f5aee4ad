"""One part that both sides have changed: field by field, cell by cell, else by lines and words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from quaid.formats.document import HEADING, ITEM, TABLE
from quaid.formats.meld.clash import Ledger, chosen
from quaid.formats.meld.fields import field_settled, line_settled, united_set
from quaid.formats.meld.lines import blended
from quaid.formats.meld.parts import (
    DRAWER,
    FIELD,
    HEADLINE_TAGS,
    ITEM_LINE,
    KEYWORD,
    PROPERTY,
    ROW,
    Part,
)
from quaid.formats.meld.weave import Weave, label

_PROPERTY_LINE = re.compile(r"[ \t]*:(\S+?)(\+?):")
_DELIMITER = re.compile(r"[ \t]*\|?[-+:| \t]+\|?[ \t]*$")


class Settler:
    """Merges the parts that both sides have changed, and notes what clashes."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._ways: dict[str, Callable[[Part | None, Part, Part, str], str]] = {
            ITEM: self._item,
            TABLE: self._table,
            ROW: self._cells,
            HEADING: self._heading,
            DRAWER: self._drawer,
            FIELD: self._field,
            KEYWORD: self._field,
            PROPERTY: self._field,
        }

    def __call__(self, base: Part | None, newer: Part, older: Part, section: str) -> str:
        return self._ways.get(newer.kind, self._text)(base, newer, older, section)

    def _text(self, base: Part | None, newer: Part, older: Part, section: str) -> str:
        if base is not None:
            both = blended(base.own, newer.own, older.own)
            if both is not None:
                return both
        elif newer.own.split() == older.own.split():
            return newer.own
        return self._newer(base, newer, older, section)

    def _newer(self, base: Part | None, newer: Part, older: Part, section: str) -> str:
        self._ledger.note(label(newer, section), base.own if base else "", newer.own, older.own)
        return newer.own

    def _note(self, about: tuple[str, str], base: str, newer: str, older: str) -> None:
        if newer and older:
            self._ledger.note(about, base, newer, older)
        else:
            self._ledger.note_deleted(about, base, newer or older, by_newer=not newer)

    def _field(self, base: Part | None, newer: Part, older: Part, section: str) -> str:
        texts = (base.own if base else None, newer.own, older.own)
        text, clashes = field_settled(*texts) if newer.kind == FIELD else line_settled(newer.kind, *texts)
        if clashes:
            self._ledger.note(label(newer, section), base.own if base else "", text, older.own)
        return text

    def _item(self, base: Part | None, newer: Part, older: Part, section: str) -> str:
        """Bullet, box and text are changed one without the other."""
        start, new, old = (_item_pieces(each.own if each else "") for each in (base, newer, older))
        known = [start[n] if base else None for n in range(3)]
        mark = chosen(known[0], new[0], old[0])
        box = chosen(known[1], new[1], old[1])
        words = chosen(known[2], new[2], old[2])
        clash = box is None or (words is None and known[2] is None)
        if words is None and known[2] is not None:
            words = blended(known[2], new[2], old[2])
            clash = clash or words is None
        text = f"{new[0] if mark is None else mark}{new[1] if box is None else box}"
        text += new[2] if words is None else words
        if clash:
            self._ledger.note(label(newer, section), base.own if base else "", text, older.own)
        return text

    def _heading(self, base: Part | None, newer: Part, older: Part, section: str) -> str:
        """A headline, and in org the lines of planning and the drawer below it."""
        start, new, old = (_headline_pieces(each.own if each else "") for each in (base, newer, older))
        result: list[str] = []
        for place in range(4):
            before = start[place] if base else None
            text = chosen(before, new[place], old[place])
            if text is None and place == 1:
                text = _tags_united(before or "", new[1], old[1])
            elif text is None and place == 3 and new[3] and old[3]:
                was, mine, other = (Part(DRAWER, "", each) for each in (before or "", new[3], old[3]))
                text = self._drawer(was, mine, other, section)
            elif text is None:
                text = blended(before, new[place], old[place]) if before else None
                if text is None:
                    text = new[place] or old[place]
                    self._note(label(newer, section), before or "", new[place], old[place])
            result.append(text)
        return "".join(result)

    def _drawer(self, base: Part | None, newer: Part, older: Part, section: str) -> str:
        cuts = [_drawer_lines(each.own if each else "") for each in (base, newer, older)]
        if any(each is None for each in cuts[1:]):
            return self._text(base, newer, older, section)
        rows = [each or ("", [], "") for each in cuts]
        inner = Weave(rows[0][1], rows[1][1], rows[2][1], self, self._ledger).text()
        return rows[1][0] + inner + rows[1][2]

    def _table(self, base: Part | None, newer: Part, older: Part, section: str) -> str:
        was, new, old = (_table_rows(each.own if each else "") for each in (base, newer, older))
        return Weave(was, new, old, self, self._ledger).text()

    def _cells(self, base: Part | None, newer: Part, older: Part, section: str) -> str:
        cuts = [each.own.split("|") if each else None for each in (base, newer, older)]
        start, new, old = cuts
        if new is None or old is None or len(new) != len(old) or (start and len(start) != len(new)):
            return self._newer(base, newer, older, section)
        result: list[str] = []
        clash = False
        for place, cell in enumerate(new):
            text = _chosen_cell(start[place] if start else None, cell, old[place])
            clash = clash or text is None
            result.append(cell if text is None else text)
        row = "|".join(result)
        if clash:
            self._ledger.note(label(newer, section), base.own if base else "", row, older.own)
        return row


def _chosen_cell(base: str | None, newer: str, older: str) -> str | None:
    """The same as `chosen` for a cell, whose padding says nothing."""
    said = [each.strip() if each is not None else None for each in (base, newer, older)]
    if said[1] == said[2] or said[2] == said[0]:
        return newer
    if said[1] == said[0] or _DELIMITER.match(older):
        return older if said[1] == said[0] else newer
    return None


def _item_pieces(own: str) -> tuple[str, str, str]:
    found = ITEM_LINE.match(own)
    if not found:
        return "", "", own
    return found[1], found[2] or "", own[found.end() :]


def _headline_pieces(own: str) -> tuple[str, str, str, str]:
    """The headline, its tags with the line's end, lines of planning, the drawer."""
    line, newline, rest = own.partition("\n")
    tags = HEADLINE_TAGS.search(line) if line.startswith("*") else None
    cut = tags.start() if tags else len(line)
    drawer = re.search(r"^[ \t]*:PROPERTIES:[ \t]*$", rest, re.MULTILINE | re.IGNORECASE)
    at = drawer.start() if drawer else len(rest)
    return line[:cut], line[cut:] + newline, rest[:at], rest[at:]


def _tags_united(base: str, newer: str, older: str) -> str:
    """The tags behind a headline: those of both sides, without those that either took away."""
    was, new, old = (re.findall(r"[\w@#%]+", each) for each in (base, newer, older))
    kept = united_set(was, new, old)
    gap = newer[: len(newer) - len(newer.lstrip(" \t"))] or " "
    return f"{gap}:{':'.join(kept)}:\n" if kept else "\n"


def _drawer_lines(own: str) -> tuple[str, list[Part], str] | None:
    """The first line of a drawer, its properties, and its last line."""
    lines = own.splitlines(keepends=True)
    if len(lines) < 2:
        return None
    inner: list[Part] = []
    for line in lines[1:-1]:
        found = _PROPERTY_LINE.match(line)
        if not found:
            return None
        inner.append(Part(PROPERTY, found[1].upper() + found[2], line))
    return lines[0], inner, lines[-1]


def _table_rows(own: str) -> Sequence[Part]:
    rows: list[Part] = []
    for line in own.splitlines(keepends=True):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        is_rule = bool(_DELIMITER.match(line.rstrip("\r\n"))) and "-" in line
        rows.append(Part(ROW, "-" if is_rule else cells[0] or " ".join(line.split()), line))
    return rows
