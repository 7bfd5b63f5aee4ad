"""The chunks table, and the word index over it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

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
        """SELECT id, kind, heading, date, hash, ordinal, start, length, line_start, line_end
           FROM chunks WHERE page_id = ? ORDER BY ordinal DESC""",
        (page_id,),
    ):
        stored.setdefault((kind, heading, date, bytes(digest)), []).append((chunk_id, tuple(place)))
    moved: list[tuple[int, ...]] = []
    for ordinal, chunk in enumerate(chunks):
        wanted = (ordinal, chunk.start, chunk.length, chunk.line_start, chunk.line_end)
        known = stored.get((chunk.kind, chunk.heading, chunk.date, chunk.hash))
        if not known:
            _insert(connection, page_id, title, text, chunk, wanted)
            continue
        chunk_id, old_place = known.pop()
        if old_place != wanted:
            moved.append((*wanted, chunk_id))
    gone = [(chunk_id,) for rest in stored.values() for chunk_id, _ in rest]
    connection.executemany("DELETE FROM chunks WHERE id = ?", gone)
    connection.executemany(
        "UPDATE chunks SET ordinal = ?, start = ?, length = ?, line_start = ?, line_end = ? WHERE id = ?",
        moved,
    )
    connection.execute("UPDATE pages SET chunked_by = ? WHERE id = ?", (rules, page_id))


def _insert(
    connection: apsw.Connection, page_id: int, title: str, text: str, chunk: Chunk, place: tuple[int, ...]
) -> None:
    connection.execute(
        """INSERT INTO chunks (page_id, ordinal, start, length, line_start, line_end, kind, heading, date,
               hash)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (page_id, *place, chunk.kind, chunk.heading, chunk.date, chunk.hash),
    )
    shown = text[chunk.start : chunk.start + chunk.length]
    connection.execute(
        """INSERT INTO chunk_fts (rowid, title, heading, text, every)
           VALUES (?, segment(?), segment(?), segment(?), 'qxevery')""",
        (connection.last_insert_rowid(), title, chunk.heading, shown),
    )


def remove(connection: apsw.Connection, page_id: int) -> None:
    """No chunks for a page that nobody may find."""
    connection.execute("DELETE FROM chunks WHERE page_id = ?", (page_id,))
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
