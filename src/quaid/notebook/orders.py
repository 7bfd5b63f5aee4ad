"""Standing orders, one by one: what a person approves, and what of a file is approved.

An order is an item of a list with all that is nested in it, a paragraph, or a heading with nothing below it.
It is approved together with what gives it its meaning: the headings above it and the paragraph that leads to
it. An approved item that is moved below "Never" is another order. What is not understood here only makes
orders larger; every word of a file belongs to an order, except its title and what only draws a line.

Which orders the person approved, and who wrote those that wait, is kept in the person's home, for each
notebook by its folder: a folder that comes from elsewhere brings no approvals along, and no tool of an agent
writes there. What cannot be read counts as not approved.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType

from quaid.errors import StorageFailed
from quaid.files import exclusively, make_private_directory, make_private_file, replace_file
from quaid.formats.markdown import frontmatter
from quaid.model.record import field, record
from quaid.notebook.places import FILES

ID = 12  # characters of a key that name an order on a command line
TITLE = "standing orders"
DIRECTORY = ".quaid/orders"
STARTER = "reference/standing-orders.md"
MOST_BYTES = 16_000_000
MOST_AUTHORS = 2_000
LONGEST_AUTHOR = 80
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]|$)")
_ORG_HEADING = re.compile(r"(\*+)[ \t]")
_ITEM = re.compile(r" ?(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)")
_NESTED = re.compile(r"  |\t| \t")
_RULE = re.compile(r" {0,3}[-*_]{3,}$")
_FENCE = re.compile(r"[ \t]*(?:[-*+][ \t]+)?(```+|~~~+)")


@record
class Order:
    """One order: its words, what gives them their meaning, and which lines of the file these are."""

    headings: tuple[str, ...]
    lead: str
    text: str
    own: tuple[int, ...]  # lines, the first of the file is 0
    around: tuple[int, ...]  # the lines of its headings and of the paragraph that leads to it

    @property
    def key(self) -> str:
        """What tells it from every other order."""
        parts = json.dumps([self.headings, self.lead, self.text])
        return sha256(parts.encode()).hexdigest()

    @property
    def line(self) -> int:
        """Where it begins, as people count."""
        return self.own[0] + 1


@record
class Lines:
    """Some lines of a file, and the number that each has there, as people count."""

    text: str
    numbers: tuple[int, ...]


@record
class _Block:
    headings: tuple[int, ...]
    lines: list[int]
    item: bool = False


def orders_of(path: str, text: str) -> list[Order]:
    """All orders of a file, in their order."""
    head, body = frontmatter.split(text)
    before = head.count("\n")
    lines = [""] * before + [line.rstrip() for line in body.split("\n")]
    blocks = _blocks(lines, _ORG_HEADING if path.lower().endswith(".org") else _HEADING)
    used = {line for block in blocks if block.lines for line in block.headings}
    found: list[Order] = []
    lead: tuple[int, ...] = ()
    below: tuple[int, ...] = ()
    for block in blocks:
        if block.headings != below:
            lead, below = (), block.headings
        if not block.lines:  # a heading
            own = block.headings[-1:]
            if own[0] not in used and not _is_title(lines[own[0]]):
                found.append(_order(lines, block.headings[:-1], (), own))
            continue
        found.append(_order(lines, block.headings, lead if block.item else (), tuple(block.lines)))
        lead = lead if block.item else tuple(block.lines)
    return found


def _blocks(lines: Sequence[str], heading: re.Pattern[str]) -> list[_Block]:
    """The parts between headings, and each heading as a part without lines."""
    above: list[tuple[int, int]] = []
    blocks: list[_Block] = []
    block: _Block | None = None
    fence = ""
    blank = True
    for number, line in enumerate(lines):
        if fence and block:
            block.lines.append(number)
            fence = "" if line.strip().startswith(fence) and not line.strip().strip(fence[0]) else fence
            continue
        if not line or (blank and _RULE.match(line)):
            blank = True
            continue
        title = heading.match(line)
        if title:
            above = [each for each in above if each[0] < len(title[1])] + [(len(title[1]), number)]
            blocks.append(_Block(tuple(line for _, line in above), []))
            block = None
        else:
            item = _ITEM.match(line) is not None
            begins = item or (blank and not _NESTED.match(line))
            if block is None or begins:
                block = _Block(tuple(line for _, line in above), [], item)
                blocks.append(block)
            block.lines.append(number)
            opening = _FENCE.match(line)
            fence = opening[1] if opening else ""
        blank = False
    return blocks


def _order(lines: Sequence[str], headings: Sequence[int], lead: Sequence[int], own: Sequence[int]) -> Order:
    return Order(
        headings=tuple(lines[line] for line in headings),
        lead="\n".join(lines[line] for line in lead),
        text="\n".join(lines[line] for line in own),
        own=tuple(own),
        around=(*headings, *lead),
    )


def _is_title(line: str) -> bool:
    """Whether a heading only says what the file is."""
    return line.strip("#* \t").casefold() == TITLE


def lines_of(text: str, orders: Iterable[Order]) -> Lines:
    """The lines of a file that these orders consist of, with what gives them their meaning."""
    wanted = {line for order in orders for line in (*order.around, *order.own)}
    lines = [line.rstrip("\r") for line in text.split("\n")]
    shown: list[int] = []
    for number, line in enumerate(lines):
        if number in wanted or (not line.strip() and shown and lines[shown[-1]].strip()):
            shown.append(number)
    while shown and not lines[shown[-1]].strip():
        shown.pop()
    return Lines("\n".join(lines[line] for line in shown), tuple(line + 1 for line in shown))


def without(path: str, text: str, keys: Collection[str]) -> str:
    """A file without these orders, and without headings that stood above nothing else.

    A paragraph that led to others goes too: what it led to is another order then, and waits.
    """
    orders = orders_of(path, text)
    staying = [order for order in orders if order.key not in keys]
    needed = {line for order in staying for line in (*order.around, *order.own)}
    lines = text.split("\n")
    going = {
        line
        for order in orders
        if order.key in keys
        for line in (*order.own, *order.around)
        if line in order.own or (line not in needed and not _is_title(lines[line]))
    }
    left: list[str] = []
    for number, line in enumerate(lines):
        if number in going:
            continue
        if not line.strip() and number - 1 in going and left and not left[-1].strip():
            continue
        left.append(line)
    return "\n".join(left)


# Approvals ---------------------------------------------------------------------------------------


@record
class Approval:
    """An order that was approved: when, and its words, which show what is gone if the file loses it."""

    at: str
    text: str


@record
class Author:
    """Who wrote an order, and when."""

    name: str
    at: str


@record
class Known:
    """What is kept of a notebook's orders, by their keys."""

    approved: Mapping[str, Approval] = field(default=MappingProxyType({}))
    authors: Mapping[str, Author] = field(default=MappingProxyType({}))

    def binds(self, order: Order) -> bool:
        """Whether the person approved an order; the first words of a new notebook are our own."""
        return order.key in self.approved or order.key in _given_marks()


class Approvals:
    """The approvals of one notebook."""

    def __init__(self, home: Path, root: Path) -> None:
        name = sha256(str(root).encode(errors="surrogateescape")).hexdigest()[:32]
        self._root = root
        self._file = home / DIRECTORY / f"{name}.json"

    def read(self) -> Known:
        """What is known now."""
        try:
            with self._file.open("rb") as file:
                data = json.loads(file.read(MOST_BYTES))
            return Known(
                {key: Approval(str(each["at"]), str(each["text"])) for key, each in data["approved"].items()},
                {key: Author(str(each["by"]), str(each["at"])) for key, each in data["authors"].items()},
            )
        except (OSError, ValueError, RecursionError, KeyError, TypeError, AttributeError):
            return Known()

    def approve(self, orders: Iterable[Order], forgotten: Iterable[str], now: str) -> None:
        """Approve orders, and forget approvals of orders that are gone."""
        dropped = set(forgotten)
        with self._changing() as (approved, _):
            for key in dropped & approved.keys():
                del approved[key]
            approved |= {order.key: Approval(now, order.text) for order in orders}

    def note(self, keys: Iterable[str], author: str, now: str) -> None:
        """Note who wrote orders."""
        name = " ".join(author.split())[:LONGEST_AUTHOR]
        with self._changing() as (_, authors):
            for key in keys:
                authors.pop(key, None)  # the newest stand last
                authors[key] = Author(name, now)
            for key in list(authors)[:-MOST_AUTHORS]:
                del authors[key]

    @contextmanager
    def _changing(self) -> Iterator[tuple[dict[str, Approval], dict[str, Author]]]:
        """What is known, to be changed in the block: nobody else writes meanwhile."""
        lock = self._file.with_suffix(".lock")
        try:
            make_private_directory(self._file.parent)
            make_private_file(lock)
            with lock.open("r+b") as held, exclusively(held):
                known = self.read()
                approved, authors = dict(known.approved), dict(known.authors)
                yield approved, authors
                data = {
                    "notebook": str(self._root),
                    "approved": {key: vars(each) for key, each in approved.items()},
                    "authors": {key: {"by": each.name, "at": each.at} for key, each in authors.items()},
                }
                replace_file(self._file, json.dumps(data).encode())
        except OSError as error:
            raise StorageFailed(
                f"{self._file.parent} cannot be written: {error.strerror}", hint="Check its permissions."
            ) from error


@cache
def _given_marks() -> frozenset[str]:
    return frozenset(order.key for order in orders_of(STARTER, FILES[STARTER]))
