"""A fingerprint of what a person would miss: pages, tags, links, assertions, timeline, raw data.

Versions, history, gaps and times of derivation are left out, so that a memory that is rebuilt from files, or
imported from an export, has the same one.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import apsw

from quaid.formats.encoding import encode
from quaid.store.links import CONTEXT
from quaid.store.rows import column, row, rows


def of_collection(connection: apsw.Connection, collection_id: int) -> str | None:
    """The digest of a collection; None if it has no pages."""
    whole = sha256()
    listed = column(
        connection, "SELECT id FROM live_pages WHERE collection_id = ? ORDER BY slug", (collection_id,)
    )
    for page_id in listed:
        whole.update(json.dumps(_page(connection, page_id), ensure_ascii=False, sort_keys=True).encode())
        whole.update(b"\n")
    return whole.hexdigest() if listed else None


def combination(digests: list[str]) -> str:
    """The digest of several collections, whatever they are called."""
    return digests[0] if len(digests) == 1 else sha256("\n".join(sorted(digests)).encode()).hexdigest()


def _page(connection: apsw.Connection, page_id: int) -> list[Any]:
    sql = "SELECT slug, type, title, whole(packed), encoding FROM pages WHERE id = ?"
    slug, kind, title, text, encoding = row(connection, sql, (page_id,))
    parts = [
        rows(connection, sql, (page_id,))
        for sql in (
            "SELECT tag FROM tags WHERE page_id = ? ORDER BY lower(tag), tag",
            """SELECT date, source, summary, detail FROM timeline_entries WHERE page_id = ?
               ORDER BY date, summary, id""",
            f"""SELECT l.target, l.relationship, {CONTEXT.format("p")}, l.source_kind, l.valid_from,
                      l.valid_until, coalesce(t.slug, '')
               FROM links l JOIN pages p ON p.id = l.from_page_id
               LEFT JOIN live_pages t ON t.id = l.to_page_id
               WHERE l.from_page_id = ? ORDER BY l.ordinal""",
            """SELECT subject, predicate, object, valid_from, valid_until, confidence, asserted_by,
                      source_ref, evidence_text
               FROM assertions WHERE page_id = ? ORDER BY ordinal""",
        )
    ]
    raw = [
        (source, json.loads(data))
        for source, data in rows(
            connection, "SELECT source, data FROM raw_data WHERE page_id = ? ORDER BY source", (page_id,)
        )
    ]
    return [slug, kind, title, sha256(encode(text, encoding)).hexdigest(), *parts, raw]
