"""The timeline_entries table: the dated lines of pages, for queries."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import apsw

from quaid.model.page import TimelineEntry

_FIELDS = "date, summary, source, detail, line"


def replace(connection: apsw.Connection, page_id: int, entries: Sequence[TimelineEntry]) -> None:
    """Make these the page's entries; a line that repeats date and summary counts once."""
    unique: dict[tuple[str, str], TimelineEntry] = {}
    for entry in entries:
        unique.setdefault((entry.date, entry.summary), entry)
    wanted = list(unique.values())
    stored = connection.execute(
        f"SELECT {_FIELDS} FROM timeline_entries WHERE page_id = ? ORDER BY line, id", (page_id,)
    )
    if [TimelineEntry(*row) for row in stored] == wanted:
        return
    connection.execute("DELETE FROM timeline_entries WHERE page_id = ?", (page_id,))
    connection.executemany(
        """INSERT INTO timeline_entries (page_id, date, summary, source, detail, line, summary_hash)
           VALUES (?, ?, ?, ?, ?, ?, ?)""",
        [(page_id, e.date, e.summary, e.source, e.detail, e.line, summary_hash(e.summary)) for e in wanted],
    )


def of_page(connection: apsw.Connection, page_id: int, limit: int = -1) -> list[TimelineEntry]:
    """A page's entries, newest first."""
    rows = connection.execute(
        f"SELECT {_FIELDS} FROM timeline_entries WHERE page_id = ? ORDER BY date DESC, line LIMIT ?",
        (page_id, limit),
    )
    return [TimelineEntry(*row) for row in rows]


def summary_hash(summary: str) -> str:
    """What makes two entries of one day the same."""
    return hashlib.sha256(summary.encode()).hexdigest()
