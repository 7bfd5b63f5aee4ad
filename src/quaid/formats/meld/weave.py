"""The parts of two sides in one row: what lives, in which order, and with which blank lines between.

What one side took away stays away, unless the other has changed it or written something under it. What is
new stands where its side put it: after the same part. The order is that of the side which moved something.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from quaid.formats.document import HEADING, ITEM
from quaid.formats.meld.clash import Ledger, chosen
from quaid.formats.meld.pairs import triples
from quaid.formats.meld.parts import (
    DRAWER,
    FIELD,
    KEYWORD,
    PROPERTY,
    ROW,
    START,
    Part,
    parents_of,
    sections_of,
)

Settle = Callable[[Part | None, Part, Part, str], str]  # base, newer, older, section → the own lines of both
Name = Literal["base", "newer", "older"]
_SIDES: tuple[Name, ...] = ("newer", "older")
_DENSE = frozenset((FIELD, ROW, PROPERTY, KEYWORD, DRAWER))
_END = -1
_KINDS = {HEADING: "section", FIELD: "field", KEYWORD: "field", PROPERTY: "field", ROW: "row", ITEM: "item"}


class Row(NamedTuple):
    """The parts of one of the texts."""

    parts: Sequence[Part]
    ids: list[int]  # of each part, the number of its triple
    parents: list[int | None]
    sections: list[int | None]


def label(part: Part, section: str) -> tuple[str, str]:
    """The kind and the name of what a clash is about."""
    kind = _KINDS.get(part.kind, "text")
    return kind, section if kind == "text" else title_of(part) if kind == "section" else part.key


def title_of(part: Part) -> str:
    """A heading as a reader sees it, without its marks."""
    return part.own.partition("\n")[0].strip("#*- \t\r")


class Weave:
    """The text that both sides have made of the base."""

    def __init__(
        self,
        base: Sequence[Part],
        newer: Sequence[Part],
        older: Sequence[Part],
        settle: Settle,
        ledger: Ledger,
    ) -> None:
        self._triples = triples(base, newer, older)
        self._rows: dict[Name, Row] = {
            "base": self._row("base", base),
            "newer": self._row("newer", newer),
            "older": self._row("older", older),
        }
        self._settle, self._ledger = settle, ledger

    def _row(self, name: Name, parts: Sequence[Part]) -> Row:
        ids = [0] * len(parts)
        for number, triple in enumerate(self._triples):
            place: int | None = getattr(triple, name)
            if place is not None:
                ids[place] = number
        return Row(parts, ids, parents_of(parts), sections_of(parts))

    def text(self) -> str:
        """What is woven."""
        alive, lonely = self._living()
        revived = self._revivals(lonely, alive)
        order = self._without_idle(self._order(alive | set(revived)), revived, lonely)
        for number, name in (lonely | revived).items():
            self._note_deleted(number, name)
        texts = {number: self._own(number) for number in sorted(order)}
        gaps = self._gaps(order)
        return "".join(texts[number] + gap for number, gap in zip(order, gaps, strict=True))

    def _part(self, number: int, name: Name) -> Part | None:
        place: int | None = getattr(self._triples[number], name)
        return None if place is None else self._rows[name].parts[place]

    def _any(self, number: int) -> Part:
        return self._part(number, "newer") or self._part(number, "older") or self._rows["base"].parts[number]

    # What lives ----------------------------------------------------------------------------------------

    def _living(self) -> tuple[set[int], dict[int, Name]]:
        """The parts that stay, and those of them that only one side has."""
        alive: set[int] = set()
        lonely: dict[int, Name] = {}
        for number, triple in enumerate(self._triples):
            present: list[Name] = [name for name in _SIDES if getattr(triple, name) is not None]
            if len(present) == 2:
                alive.add(number)
            elif present:
                base, part = self._part(number, "base"), self._part(number, present[0])
                if base is None or part is None or base.own != part.own:
                    alive.add(number)
                    lonely[number] = present[0]
        return alive, lonely

    def _revivals(self, lonely: dict[int, Name], alive: set[int]) -> dict[int, Name]:
        """What the other side took away, and under which something was written."""
        found: dict[int, Name] = {}
        for number, name in lonely.items():
            row = self._rows[name]
            parent = row.parents[getattr(self._triples[number], name)]
            while parent is not None:
                if row.ids[parent] not in alive:
                    found[row.ids[parent]] = name
                parent = row.parents[parent]
        return found

    def _without_idle(self, order: list[int], revived: dict[int, Name], lonely: dict[int, Name]) -> list[int]:
        """The order without what was revived for something that has gone elsewhere with its neighbours."""
        if not revived:
            return order
        parents = parents_of([self._any(number) for number in order])
        needed: set[int] = set()
        for place, number in enumerate(order):
            above = parents[place] if number in lonely else None
            while above is not None:
                needed.add(order[above])
                above = parents[above]
        for number in [number for number in revived if number not in needed]:
            del revived[number]
            order.remove(number)
        return order

    def _note_deleted(self, number: int, name: Name) -> None:
        base, part = self._part(number, "base"), self._part(number, name)
        if base is not None and part is not None:
            about = label(part, self._section(number, name))
            self._ledger.note_deleted(about, base.own, part.own, by_newer=name == "older")

    def _section(self, number: int, name: Name) -> str:
        place: int | None = getattr(self._triples[number], name)
        above = self._rows[name].sections[place] if place is not None else None
        return title_of(self._rows[name].parts[above]) if above is not None else ""

    def _own(self, number: int) -> str:
        base, newer, older = (self._part(number, name) for name in ("base", "newer", "older"))
        if newer is None or older is None:
            one = newer or older or base
            return one.own if one else ""
        own = chosen(base.own if base else None, newer.own, older.own)
        return self._settle(base, newer, older, self._section(number, "newer")) if own is None else own

    # The order -----------------------------------------------------------------------------------------

    def _order(self, alive: set[int]) -> list[int]:
        lead, other = self._rows["newer"], self._rows["older"]
        if self._is_moved("older") and not self._is_moved("newer"):
            lead, other = other, lead
        chain = _Chain([number for number in lead.ids if number in alive], self._any)
        groups: dict[int | None, list[int]] = defaultdict(list)
        for place, number in enumerate(lead.ids):
            if number in alive and lead.parts[place].day:
                groups[self._group(lead, place)].append(number)
        before = _END
        ranks = {number: place for place, number in enumerate(other.ids)}
        for place, number in enumerate(other.ids):
            if number not in alive:
                continue
            if number not in chain:
                part = other.parts[place]
                dated = groups[self._group(other, place)] if part.day else []
                after = self._by_day(dated, number, chain) if dated else before
                chain.insert(number, after, ranks)
            before = number
        return self._with_drawer_on_top(list(chain))

    def _is_moved(self, name: Name) -> bool:
        """Whether a side has put parts of the base into another order."""
        known = [self._triples[number].base for number in self._rows[name].ids]
        places = [place for place in known if place is not None]
        return any(one > other for one, other in pairwise(places))

    def _group(self, row: Row, place: int) -> int | None:
        above = row.sections[place]
        return None if above is None else row.ids[above]

    def _by_day(self, dated: list[int], number: int, chain: _Chain) -> int:
        """The part after which an entry of the timeline belongs; notes it among its like."""
        days = [self._any(each).day for each in dated]
        day = self._any(number).day
        if days[0] < days[-1]:
            above = [place for place, other in enumerate(days) if other <= day]
        else:
            above = [place for place, other in enumerate(days) if other > day]
        if above:
            dated.insert(above[-1] + 1, number)
            return dated[above[-1]]
        first = dated[0]
        dated.insert(0, number)
        return chain.before(first)

    def _with_drawer_on_top(self, order: list[int]) -> list[int]:
        """Org sees the drawer of a file where nothing but comments stand above it."""
        for place, number in enumerate(order):
            part = self._any(number)
            if part.zone:
                break
            if part.kind == DRAWER and place > 1:
                return [order[0], number, *order[1:place], *order[place + 1 :]]
        return order

    # Blank lines ---------------------------------------------------------------------------------------

    def _gaps(self, order: list[int]) -> list[str]:
        """The blank lines after each part: those that stood between the same two parts."""
        seams = {
            name: dict(zip(pairwise([*row.ids, _END]), (part.gap for part in row.parts), strict=True))
            for name, row in self._rows.items()
        }
        return [self._gap(pair, seams) for pair in pairwise([*order, _END])]

    def _gap(self, pair: tuple[int, int], seams: dict[Name, dict[tuple[int, int], str]]) -> str:
        base, newer, older = (seams[name].get(pair) for name in ("base", "newer", "older"))
        if newer is not None and older is not None:
            return older if newer == base else newer
        for known in (newer, older, base):
            if known is not None:
                return known
        return self._new_gap(*pair)

    def _new_gap(self, number: int, following: int) -> str:
        """Between two parts that never stood together: what stands around their like."""
        part = self._any(number)
        if following == _END or part.kind == START:
            return ""
        below = self._any(following)
        if part.kind in _DENSE and below.kind in _DENSE:
            return ""
        if part.kind == ITEM and below.kind == ITEM:
            return self._between_items(number)
        sides = [self._part(number, name) for name in _SIDES]
        known = [side.gap for side in sides if side is not None]
        if part.kind == HEADING:
            return known[0]
        return next((gap for gap in known if gap), "\n")

    def _between_items(self, number: int) -> str:
        for name in _SIDES:
            parts = self._rows[name].parts
            place: int | None = getattr(self._triples[number], name)
            if place is None:
                continue
            for one, other in ((place - 1, place), (place, place + 1)):
                if one >= 0 and other < len(parts) and parts[one].kind == parts[other].kind == ITEM:
                    return parts[one].gap
        return ""


class _Chain:
    """Numbers of parts in a row into which others are put."""

    def __init__(self, numbers: list[int], part: Callable[[int], Part]) -> None:
        self._part = part
        self._next = dict(zip([_END, *numbers], [*numbers, _END], strict=True))
        self._back = {after: before for before, after in self._next.items()}

    def __contains__(self, number: int) -> bool:
        return number in self._next

    def __iter__(self) -> Iterator[int]:
        at = self._next[_END]
        while at != _END:
            yield at
            at = self._next[at]

    def before(self, number: int) -> int:
        return self._back[number]

    def insert(self, number: int, after: int, places: Mapping[int, int]) -> None:
        """Put a part after another, and after all that belongs to that one.

        `places` has the order on its side: what stands below it there stays below it.
        """
        own = self._part(number)
        while (below := self._next[after]) != _END:
            part = self._part(below)
            if (part.rank <= own.rank and part.zone >= own.zone) or places.get(below, -1) > places[number]:
                break
            after = below
        below = self._next[after]
        self._next[after], self._next[number] = number, below
        self._back[number], self._back[below] = after, number
