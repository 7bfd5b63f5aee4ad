"""Counts over the whole memory."""

from __future__ import annotations

import apsw

from quaid.store.contradictions import IS_OPEN
from quaid.store.rows import row


def _of_live(table: str, owner: str) -> str:
    """All rows but those of removed pages, which are few: quicker than to look up the page of every row."""
    return f"""SELECT (SELECT count(*) FROM {table}) - (SELECT count(*) FROM pages p
        CROSS JOIN {table} r ON r.{owner} = p.id WHERE p.quarantined_at IS NOT NULL)"""


_COUNTS = {
    "pages": """SELECT (SELECT count(*) FROM pages)
        - (SELECT count(*) FROM pages WHERE quarantined_at IS NOT NULL)""",
    "removed": "SELECT count(*) FROM pages WHERE quarantined_at IS NOT NULL",
    "links": _of_live("links", "from_page_id"),
    "unresolved_links": """SELECT count(*) FROM links l CROSS JOIN live_pages p ON p.id = l.from_page_id
        WHERE l.to_page_id IS NULL""",
    "assertions": _of_live("assertions", "page_id"),
    "tags": """SELECT count(*) FROM (SELECT DISTINCT tag FROM tags) d
        WHERE EXISTS (SELECT 1 FROM tags t JOIN live_pages p ON p.id = t.page_id WHERE t.tag = d.tag)""",
    "timeline_entries": _of_live("timeline_entries", "page_id"),
    "raw_data": _of_live("raw_data", "page_id"),
    "chunks": "SELECT count(*) FROM chunks",
    "contradictions": f"SELECT count(*) FROM contradictions c WHERE {IS_OPEN}",
    "gaps": "SELECT count(*) FROM knowledge_gaps WHERE resolved_at IS NULL",
}


def counts(connection: apsw.Connection) -> dict[str, int]:
    """How many of each thing there are."""
    return {name: row(connection, sql)[0] for name, sql in _COUNTS.items()}


def pages_by_type(connection: apsw.Connection) -> dict[str, int]:
    """Live pages of each type, most frequent first."""
    sql = "SELECT type, count(*) FROM live_pages GROUP BY type ORDER BY count(*) DESC, type"
    return dict(connection.execute(sql))


def pages_by_collection(connection: apsw.Connection) -> dict[str, int]:
    """Live pages of each collection, empty ones too."""
    sql = """SELECT c.name, (SELECT count(*) FROM live_pages p WHERE p.collection_id = c.id)
        FROM collections c ORDER BY c.id"""
    return dict(connection.execute(sql))
