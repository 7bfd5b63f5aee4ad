"""The chunks table, and the word index over it."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from quaid.model.chunk import Chunk
from quaid.model.record import record
from quaid.store.rows import row, rows


def replace(
    connection: apsw.Connection, page_id: int, title: str, text: str, chunks: Sequence[Chunk], rules: int
) -> None:
    """Make these the page's chunks; those that are as they were stay as they are."""
    known = {
        (ordinal, *facts): chunk_id
        for chunk_id, ordinal, *facts in rows(
            connection,
            """SELECT id, ordinal, kind, heading, date, start, length, line_start, line_end, hash
               FROM chunks WHERE page_id = ?""",
            (page_id,),
        )
    }
    wanted = {
        (place, c.kind, c.heading, c.date, c.start, c.length, c.line_start, c.line_end, c.hash): c
        for place, c in enumerate(chunks)
    }
    gone = [(chunk_id,) for facts, chunk_id in known.items() if facts not in wanted]
    connection.executemany("DELETE FROM chunks WHERE id = ?", gone)
    for facts, chunk in wanted.items():
        if facts not in known:
            connection.execute(
                """INSERT INTO chunks (page_id, ordinal, kind, heading, date, start, length, line_start,
                       line_end, hash)
                   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
                (page_id, *facts),
            )
            connection.execute(
                """INSERT INTO chunk_fts (rowid, title, heading, text, every)
                   VALUES (?, segment(?), segment(?), segment(?), 'qxevery')""",
                (
                    connection.last_insert_rowid(),
                    title,
                    chunk.heading,
                    text[chunk.start : chunk.start + chunk.length],
                ),
            )
    connection.execute("UPDATE pages SET chunked_by = ? WHERE id = ?", (rules, page_id))


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
            "SELECT id, slug FROM live_pages WHERE chunked_by <> ? ORDER BY id LIMIT ?",
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
