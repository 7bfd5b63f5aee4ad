"""What the pages of a folder have in common, against which their texts are packed.

Pages of one folder are alike: fields, headings, names, habits. With the beginnings of some of them before it,
a text is deflated to less than it takes alone. Texts that live in the memory only are packed alone: they hang
on nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TypeVar

import apsw

from quaid.store.rows import column, row, rows
from quaid.store.words import without_triggers

T = TypeVar("T")
LEAST = 400  # pages of a folder that are worth a stock
LENGTH = 32_768  # bytes that zlib looks back
BEGINNING = 2_048  # characters of one text
LOOKED_AT = 128  # texts, until there are bytes enough
_GOLDEN = 0.6180339887  # of which multiples are spread evenly, however many there are


def stock_of(pages: Sequence[T], text_of: Callable[[T], str]) -> bytes:
    """A stock of the texts of some of these pages, from all over the folder; `text_of` reads one."""
    stock = bytearray()
    for number in range(min(LOOKED_AT, len(pages))):
        place = int(number * _GOLDEN % 1 * len(pages))
        stock += text_of(pages[place])[:BEGINNING].encode("utf-8", "replace") + b"\n"
        if len(stock) >= LENGTH:
            break
    return bytes(stock[:LENGTH])


def of_collection(connection: apsw.Connection, collection_id: int) -> bytes:
    """The stock of a collection; nothing if there is none, or if it is damaged."""
    from zlib import adler32  # start-up: only where there is much to do

    found = rows(connection, "SELECT checksum, data FROM stocks WHERE collection_id = ?", (collection_id,))
    return next((data for checksum, data in found if adler32(data) == checksum), b"")


def put(connection: apsw.Connection, collection_id: int, stock: bytes) -> None:
    """Pack the texts of a collection against this from now on."""
    from zlib import adler32  # start-up: only where there is much to do

    connection.executemany(
        "INSERT INTO stocks (collection_id, copy, checksum, data) VALUES (?, ?, ?, ?)",
        [(collection_id, copy, adler32(stock), stock) for copy in (0, 1)],
    )


def lacking(connection: apsw.Connection) -> list[int]:
    """Folders with many pages that have no stock: an older Quaid read them."""
    return column(
        connection,
        """SELECT id FROM collections c WHERE kind = 'files' AND profile <> 'kb'
             AND NOT EXISTS (SELECT 1 FROM stocks WHERE collection_id = c.id)
             AND (SELECT count(*) FROM pages WHERE collection_id = c.id AND quarantined_at IS NULL) >= ?""",
        (LEAST,),
    )


def supply(connection: apsw.Connection, collection_id: int) -> None:
    """Give a folder a stock of what its pages say, unless somebody else was quicker."""
    if of_collection(connection, collection_id):
        return
    sql = """SELECT id FROM pages WHERE collection_id = ? AND quarantined_at IS NULL AND legible(packed)
        ORDER BY path, id"""

    def text_of(page_id: int) -> str:
        return str(row(connection, "SELECT whole(packed) FROM pages WHERE id = ?", (page_id,))[0])

    put(connection, collection_id, stock_of(column(connection, sql, (collection_id,)), text_of))


def loose(connection: apsw.Connection) -> list[int]:
    """Pages of folders with a stock whose texts are packed otherwise."""
    return column(
        connection,
        """SELECT p.id FROM stocks s CROSS JOIN pages p ON p.collection_id = s.collection_id
           WHERE s.copy = 0 AND typeof(p.packed) = 'blob'
             AND substr(p.packed, 3, 4) <> unhex(printf('%08x', s.checksum)) AND legible(p.packed)""",
    )


def pack_anew(connection: apsw.Connection, page_ids: Sequence[int]) -> None:
    """Pack the texts of these pages against the stocks of their folders."""
    with without_triggers(connection):  # which would index texts again that stay the same
        connection.execute(
            """UPDATE pages SET packed = restocked(packed, s.checksum) FROM stocks s
               WHERE s.collection_id = pages.collection_id AND s.copy = 0
                 AND pages.id IN (SELECT value FROM json_each(?))""",
            (json.dumps(page_ids),),
        )


def retire(connection: apsw.Connection) -> None:
    """Pack all texts alone again, and let the stocks go: a text that nobody may find may stand in them."""
    with without_triggers(connection):  # which would index texts again that stay the same
        connection.execute(
            """UPDATE pages SET packed = restocked(packed, NULL)
               WHERE typeof(packed) = 'blob' AND legible(packed)
                 AND collection_id IN (SELECT collection_id FROM stocks)"""
        )
        connection.execute("DELETE FROM stocks")
