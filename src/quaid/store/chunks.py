"""The chunks table, and the word index over it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, get_args
from zlib import crc32

import apsw

from quaid.model.chunk import Chunk, ChunkKind
from quaid.model.record import record
from quaid.store.connection import segmented
from quaid.store.rows import next_id, row, rows
from quaid.store.words import ChunkWords, Words

INSERT = """INSERT INTO chunks (id, page_id, ordinal, start, length, line_start, line_end, indexed, sort,
        heading, date, hash)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""

_KINDS: tuple[ChunkKind, ...] = get_args(ChunkKind)  # by number, as chunks.sort

Row = tuple[int, int, int, int, int, int, int, str, str | None, bytes]


def replace(
    connection: apsw.Connection,
    page_id: int,
    title: str,
    text: str,
    chunks: Sequence[Chunk],
    rules: int,
    gathering: Words | None = None,
) -> None:
    """Make these the page's chunks. One whose text is as it was keeps its id, wherever it stands now.

    Whoever gives `gathering` settles it.
    """
    index = gathering or Words()
    stored: dict[tuple[Any, ...], list[tuple[int, tuple[int, ...]]]] = {}
    for chunk_id, sort, heading, date, digest, *stood in rows(
        connection,
        """SELECT id, sort, heading, date, hash, ordinal, start, length, line_start, line_end, indexed
           FROM chunks WHERE page_id = ? ORDER BY ordinal DESC""",
        (page_id,),
    ):
        stored.setdefault((sort, heading, date, bytes(digest)), []).append((chunk_id, tuple(stood)))
    moved: list[tuple[int, ...]] = []
    for wanted, words in rows_of(title, text, chunks):
        place = wanted[:6]
        known = stored.get(wanted[6:])
        if not known:
            chunk_id = next_id(connection, "chunks")
            connection.execute(INSERT, (chunk_id, page_id, *wanted))
            index.chunk(chunk_id, words)
            continue
        chunk_id, old_place = known.pop()
        if old_place != place:
            moved.append((*place, chunk_id))
        if old_place[-1] != place[-1]:  # the same to read, but not to the letter: the address of a link
            index.chunk(chunk_id, words, is_new=False)
    gone = [chunk_id for rest in stored.values() for chunk_id, _ in rest]
    connection.executemany("DELETE FROM chunks WHERE id = ?", [(chunk_id,) for chunk_id in gone])
    for chunk_id in gone:
        index.without_chunk(chunk_id)
    connection.executemany(
        """UPDATE chunks SET ordinal = ?, start = ?, length = ?, line_start = ?, line_end = ?, indexed = ?
           WHERE id = ?""",
        moved,
    )
    if gathering is None:
        index.settle(connection)
    # An update that changes nothing would still make the word indexes write out what they have gathered.
    if row(connection, "SELECT chunked_by IS NOT ? FROM pages WHERE id = ?", (rules, page_id))[0]:
        connection.execute("UPDATE pages SET chunked_by = ? WHERE id = ?", (rules, page_id))


def rows_of(title: str, text: str, chunks: Sequence[Chunk]) -> list[tuple[Row, ChunkWords]]:
    """What the table holds of a page's chunks, but for the page, and what the word index holds of each."""
    found: list[tuple[Row, ChunkWords]] = []
    named = segmented(title)
    for ordinal, chunk in enumerate(chunks):
        searched = chunk.searched
        if searched is None:
            searched = text[chunk.start : chunk.start + chunk.length]
        place = (ordinal, chunk.start, chunk.length, chunk.line_start, chunk.line_end)
        indexed = crc32(f"{title}\0{chunk.heading}\0{searched}".encode())
        row = (*place, indexed, _KINDS.index(chunk.kind), chunk.heading, chunk.date, chunk.hash)
        found.append((row, (named, chunk.heading and segmented(chunk.heading), segmented(searched))))
    return found


def remove(connection: apsw.Connection, page_id: int) -> None:
    """No chunks for a page that nobody may find."""
    connection.execute("DELETE FROM chunks WHERE page_id = ?", (page_id,))
    connection.execute("DELETE FROM items WHERE page_id = ?", (page_id,))
    connection.execute("UPDATE pages SET chunked_by = 0 WHERE id = ?", (page_id,))


def pages_to_chunk(
    connection: apsw.Connection, rules: int, limit: int, among: Sequence[int] | None = None
) -> list[tuple[int, str]]:
    """Ids and slugs of live pages, of all or of some, whose chunks were not made by these rules."""
    chosen = "" if among is None else "AND id IN (SELECT value FROM json_each(?3))"
    sql = f"SELECT id, slug FROM live_pages WHERE chunked_by < ?1 {chosen} ORDER BY chunked_by, id LIMIT ?2"
    return rows(connection, sql, (rules, limit, *([] if among is None else [json.dumps(among)])))


def count_pages(connection: apsw.Connection) -> int:
    """How many live pages there are: those that have chunks, or will have."""
    return int(row(connection, "SELECT count(*) FROM live_pages")[0])


def count_to_chunk(connection: apsw.Connection, rules: int) -> int:
    """How many live pages have chunks that were not made by these rules."""
    return int(row(connection, "SELECT count(*) FROM live_pages WHERE chunked_by < ?", (rules,))[0])


@record
class ChunkPlace:
    """Where a chunk stands in its page."""

    kind: str
    heading: str
    start: int
    length: int
    line_start: int
    line_end: int


def place(connection: apsw.Connection, chunk_id: int) -> ChunkPlace:
    """The place of one chunk."""
    sql = "SELECT kind, heading, start, length, line_start, line_end FROM chunks WHERE id = ?"
    return ChunkPlace(*row(connection, sql, (chunk_id,)))


def count(connection: apsw.Connection) -> int:
    """How many chunks there are."""
    return int(row(connection, "SELECT count(*) FROM chunks")[0])
