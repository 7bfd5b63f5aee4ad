"""The bytes from which pages were made: batches of imports, and sources.

A batch lists all of its files with their hashes; bytes that an earlier batch has kept of the same page are
not kept twice.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256

import apsw

from quaid.model.record import record
from quaid.store.rows import first, records, row, rows

LISTING = "//"  # the name of a batch's list of files; no path holds it
_SOURCE_BY_FIELD = """SELECT id FROM (SELECT id FROM live_pages WHERE type = 'source'
    AND json_extract(frontmatter, '$.sha256') = ?1 ORDER BY id)"""


@record
class Kept:
    """What a page was made of last."""

    page_id: int
    slug: str
    type: str
    removed: bool
    source: str
    path: str
    hash: str


@record
class Batch:
    """One import."""

    import_id: str
    importer: str
    source: str
    collection: str
    pages: int
    created_at: str


def digest(data: bytes) -> str:
    """The hash by which bytes are known."""
    return sha256(data).hexdigest()


def keep(
    connection: apsw.Connection, page_id: int | None, import_id: str, data: bytes, path: str, now: str
) -> None:
    """Keep a file's bytes. They are what its page was made of last, and the page has no other such bytes."""
    if page_id is not None:
        connection.execute("UPDATE raw_imports SET is_active = 0 WHERE page_id = ? AND is_active", (page_id,))
    connection.execute(
        """INSERT INTO raw_imports (page_id, import_id, content_hash, raw_bytes, file_path, created_at)
           VALUES (?, ?, ?, ?, ?, ?)""",
        (page_id, import_id, digest(data), data, path, now),
    )


def keep_file(connection: apsw.Connection, import_id: str, data: bytes, path: str, now: str) -> None:
    """Keep the bytes of a file that is no page, unless they are kept already."""
    sql = "SELECT EXISTS (SELECT 1 FROM raw_imports WHERE content_hash = ? AND page_id IS NULL)"
    if not row(connection, sql, (digest(data),))[0]:
        keep(connection, None, import_id, data, path, now)


def kept_sources(connection: apsw.Connection, collection_id: int, importer: str) -> list[Kept]:
    """What the pages of a collection were made of by an importer, removed pages too."""
    found = rows(
        connection,
        """SELECT p.id, p.slug, p.type, p.quarantined_at IS NOT NULL,
               m.source_dir, r.file_path, r.content_hash
           FROM raw_imports r JOIN import_manifest m ON m.import_id = r.import_id
           JOIN pages p ON p.id = r.page_id
           WHERE r.is_active AND p.collection_id = ? AND m.importer = ? ORDER BY r.id""",
        (collection_id, importer),
    )
    return [Kept(page, slug, kind, bool(gone), *rest) for page, slug, kind, gone, *rest in found]


def data_of(connection: apsw.Connection, page_id: int) -> bytes | None:
    """The bytes of which a page was made last."""
    found: bytes | None = first(
        connection, "SELECT raw_bytes FROM raw_imports WHERE page_id = ? AND is_active", (page_id,)
    )
    return found


def record_batch(
    connection: apsw.Connection,
    import_id: str,
    collection_id: int,
    importer: str,
    source: str,
    page_count: int,
    files: Mapping[str, str],
    now: str,
) -> None:
    """Remember a batch and the hashes of its files by path."""
    connection.execute(
        """INSERT INTO import_manifest
               (import_id, collection_id, importer, source_dir, page_count, created_at)
           VALUES (?, ?, ?, ?, ?, ?)""",
        (import_id, collection_id, importer, source, page_count, now),
    )
    listing = json.dumps(dict(sorted(files.items())), ensure_ascii=False).encode()
    keep(connection, None, import_id, listing, LISTING, now)


def batches(connection: apsw.Connection) -> list[Batch]:
    """All batches, the last one first."""
    sql = """SELECT m.import_id, m.importer, m.source_dir, c.name, m.page_count, m.created_at
        FROM import_manifest m JOIN collections c ON c.id = m.collection_id
        ORDER BY m.created_at DESC, m.rowid DESC"""
    return records(Batch, connection, sql)


def latest(connection: apsw.Connection, collection_id: int, importer: str, source: str) -> str | None:
    """The last batch from a source."""
    sql = """SELECT import_id FROM import_manifest WHERE collection_id = ? AND importer = ? AND source_dir = ?
        ORDER BY rowid DESC LIMIT 1"""
    found: str | None = first(connection, sql, (collection_id, importer, source))
    return found


def files_of(connection: apsw.Connection, import_id: str) -> dict[str, str]:
    """The hashes of a batch's files by path."""
    sql = "SELECT raw_bytes FROM raw_imports WHERE import_id = ? AND file_path = ?"
    files: dict[str, str] = json.loads(first(connection, sql, (import_id, LISTING)) or b"{}")
    return files


def file_data(connection: apsw.Connection, content_hash: str) -> bytes | None:
    """The bytes of that hash, whichever file held them."""
    found: bytes | None = first(
        connection, "SELECT raw_bytes FROM raw_imports WHERE content_hash = ? LIMIT 1", (content_hash,)
    )
    return found


def page_of_bytes(connection: apsw.Connection, data: bytes, digest: str) -> int | None:
    """The live page that stands for exactly these bytes.

    A memory that was built anew from files knows them by the field `sha256` of its sources alone.
    """
    found: int | None = first(
        connection,
        f"""SELECT p.id FROM raw_imports r JOIN live_pages p ON p.id = r.page_id
           WHERE r.content_hash = ?1 AND r.is_active AND r.raw_bytes = ?2
           UNION ALL
           SELECT p.id FROM ingest_log l JOIN live_pages p ON p.id = l.page_id WHERE l.content_hash = ?1
           UNION ALL {_SOURCE_BY_FIELD} LIMIT 1""",
        (digest, data),
    )
    return found


def own_page(connection: apsw.Connection, data: bytes, digest: str, path: str) -> int | None:
    """The live source that was made of these bytes, or else of the file at this path."""
    found: int | None = first(
        connection,
        f"""SELECT p.id FROM raw_imports r JOIN live_pages p ON p.id = r.page_id
           WHERE r.content_hash = ?1 AND r.is_active AND r.raw_bytes = ?2 AND p.type = 'source'
           UNION ALL
           SELECT p.id FROM raw_imports r JOIN live_pages p ON p.id = r.page_id
           WHERE r.import_id >= 'ingest-' AND r.import_id < 'ingest.' AND r.file_path = ?3 AND ?3 <> ''
             AND r.is_active AND p.type = 'source'
           UNION ALL {_SOURCE_BY_FIELD} LIMIT 1""",
        (digest, data, path),
    )
    return found


def note_ingested(
    connection: apsw.Connection, digest: str, source_type: str, source_ref: str, page_id: int | None, now: str
) -> None:
    """Log that a source was ingested, and the page that stands for it."""
    connection.execute(
        """INSERT INTO ingest_log (content_hash, source_type, source_ref, page_id, created_at)
           VALUES (?, ?, ?, ?, ?)
           ON CONFLICT (content_hash) DO UPDATE SET source_type = excluded.source_type,
               source_ref = excluded.source_ref, page_id = excluded.page_id,
               created_at = excluded.created_at""",
        (digest, source_type, source_ref, page_id, now),
    )


def is_free(connection: apsw.Connection, import_id: str) -> bool:
    """Whether no batch has that id."""
    sql = "SELECT NOT EXISTS (SELECT 1 FROM raw_imports WHERE import_id = ?)"
    return bool(row(connection, sql, (import_id,))[0])
