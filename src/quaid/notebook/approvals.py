"""Which standing orders of a notebook the person approved, and who wrote those that wait.

This is kept in the person's home, for each notebook by its folder: a folder that comes from elsewhere brings
no approvals along, and no tool of an agent writes there. What cannot be read counts as not approved.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any

from quaid.errors import StorageFailed
from quaid.files import exclusively, make_private_directory, make_private_file, replace_file
from quaid.model.record import field, record
from quaid.notebook.orders import Order, orders_of
from quaid.notebook.starter import FILES

DIRECTORY = ".quaid/orders"
STARTER = "reference/standing-orders.md"
MOST_BYTES = 16_000_000
MOST_AUTHORS = 2_000
LONGEST_AUTHOR = 80


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
            approved = {
                str(key): Approval(str(each["at"]), str(each["text"]))
                for key, each in data["approved"].items()
            }
            authors = {
                str(key): Author(str(each["by"]), str(each["at"])) for key, each in data["authors"].items()
            }
        except (OSError, ValueError, RecursionError, KeyError, TypeError, AttributeError):
            return Known()
        return Known(approved, authors)

    def approve(self, orders: Iterable[Order], forgotten: Iterable[str], now: str) -> None:
        """Approve orders, and forget approvals of orders that are gone."""
        added = {order.key: Approval(now, order.text) for order in orders}
        dropped = set(forgotten)

        def change(known: Known) -> Known:
            left = {key: each for key, each in known.approved.items() if key not in dropped}
            return Known({**left, **added}, known.authors)

        self._change(change)

    def note(self, keys: Iterable[str], author: str, now: str) -> None:
        """Note who wrote orders."""
        name = " ".join(author.split())[:LONGEST_AUTHOR]
        added = {key: Author(name, now) for key in keys}

        def change(known: Known) -> Known:
            authors = {key: each for key, each in known.authors.items() if key not in added} | added
            return Known(known.approved, dict(list(authors.items())[-MOST_AUTHORS:]))

        self._change(change)

    def _change(self, change: Callable[[Known], Known]) -> None:
        lock = self._file.with_suffix(".lock")
        try:
            make_private_directory(self._file.parent)
            make_private_file(lock)
            with lock.open("r+b") as held, exclusively(held):
                replace_file(self._file, json.dumps(self._data(change(self.read()))).encode())
        except OSError as error:
            raise StorageFailed(
                f"{self._file.parent} cannot be written: {error.strerror}", hint="Check its permissions."
            ) from error

    def _data(self, known: Known) -> dict[str, Any]:
        return {
            "notebook": str(self._root),
            "approved": {key: {"at": each.at, "text": each.text} for key, each in known.approved.items()},
            "authors": {key: {"by": each.name, "at": each.at} for key, each in known.authors.items()},
        }


@cache
def _given_marks() -> frozenset[str]:
    return frozenset(order.key for order in orders_of(STARTER, FILES[STARTER]))
