"""What pages were before each change of their text."""

from __future__ import annotations

import apsw

from quaid.model.page import Format
from quaid.model.record import record
from quaid.store.rows import rows


@record
class Keeping:
    """How much of a page's past is kept."""

    versions: int = 10
    days: int = 90


@record
class OldVersion:
    """A page as it was."""

    version: int
    slug: str
    data: bytes
    encoding: str
    format: Format
    written_at: str
    replaced_at: str


def keep(
    connection: apsw.Connection, page_id: int, data: bytes, encoding: str, now: str, keeping: Keeping
) -> None:
    """Keep what a page is now, because it is about to change; what is too old goes."""
    if not keeping.versions:
        return
    connection.execute(
        """INSERT OR REPLACE INTO history
               (page_id, version, slug, bytes, encoding, format, written_at, replaced_at)
           SELECT id, version, slug, ?, ?, format, updated_at, ? FROM pages WHERE id = ?""",
        (data, encoding, now, page_id),
    )
    connection.execute(
        """DELETE FROM history WHERE page_id = ?1 AND id NOT IN (
               SELECT id FROM history WHERE page_id = ?1 ORDER BY version DESC LIMIT ?2)""",
        (page_id, keeping.versions),
    )
    expire(connection, now, keeping, page_id)


def expire(connection: apsw.Connection, now: str, keeping: Keeping, page_id: int | None = None) -> int:
    """Forget what was replaced too long ago, of one page or of all; the answer is how much."""
    connection.execute(
        """DELETE FROM history WHERE replaced_at < strftime('%Y-%m-%dT%H:%M:%SZ', ?1, ?2)
           AND (?3 IS NULL OR page_id = ?3)""",
        (now, f"-{keeping.days} days", page_id),
    )
    return connection.changes()


def of_page(connection: apsw.Connection, page_id: int) -> list[OldVersion]:
    """All that is kept of a page, newest first."""
    found = rows(
        connection,
        """SELECT version, slug, bytes, encoding, format, written_at, replaced_at FROM history
           WHERE page_id = ? ORDER BY version DESC""",
        (page_id,),
    )
    return [OldVersion(version, slug, bytes(data), *rest) for version, slug, data, *rest in found]


def forget(connection: apsw.Connection, page_id: int) -> None:
    """Forget all that is kept of a page."""
    connection.execute("DELETE FROM history WHERE page_id = ?", (page_id,))
