"""Sources that were ingested: which bytes are known, and what they became."""

from __future__ import annotations

import apsw

from quaid.store.embeddings import STORED, whole
from quaid.store.rows import rows


def page_of_bytes(connection: apsw.Connection, data: bytes, digest: str) -> int | None:
    """The live page that stands for exactly these bytes.

    A memory that was built anew from files knows them by the field `sha256` of its sources alone.
    """
    found = rows(
        connection,
        """SELECT p.id FROM raw_imports r JOIN live_pages p ON p.id = r.page_id
           WHERE r.content_hash = ?1 AND r.is_active AND r.raw_bytes = ?2
           UNION ALL
           SELECT p.id FROM ingest_log l JOIN live_pages p ON p.id = l.page_id WHERE l.content_hash = ?1
           UNION ALL
           SELECT id FROM (SELECT id FROM live_pages WHERE type = 'source'
                           AND json_extract(frontmatter, '$.sha256') = ?1 ORDER BY id)
           LIMIT 1""",
        (digest, data),
    )
    return int(found[0][0]) if found else None


def own_page(connection: apsw.Connection, data: bytes, digest: str, path: str) -> int | None:
    """The live source that was made of these bytes, or else of the file at this path."""
    found = rows(
        connection,
        """SELECT p.id FROM raw_imports r JOIN live_pages p ON p.id = r.page_id
           WHERE r.content_hash = ?1 AND r.is_active AND r.raw_bytes = ?2 AND p.type = 'source'
           UNION ALL
           SELECT p.id FROM raw_imports r JOIN live_pages p ON p.id = r.page_id
           WHERE r.import_id >= 'ingest-' AND r.import_id < 'ingest.' AND r.file_path = ?3 AND ?3 <> ''
             AND r.is_active AND p.type = 'source'
           UNION ALL
           SELECT id FROM (SELECT id FROM live_pages WHERE type = 'source'
                           AND json_extract(frontmatter, '$.sha256') = ?1 ORDER BY id)
           LIMIT 1""",
        (digest, data, path),
    )
    return int(found[0][0]) if found else None


def note(
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


def truths(connection: apsw.Connection, page_ids: list[int]) -> dict[int, str]:
    """The compiled truth of some live pages."""
    found: dict[int, str] = {}
    for page_id in page_ids:
        for (truth,) in rows(connection, "SELECT compiled_truth FROM live_pages WHERE id = ?", (page_id,)):
            found[page_id] = truth
    return found


def vectors(connection: apsw.Connection, model_id: int, page_id: int) -> list[bytes]:
    """The vectors of a page's compiled truth, as far as it is embedded."""
    found = rows(
        connection,
        f"""SELECT {STORED} FROM chunks c CROSS JOIN embeddings e ON e.model_id = ?1 AND e.hash = c.hash
           WHERE c.page_id = ?2 AND c.kind = 'truth_section' ORDER BY c.ordinal""",
        (model_id, page_id),
    )
    return [whole(*stored) for stored in found]
