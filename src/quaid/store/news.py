"""Pages that have changed since a moment, and who changed them."""

from __future__ import annotations

import apsw

from quaid.model.record import record
from quaid.store import deeds
from quaid.store.attention import ADDRESS, FILE_TIME
from quaid.store.rows import row, rows

# Which pages changed last is seen in an index; those of the same moments are put in order by their files.
_CHANGED = f"""
    SELECT p.id, iif(p.created_at >= ?1, 'created', 'changed'), {ADDRESS}, p.type, p.title, p.updated_at
    FROM live_pages p WHERE p.updated_at >= max(?1, coalesce(
        (SELECT q.updated_at FROM pages q WHERE q.quarantined_at IS NULL
         ORDER BY q.updated_at DESC LIMIT 1 OFFSET max(0, ?2 - 1)), ?1))
    ORDER BY p.updated_at DESC, {FILE_TIME} DESC, p.id LIMIT ?2"""
_REMOVED = """
    SELECT id, 'removed', slug, type, title, quarantined_at FROM pages WHERE quarantined_at >= ?1
    ORDER BY quarantined_at DESC, id DESC LIMIT ?2"""


@record
class PageChange:
    """A page that was created, changed or removed; and by whom at last, where that is known."""

    what: str
    slug: str
    type: str
    title: str
    at: str
    by: str | None = None


def counts(connection: apsw.Connection, since: str) -> dict[str, int]:
    """How many pages were created, changed and removed since a moment."""
    created, any_change, removed = row(
        connection,
        """SELECT (SELECT count(*) FROM live_pages WHERE created_at >= ?1),
                  (SELECT count(*) FROM live_pages WHERE updated_at >= ?1),
                  (SELECT count(*) FROM pages WHERE quarantined_at >= ?1)""",
        (since,),
    )
    return {"created": created, "changed": max(0, any_change - created), "removed": removed}


def changed_pages(connection: apsw.Connection, since: str, limit: int) -> tuple[PageChange, ...]:
    """The pages that were created or changed last."""
    return _page_changes(connection, _CHANGED, since, limit)


def removed_pages(connection: apsw.Connection, since: str, limit: int) -> tuple[PageChange, ...]:
    """The pages that were removed last."""
    return _page_changes(connection, _REMOVED, since, limit)


def _page_changes(connection: apsw.Connection, sql: str, since: str, limit: int) -> tuple[PageChange, ...]:
    found = rows(connection, sql, (since, limit))
    by = deeds.writers(connection, [page_id for page_id, *_ in found])
    return tuple(
        PageChange(what, slug, type, title, at, by[page_id].label if page_id in by else None)
        for page_id, what, slug, type, title, at in found
    )
