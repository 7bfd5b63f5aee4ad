"""The items table: single lines of pages that are found and shown on their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

import apsw

from quaid.model.chunk import Item, ItemKind
from quaid.store.rows import rows

_KINDS: tuple[ItemKind, ...] = get_args(ItemKind)  # by number, as items.sort
_PLACE = "sort, heading, start, length, line_start, line_end"
INSERT = f"INSERT INTO items (page_id, ordinal, {_PLACE}, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"

Row = tuple[int, int, str, int, int, int, int, bytes | None]


def replace(connection: apsw.Connection, page_id: int, items: Sequence[Item]) -> None:
    """Make these the page's items. Vectors belong to texts, so that nothing is lost with an id."""
    wanted = rows_of(items)
    sql = f"SELECT ordinal, {_PLACE}, hash FROM items WHERE page_id = ? ORDER BY ordinal"
    stored = rows(connection, sql, (page_id,))
    if [(*each[:-1], each[-1] and bytes(each[-1])) for each in stored] == wanted:
        return
    if stored:
        connection.execute("DELETE FROM items WHERE page_id = ?", (page_id,))
    connection.executemany(INSERT, [(page_id, *each) for each in wanted])


def rows_of(items: Sequence[Item]) -> list[Row]:
    """What the table holds of a page's items, but for the page."""
    return [
        (ordinal, _KINDS.index(kind), heading, start, length, line_start, line_end, digest)
        for ordinal, (kind, heading, start, length, line_start, line_end, _, digest) in enumerate(items)
    ]
