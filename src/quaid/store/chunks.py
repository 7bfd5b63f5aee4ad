"""The chunks table, and the word index over it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from zlib import crc32

import apsw

from quaid.model.chunk import Chunk
from quaid.model.record import record
from quaid.store.rows import row, rows


def replace(
    connection: apsw.Connection, page_id: int, title: str, text: str, chunks: Sequence[Chunk], rules: int
) -> None:
    """Make these the page's chunks. One whose text is as it was keeps its id, wherever it stands now."""
    stored: dict[tuple[Any, ...], list[tuple[int, tuple[int, ...]]]] = {}
    for chunk_id, kind, heading, date, digest, *place in rows(
        connection,
        """SELECT id, kind, heading, date, hash, ordinal, start, length, line_start, line_end, indexed
           FROM chunks WHERE page_id = ? ORDER BY ordinal DESC""",
        (page_id,),
    ):
        stored.setdefault((kind, heading, date, bytes(digest)), []).append((chunk_id, tuple(place)))
    moved: list[tuple[int, ...]] = []
    for ordinal, chunk in enumerate(chunks):
        indexed = _checksum(title, chunk, text)
        wanted = (ordinal, chunk.start, chunk.length, chunk.line_start, chunk.line_end, indexed)
        known = stored.get((chunk.kind, chunk.heading, chunk.date, chunk.hash))
        if not known:
            _insert(connection, page_id, title, text, chunk, wanted)
            continue
        chunk_id, old_place = known.pop()
        if old_place != wanted:
            moved.append((*wanted, chunk_id))
        if old_place[-1] != indexed:  # the same to read, but not to the letter: the address of a link
            connection.execute("DELETE FROM chunk_fts WHERE rowid = ?", (chunk_id,))
            _index(connection, chunk_id, title, text, chunk)
    gone = [(chunk_id,) for rest in stored.values() for chunk_id, _ in rest]
    connection.executemany("DELETE FROM chunks WHERE id = ?", gone)
    connection.executemany(
        """UPDATE chunks SET ordinal = ?, start = ?, length = ?, line_start = ?, line_end = ?, indexed = ?
           WHERE id = ?""",
        moved,
    )
    # An update that changes nothing would still make the word indexes write out what they have gathered.
    if row(connection, "SELECT chunked_by IS NOT ? FROM pages WHERE id = ?", (rules, page_id))[0]:
        connection.execute("UPDATE pages SET chunked_by = ? WHERE id = ?", (rules, page_id))


def _insert(
    connection: apsw.Connection, page_id: int, title: str, text: str, chunk: Chunk, place: tuple[int, ...]
) -> None:
    connection.execute(
        """INSERT INTO chunks (page_id, ordinal, start, length, line_start, line_end, indexed, kind, heading,
               date, hash)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (page_id, *place, chunk.kind, chunk.heading, chunk.date, chunk.hash),
    )
    _index(connection, connection.last_insert_rowid(), title, text, chunk)


def _checksum(title: str, chunk: Chunk, text: str) -> int:
    return crc32(f"{title}\0{chunk.heading}\0{_searched(chunk, text)}".encode())


def _index(connection: apsw.Connection, chunk_id: int, title: str, text: str, chunk: Chunk) -> None:
    connection.execute(
        """INSERT INTO chunk_fts (rowid, title, heading, text, every)
           VALUES (?, segment(?), segment(?), segment(?), 'qxevery')""",
        (chunk_id, title, chunk.heading, _searched(chunk, text)),
    )


def _searched(chunk: Chunk, text: str) -> str:
    return text[chunk.start : chunk.start + chunk.length] if chunk.searched is None else chunk.searched


def remove(connection: apsw.Connection, page_id: int) -> None:
    """No chunks for a page that nobody may find."""
    connection.execute("DELETE FROM chunks WHERE page_id = ?", (page_id,))
    connection.execute("DELETE FROM items WHERE page_id = ?", (page_id,))
    connection.execute("UPDATE pages SET chunked_by = 0 WHERE id = ?", (page_id,))


def pages_to_chunk(connection: apsw.Connection, rules: int, limit: int) -> list[tuple[int, str]]:
    """Ids and slugs of live pages whose chunks were not made by these rules."""
    return [
        (page_id, slug)
        for page_id, slug in rows(
            connection,
            "SELECT id, slug FROM live_pages WHERE chunked_by < ? ORDER BY chunked_by, id LIMIT ?",
            (rules, limit),
        )
    ]


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
