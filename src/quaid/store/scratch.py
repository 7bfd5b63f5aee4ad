"""An empty memory that is nowhere: what a sound one would hold is made in it, to be compared."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from itertools import zip_longest
from typing import Any

import apsw

from quaid.store.connection import prepare, schema
from quaid.store.packing import BYTES
from quaid.store.rows import rows

_OBJECTS = """SELECT type, name, tbl_name, iif(type = 'table', '', sql) FROM sqlite_schema
    WHERE name NOT LIKE 'sqlite_stat%' AND coalesce(sql, '') NOT LIKE '%temp.%'"""
_COLUMNS = """SELECT m.name, x.name, x.type, x."notnull", x.dflt_value, x.pk
    FROM sqlite_schema m JOIN pragma_table_xinfo(m.name) x WHERE m.type = 'table'
    AND m.name NOT LIKE 'sqlite_stat%'"""
_TITLES = f"SELECT id, title, {BYTES.format('packed')}, fields FROM live_pages WHERE id = ?"
_SECTIONS = "SELECT id, kind, heading, start, length FROM chunks WHERE page_id = ?"


@contextmanager
def scratch() -> Iterator[apsw.Connection]:
    """A new, empty memory, as long as the block runs."""
    with closing(apsw.Connection(":memory:")) as connection:
        prepare(connection)
        connection.execute(schema())
        yield connection


def schema_differences(connection: apsw.Connection, sound: apsw.Connection) -> list[str]:
    """What a memory's tables, indexes, triggers and views are other than they should be."""
    differing: set[str] = set()
    for sql in (_OBJECTS, _COLUMNS):
        ours, theirs = ({_plain(each) for each in of.execute(sql)} for of in (connection, sound))
        differing |= {str(each[1] if sql == _OBJECTS else each[0]) for each in ours ^ theirs}
    return sorted(differing)


def _plain(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(" ".join(value.split()) if isinstance(value, str) else value for value in row)


def index_pages(connection: apsw.Connection, into: apsw.Connection) -> None:
    """Write the words of all pages into their index, which is empty; of a damaged text, none."""
    into.executemany(
        """INSERT INTO page_fts (rowid, title, slug, keywords, compiled_truth, timeline, fields, every)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)""",
        _readable(connection, "SELECT * FROM page_text WHERE id = ?"),
    )


def index_sections(connection: apsw.Connection, into: apsw.Connection) -> None:
    """Write the words of all sections of pages into the index of sections, which is empty."""
    page: tuple[Any, ...]
    for page in _readable(connection, _TITLES):
        page_id, title, data, fields = page
        text = data.decode("utf-8", "replace")
        for chunk_id, kind, heading, start, length in rows(connection, _SECTIONS, (page_id,)):
            into.execute(
                """INSERT INTO chunk_fts (rowid, title, heading, text, every)
                   VALUES (?, segment(?), segment(?), segment(?), 'qxevery')""",
                (chunk_id, title, heading, fields if kind == "fields" else text[start : start + length]),
            )


def _readable(connection: apsw.Connection, sql: str) -> Iterator[tuple[Any, ...]]:
    """What a query finds of each page whose text can be read."""
    for (page_id,) in rows(connection, "SELECT id FROM live_pages ORDER BY id"):
        with suppress(UnicodeDecodeError):
            yield from rows(connection, sql, (page_id,))


def index_turns(connection: apsw.Connection, into: apsw.Connection) -> None:
    """Write the words of all turns of conversations into their index, which is empty."""
    for turn_id, text in connection.execute("SELECT id, text FROM turns").fetchall():
        into.execute(
            "INSERT INTO turn_fts (rowid, text, every) VALUES (?, segment(?), 'qxevery')", (turn_id, text)
        )


def same_words(one: apsw.Connection, other: apsw.Connection, index: str) -> bool:
    """Whether an index knows the same words at the same places in two memories."""
    return all(mine == yours for mine, yours in zip_longest(_places(one, index), _places(other, index)))


def _places(connection: apsw.Connection, index: str) -> Iterator[tuple[Any, ...]]:
    """Every word of an index that holds no texts, with its places; in the same order for the same words."""
    name = f"temp.{index}_places"
    connection.execute(f"CREATE VIRTUAL TABLE IF NOT EXISTS {name} USING fts5vocab(main, {index}, instance)")
    try:
        yield from connection.execute(f"SELECT term, doc, col, offset FROM {name}")
    finally:
        connection.execute(f"DROP TABLE {name}")
