"""Where single chunks, and lines in them, stand, and what stands there and above them."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import NamedTuple

import apsw

from quaid.model.record import record
from quaid.store.rows import records, rows
from quaid.store.scope import Units


class PassageRow(NamedTuple):
    """A chunk, or a line of one, and the page in which it stands. There are many: a tuple is quickly made."""

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

    def holds(self, line: PassageRow) -> bool:
        """Whether a line stands in it."""
        return self.start <= line.start < self.start + self.length

    def part(self, kind: str, start: int, length: int, first: int, last: int) -> PassageRow:
        """A part of it: its place in the page's text, and its lines."""
        return self._replace(kind=kind, start=start, length=length, line_start=first, line_end=last)


LINES = ("item", "row")
_PLACE = "page_id, kind, heading, start, length, line_start, line_end"
# What stands for the fields of a page is what it begins with, and then the fields without their syntax: a
# page that is found by its name and its tags alone is about what it says first.
_PAGES = """SELECT u.id, p.title, u.heading,
        CASE u.kind WHEN 'fields'
        THEN part(p.packed, p.truth_start, min(p.truth_start + 400, p.rule_start)) || char(10) || p.fields
        ELSE part(p.packed, u.start, u.start + u.length) END
    FROM {} u JOIN pages p ON p.id = u.page_id WHERE u.id IN (SELECT value FROM json_each(?))"""
_CONVERSATIONS = "SELECT u.id, '', u.role, u.text FROM turns u WHERE u.id IN (SELECT value FROM json_each(?))"


@record
class Excerpt:
    """A unit: its text, the title of its document, and the heading or the speaker above it."""

    title: str
    heading: str
    text: str


def excerpts(connection: apsw.Connection, units: Units, ids: Collection[int]) -> dict[int, Excerpt]:
    """The texts of these units."""
    sql = _PAGES.format(units.table) if units.kind == "page" else _CONVERSATIONS
    return {unit: Excerpt(*said) for unit, *said in rows(connection, sql, (json.dumps(list(ids)),))}


def of_chunks(connection: apsw.Connection, chunk_ids: Collection[int]) -> list[PassageRow]:
    """Where these chunks stand."""
    sql = f"SELECT id, {_PLACE} FROM chunks WHERE id IN (SELECT value FROM json_each(?))"
    return records(PassageRow, connection, sql, (json.dumps(list(chunk_ids)),))


def chunks_of(connection: apsw.Connection, page_ids: Collection[int]) -> list[PassageRow]:
    """The chunks of these pages, in the order of their texts."""
    sql = f"""SELECT id, {_PLACE}, date FROM chunks
        WHERE page_id IN (SELECT value FROM json_each(?)) ORDER BY page_id, ordinal"""
    return records(PassageRow, connection, sql, (json.dumps(list(page_ids)),))


def around(
    connection: apsw.Connection, item_ids: Collection[int], known: Collection[int]
) -> list[PassageRow]:
    """The chunks in which these lines stand, but for those that are known."""
    return records(
        PassageRow,
        connection,
        f"""SELECT DISTINCT c.id, {", ".join(f"c.{name}" for name in _PLACE.split(", "))}
            FROM items i JOIN chunks c ON c.page_id = i.page_id
                AND i.start >= c.start AND i.start < c.start + c.length
            WHERE i.id IN (SELECT value FROM json_each(?1)) AND i.kind IN ('item', 'row')
                AND c.id NOT IN (SELECT value FROM json_each(?2))""",
        (json.dumps(list(item_ids)), json.dumps(list(known))),
    )


def places_of(connection: apsw.Connection, item_ids: Collection[int]) -> list[tuple[int, int, int]]:
    """Of these lines, but for fields and facts: the line, its page, and the chunk in which it stands."""
    sql = """SELECT i.id, i.page_id, min(c.id) FROM items i JOIN chunks c ON c.page_id = i.page_id
            AND i.start >= c.start AND i.start < c.start + c.length
        WHERE i.id IN (SELECT value FROM json_each(?)) AND i.kind IN ('item', 'row') GROUP BY i.id"""
    return rows(connection, sql, (json.dumps(list(item_ids)),))


def numbers_of_lines(connection: apsw.Connection, page_ids: Collection[int]) -> dict[int, int]:
    """How many lines each of these pages has. Those of a notebook stand for themselves: it is left out."""
    sql = """SELECT p.id, 1 + (SELECT max(ordinal) FROM items i WHERE i.page_id = p.id)
        FROM pages p JOIN collections k ON k.id = p.collection_id
        WHERE p.id IN (SELECT value FROM json_each(?)) AND k.profile <> 'notebook'"""
    return dict(rows(connection, sql, (json.dumps(list(page_ids)),)))


def lines_of(connection: apsw.Connection, page_ids: Collection[int]) -> list[PassageRow]:
    """The lines of these pages, in the order of their texts."""
    sql = f"""SELECT id, {_PLACE} FROM items
        WHERE page_id IN (SELECT value FROM json_each(?)) AND kind IN ('item', 'row')
        ORDER BY page_id, ordinal"""
    return records(PassageRow, connection, sql, (json.dumps(list(page_ids)),))


def texts_of_paths(
    connection: apsw.Connection, collection_id: int, folder: str | None, paths: Collection[str]
) -> list[tuple[str, str]]:
    """Paths and texts of a collection's pages: of all files in a folder, and of some others."""
    return rows(
        connection,
        """SELECT p.path, p.text FROM file_state f JOIN live_pages p ON p.id = f.page_id AND p.path = f.path
           WHERE f.collection_id = ?1 AND (f.path >= ?2 AND f.path < ?2 || char(1114111)
               OR f.path IN (SELECT value FROM json_each(?3))) ORDER BY f.path""",
        (collection_id, folder, json.dumps(list(paths), ensure_ascii=False)),
    )
