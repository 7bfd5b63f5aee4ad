"""Where single chunks, and lines in them, stand."""

from __future__ import annotations

import json
from collections.abc import Collection

import apsw

from quaid.model.record import record
from quaid.store.rows import rows


@record
class PassageRow:
    """A chunk, or a line of one, and the page in which it stands."""

    chunk_id: int  # of a line, its own id
    page_id: int
    kind: str
    heading: str
    start: int
    length: int
    line_start: int
    line_end: int
    date: str | None = None

    @property
    def is_line(self) -> bool:
        """Whether it is a single line with what is nested in it."""
        return self.kind in LINES


LINES = ("item", "row")
_PLACE = "page_id, kind, heading, start, length, line_start, line_end"


def of_chunks(connection: apsw.Connection, chunk_ids: Collection[int]) -> list[PassageRow]:
    """Where these chunks stand."""
    found = rows(
        connection,
        f"SELECT id, {_PLACE} FROM chunks WHERE id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(chunk_ids)),),
    )
    return [PassageRow(*each) for each in found]


def chunks_of(connection: apsw.Connection, page_ids: Collection[int]) -> list[PassageRow]:
    """The chunks of these pages, in the order of their texts."""
    found = rows(
        connection,
        f"""SELECT id, {_PLACE}, date FROM chunks
            WHERE page_id IN (SELECT value FROM json_each(?)) ORDER BY page_id, ordinal""",
        (json.dumps(list(page_ids)),),
    )
    return [PassageRow(*each) for each in found]


def around(
    connection: apsw.Connection, item_ids: Collection[int], known: Collection[int]
) -> list[PassageRow]:
    """The chunks in which these lines stand, but for those that are known."""
    found = rows(
        connection,
        f"""SELECT DISTINCT c.id, {", ".join(f"c.{name}" for name in _PLACE.split(", "))}
            FROM items i JOIN chunks c ON c.page_id = i.page_id
                AND i.start >= c.start AND i.start < c.start + c.length
            WHERE i.id IN (SELECT value FROM json_each(?1)) AND i.kind IN ('item', 'row')
                AND c.id NOT IN (SELECT value FROM json_each(?2))""",
        (json.dumps(list(item_ids)), json.dumps(list(known))),
    )
    return [PassageRow(*each) for each in found]


def places_of(connection: apsw.Connection, item_ids: Collection[int]) -> list[tuple[int, int, int]]:
    """Of these lines, but for fields and facts: the line, its page, and the chunk in which it stands."""
    found = rows(
        connection,
        """SELECT i.id, i.page_id, min(c.id) FROM items i JOIN chunks c ON c.page_id = i.page_id
               AND i.start >= c.start AND i.start < c.start + c.length
           WHERE i.id IN (SELECT value FROM json_each(?)) AND i.kind IN ('item', 'row') GROUP BY i.id""",
        (json.dumps(list(item_ids)),),
    )
    return [(line, page, chunk) for line, page, chunk in found]


def numbers_of_lines(connection: apsw.Connection, page_ids: Collection[int]) -> dict[int, int]:
    """How many lines each of these pages has. Those of a notebook stand for themselves: it is left out."""
    sql = """SELECT p.id, 1 + (SELECT max(ordinal) FROM items i WHERE i.page_id = p.id)
        FROM pages p JOIN collections k ON k.id = p.collection_id
        WHERE p.id IN (SELECT value FROM json_each(?)) AND k.profile <> 'notebook'"""
    return dict(rows(connection, sql, (json.dumps(list(page_ids)),)))


def lines_of(connection: apsw.Connection, page_ids: Collection[int]) -> list[PassageRow]:
    """The lines of these pages, in the order of their texts."""
    found = rows(
        connection,
        f"""SELECT id, {_PLACE} FROM items
            WHERE page_id IN (SELECT value FROM json_each(?)) AND kind IN ('item', 'row')
            ORDER BY page_id, ordinal""",
        (json.dumps(list(page_ids)),),
    )
    return [PassageRow(*each) for each in found]


def texts_of_paths(
    connection: apsw.Connection, collection_id: int, folder: str | None, paths: Collection[str]
) -> list[tuple[str, str]]:
    """Paths and texts of a collection's pages: of all files in a folder, and of some others."""
    found = rows(
        connection,
        """SELECT p.path, p.text FROM file_state f JOIN live_pages p ON p.id = f.page_id AND p.path = f.path
           WHERE f.collection_id = ?1 AND (f.path >= ?2 AND f.path < ?2 || char(1114111)
               OR f.path IN (SELECT value FROM json_each(?3))) ORDER BY f.path""",
        (collection_id, folder, json.dumps(list(paths), ensure_ascii=False)),
    )
    return [(path, text) for path, text in found]
