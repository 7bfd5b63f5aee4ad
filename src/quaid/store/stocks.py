"""What the pages of a folder have in common, against which their texts are packed.

Pages of one folder are alike: fields, headings, names, habits. With the beginnings of some of them before it,
a text is deflated to less than it takes alone. Texts that live in the memory only are packed alone: they hang
on nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import apsw

from quaid.store.rows import rows

LENGTH = 32_768  # bytes that zlib looks back
BEGINNING = 2_048  # characters of one text
LOOKED_AT = 128  # texts, until there are bytes enough
_GOLDEN = 0.6180339887  # of which multiples are spread evenly, however many there are


def made(paths: Sequence[str], text_of: Callable[[str], str]) -> bytes:
    """A stock of the texts of some of these files, from all over the folder; `text_of` reads one."""
    stock = bytearray()
    for number in range(min(LOOKED_AT, len(paths))):
        place = int(number * _GOLDEN % 1 * len(paths))
        stock += text_of(paths[place])[:BEGINNING].encode("utf-8", "replace") + b"\n"
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


def retire(connection: apsw.Connection) -> None:
    """Pack all texts alone again, and let the stocks go: a text that nobody may find may stand in them."""
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)  # what pages say stays the same
    try:
        connection.execute(
            """UPDATE pages SET packed = restocked(packed, NULL)
               WHERE typeof(packed) = 'blob' AND legible(packed)
                 AND collection_id IN (SELECT collection_id FROM stocks)"""
        )
        connection.execute("DELETE FROM stocks")
    finally:
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 1)
