"""Seals: hashes of what people wrote, kept beside it, so that a byte that changed by itself is noticed.

A seal is computed by the SQL function seal() of store/connection.py, from the stored bytes: also those of a
damaged row can be looked at. Rows that are derived from sealed texts need none: they are derived again and
compared.
"""

from __future__ import annotations

import apsw

from quaid.store.packing import BYTES
from quaid.store.rows import column, row, rows

# What a page is: where it belongs, what it is called, and its text.
PAGE = f"""seal(collection_id, CAST(slug AS BLOB), CAST(path AS BLOB), CAST(encoding AS BLOB),
    {BYTES.format("packed")})"""
# The same of a row that is about to be written, with the values of its columns as parameters.
NEW_PAGE = f"""seal({{collection}}, CAST(:slug AS BLOB), CAST(:path AS BLOB), CAST(:encoding AS BLOB),
    {BYTES.format(":packed")})"""
VERSION = "seal(page_id, version, CAST(slug AS BLOB), CAST(encoding AS BLOB), CAST(format AS BLOB), bytes)"
RAW = "seal(page_id, CAST(source AS BLOB), CAST(data AS BLOB))"


def seal_page(connection: apsw.Connection, page_id: int) -> None:
    """Seal what a page is now."""
    connection.execute(f"UPDATE pages SET seal = {PAGE} WHERE id = ?", (page_id,))


def is_page_sound(connection: apsw.Connection, page_id: int) -> bool:
    """Whether a page's row holds what was written into it."""
    return bool(row(connection, f"SELECT seal IS {PAGE} FROM pages WHERE id = ?", (page_id,))[0])


def stored_text(connection: apsw.Connection, page_id: int) -> tuple[bytes, bytes]:
    """Text and encoding of a page as they are stored, damaged or not."""
    sql = f"SELECT {BYTES.format('packed')}, CAST(encoding AS BLOB) FROM pages WHERE id = ?"
    text, encoding = row(connection, sql, (page_id,))
    return bytes(text or b""), bytes(encoding or b"")


def broken_pages(connection: apsw.Connection) -> list[tuple[int, bool]]:
    """Pages whose row is damaged, and whether the page is a file, which has its text too."""
    sql = f"""SELECT p.id, (SELECT kind FROM collections c WHERE c.id = p.collection_id) = 'files'
        AND quarantined_at IS NULL FROM pages p WHERE seal IS NOT {PAGE} ORDER BY p.id"""
    return [(page_id, bool(is_file)) for page_id, is_file in rows(connection, sql)]


def broken_versions(connection: apsw.Connection) -> list[tuple[int, int]]:
    """Earlier versions that are damaged: page and version."""
    sql = f"SELECT page_id, version FROM history WHERE seal IS NOT {VERSION} ORDER BY id"
    return rows(connection, sql)


def broken_raw_data(connection: apsw.Connection) -> list[int]:
    """Pages of which raw data is damaged."""
    return column(connection, f"SELECT page_id FROM raw_data WHERE seal IS NOT {RAW}")


def broken_originals(connection: apsw.Connection) -> list[str]:
    """Files of imports whose bytes are damaged; their own hash says so."""
    sql = "SELECT CAST(file_path AS BLOB) FROM raw_imports WHERE content_hash IS NOT sha256(raw_bytes)"
    return [path.decode("utf-8", "replace") for path in column(connection, sql)]
