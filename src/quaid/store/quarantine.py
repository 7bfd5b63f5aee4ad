"""Pages in quarantine."""

from __future__ import annotations

import apsw

from quaid.model.record import record


@record
class QuarantinedPage:
    """A page that no read shows, but that can be brought back."""

    id: int
    collection: str
    slug: str
    title: str
    path: str | None
    since: str
    exported_to: str | None


def listing(
    connection: apsw.Connection, collection_id: int | None = None, slug: str | None = None
) -> list[QuarantinedPage]:
    """What is in quarantine, newest first."""
    found = connection.execute(
        """SELECT p.id, c.name, p.slug, p.title, p.path, p.quarantined_at, e.output_path
           FROM pages p JOIN collections c ON c.id = p.collection_id
           LEFT JOIN quarantine_exports e ON e.page_id = p.id AND e.quarantined_at = p.quarantined_at
           WHERE p.quarantined_at IS NOT NULL AND (?1 IS NULL OR p.collection_id = ?1)
             AND (?2 IS NULL OR p.slug = ?2)
           ORDER BY p.quarantined_at DESC, p.id DESC""",
        (collection_id, slug),
    )
    return [QuarantinedPage(*each) for each in found]


def note_export(connection: apsw.Connection, page: QuarantinedPage, now: str, path: str) -> None:
    """Remember where a page was written to."""
    connection.execute(
        """INSERT OR REPLACE INTO quarantine_exports (page_id, quarantined_at, exported_at, output_path)
           VALUES (?, ?, ?, ?)""",
        (page.id, page.since, now, path),
    )
