"""Rows of pages without trust in them: what they hold besides what is derived, and how they are made anew."""

from __future__ import annotations

import apsw

from quaid.model.record import record
from quaid.store import seals
from quaid.store.pages import Draft
from quaid.store.rows import row

_DERIVED = {
    "tags": "page_id",
    "timeline_entries": "page_id",
    "links": "from_page_id",
    "assertions": "page_id",
    "chunks": "page_id",
    "items": "page_id",
    "page_names": "page_id",
    "page_places": "page_id",
}


@record
class BarePage:
    """A page's own data."""

    id: int
    slug: str
    path: str | None
    encoding: str
    text: str


def one(connection: apsw.Connection, page_id: int) -> BarePage:
    """What a page's row holds besides what is derived from it."""
    sql = """SELECT id, slug, path, encoding, head || compiled_truth || rule || timeline
        FROM live_pages WHERE id = ?"""
    return BarePage(*row(connection, sql, (page_id,)))


def slug(connection: apsw.Connection, page_id: int) -> str:
    """A page's slug as far as it can be read, for messages about damage."""
    sql = "SELECT CAST(slug AS BLOB) FROM pages WHERE id = ?"
    found = connection.execute(sql, (page_id,)).fetchone()
    return bytes(found[0]).decode("utf-8", "replace") if found and found[0] else f"page {page_id}"


def with_paths(connection: apsw.Connection, collection_id: int) -> list[tuple[int, str]]:
    """Ids and paths of a collection's pages that are files."""
    sql = "SELECT id, path FROM live_pages WHERE collection_id = ? AND path IS NOT NULL ORDER BY id"
    return list(connection.execute(sql, (collection_id,)))


def at_path(connection: apsw.Connection, collection_id: int, path: str) -> int | None:
    """The page whose file has that path."""
    found = connection.execute(
        "SELECT id FROM live_pages WHERE collection_id = ? AND path = ?", (collection_id, path)
    ).fetchone()
    return found[0] if found else None


def correct(connection: apsw.Connection, page_id: int, page: Draft) -> None:
    """A page's row anew, because it is damaged; nothing that is derived from it is left.

    Without triggers: they would take words out of the index that were never put into it.
    """
    values = page.columns()
    assignments = ", ".join(f"{name} = ?" for name in values)
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    try:
        connection.execute(f"UPDATE pages SET {assignments} WHERE id = ?", (*values.values(), page_id))
    finally:
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 1)
    seals.seal_page(connection, page_id)
    for table, column in _DERIVED.items():
        connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (page_id,))
