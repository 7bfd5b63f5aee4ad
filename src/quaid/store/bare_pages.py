"""Rows of pages without trust in them: what they hold besides what is derived, and how they are made anew."""

from __future__ import annotations

import json
from collections.abc import Iterable

import apsw

from quaid.formats.addresses import place_of
from quaid.model.record import record
from quaid.store import seals
from quaid.store.drafts import Draft, column_assignments
from quaid.store.packing import BYTES
from quaid.store.rows import row, rows

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
class StoredText:
    """What the memory holds of the text of a file's page."""

    page_id: int
    slug: str
    data: bytes
    encoding: bytes
    is_sound: bool


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
    sql = """SELECT id, slug, path, encoding, text
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
    """The page whose file has that path, whatever is known of the file."""
    place = place_of("", path)
    found = connection.execute(
        """SELECT p.id FROM page_places o JOIN live_pages p ON p.id = o.page_id
           WHERE o.name = ? AND o.collection_id = ? AND o.folder = ? AND p.path = ?""",
        (place.name, collection_id, place.folder, path),
    ).fetchone()
    return found[0] if found else None


def stored_at(connection: apsw.Connection, collection_id: int, paths: Iterable[str]) -> dict[str, StoredText]:
    """The texts of the live pages whose files are known to be at some paths."""
    found = rows(
        connection,
        f"""SELECT path, id, slug, {BYTES.format("packed")}, CAST(encoding AS BLOB), seal IS {seals.PAGE}
            FROM pages p WHERE collection_id = ?1 AND quarantined_at IS NULL AND (id, path) IN (
                SELECT f.page_id, f.path FROM json_each(?2) CROSS JOIN file_state f
                ON f.collection_id = ?1 AND f.path = value)""",
        (collection_id, json.dumps(list(paths), ensure_ascii=False)),
    )
    return {
        path: StoredText(page_id, slug, data, encoding, bool(is_sound))
        for path, page_id, slug, data, encoding, is_sound in found
    }


def correct(connection: apsw.Connection, page_id: int, page: Draft) -> None:
    """A page's row anew, because it is damaged; nothing that is derived from it is left."""
    values = page.columns()
    connection.execute(
        f"UPDATE pages SET {column_assignments(values)} WHERE id = :id", values | {"id": page_id}
    )
    seals.seal_page(connection, page_id)
    for table, column in _DERIVED.items():
        connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (page_id,))
