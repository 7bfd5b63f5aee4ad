"""Rows of pages without trust in them: what they hold besides what is derived, and how they are made anew."""

from __future__ import annotations

import json
from collections.abc import Iterable

import apsw

from quaid.formats.addresses import place_of
from quaid.formats.encoding import encode
from quaid.model.record import record
from quaid.store import seals
from quaid.store.drafts import Draft, column_assignments
from quaid.store.packing import BYTES
from quaid.store.rows import first, row, rows

_STORED = (
    f"""id, CAST(slug AS BLOB), {BYTES.format("packed")}, CAST(encoding AS BLOB), seal IS {seals.PAGE}"""
)
_DERIVED = ("tags", "timeline_entries", "assertions", "chunks", "items", "page_names", "page_places")


@record
class StoredText:
    """What the memory holds of the text of a file's page."""

    page_id: int
    slug: bytes
    data: bytes
    encoding: bytes
    is_sound: bool

    @property
    def original(self) -> tuple[int, bytes, str]:
        """The page, the bytes of its file and their encoding, as the history keeps them."""
        encoding = self.encoding.decode()
        return self.page_id, encode(self.data.decode(), encoding), encoding


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
    sql = "SELECT id, slug, path, encoding, text FROM live_pages WHERE id = ?"
    return BarePage(*row(connection, sql, (page_id,)))


def slug(connection: apsw.Connection, page_id: int) -> str:
    """A page's slug as far as it can be read, for messages about damage."""
    found = first(connection, "SELECT CAST(slug AS BLOB) FROM pages WHERE id = ?", (page_id,))
    return bytes(found).decode("utf-8", "replace") if found else f"page {page_id}"


def with_paths(connection: apsw.Connection, collection_id: int) -> list[tuple[int, str]]:
    """Ids and paths of a collection's pages that are files."""
    sql = "SELECT id, path FROM live_pages WHERE collection_id = ? AND path IS NOT NULL ORDER BY id"
    return list(connection.execute(sql, (collection_id,)))


def at_path(connection: apsw.Connection, collection_id: int, path: str) -> int | None:
    """The page whose file has that path, whatever is known of the file."""
    place = place_of("", path)
    sql = """SELECT p.id FROM page_places o JOIN live_pages p ON p.id = o.page_id
        WHERE o.name = ? AND o.collection_id = ? AND o.folder = ? AND p.path = ?"""
    found: int | None = first(connection, sql, (place.name, collection_id, place.folder, path))
    return found


def stored_text(connection: apsw.Connection, page_id: int) -> StoredText:
    """The text of a page, be it damaged."""
    return StoredText(*row(connection, f"SELECT {_STORED} FROM pages WHERE id = ?", (page_id,)))


def stored_at(connection: apsw.Connection, collection_id: int, paths: Iterable[str]) -> dict[str, StoredText]:
    """The texts of the live pages whose files are known to be at some paths."""
    found = rows(
        connection,
        f"""SELECT path, {_STORED} FROM pages
            WHERE collection_id = ?1 AND quarantined_at IS NULL AND (id, path) IN (
                SELECT f.page_id, f.path FROM json_each(?2) CROSS JOIN file_state f
                ON f.collection_id = ?1 AND f.path = value)""",
        (collection_id, json.dumps(list(paths), ensure_ascii=False)),
    )
    return {path: StoredText(*each) for path, *each in found}


def correct(connection: apsw.Connection, page_id: int, page: Draft) -> None:
    """A page's row anew, because it is damaged; nothing that is derived from it is left."""
    values = page.columns()
    connection.execute(
        f"UPDATE pages SET {column_assignments(values)} WHERE id = :id", values | {"id": page_id}
    )
    seals.seal_page(connection, page_id)
    for table in _DERIVED:
        connection.execute(f"DELETE FROM {table} WHERE page_id = ?", (page_id,))
    connection.execute("DELETE FROM links WHERE from_page_id = ?", (page_id,))
