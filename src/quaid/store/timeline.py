"""The timeline_entries table: the dated lines of pages, for queries."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import apsw

from quaid.model.page import TimelineEntry
from quaid.store.rows import rows

_FIELDS = "date, summary, source, detail, line"


def replace(connection: apsw.Connection, page_id: int, entries: Sequence[TimelineEntry]) -> None:
    """Make these the page's entries; a line that repeats date and summary counts once."""
    wanted: dict[tuple[str, str], TimelineEntry] = {}
    for entry in entries:
        wanted.setdefault((entry.date, entry.summary), entry)
    stored: dict[tuple[str, str], tuple[int, TimelineEntry]] = {}
    for identity, *fields in rows(
        connection, f"SELECT id, {_FIELDS} FROM timeline_entries WHERE page_id = ?", (page_id,)
    ):
        known = TimelineEntry(*fields)
        stored[known.date, known.summary] = (identity, known)
    gone = [(identity,) for key, (identity, _) in stored.items() if key not in wanted]
    changed = [
        (entry.source, entry.detail, entry.line, stored[key][0])
        for key, entry in wanted.items()
        if key in stored and stored[key][1] != entry
    ]
    fresh = [
        (page_id, e.date, e.summary, e.source, e.detail, e.line, summary_hash(e.summary))
        for key, e in wanted.items()
        if key not in stored
    ]
    connection.executemany("DELETE FROM timeline_entries WHERE id = ?", gone)
    connection.executemany(
        "UPDATE timeline_entries SET source = ?, detail = ?, line = ? WHERE id = ?", changed
    )
    connection.executemany(
        """INSERT INTO timeline_entries (page_id, date, summary, source, detail, line, summary_hash)
           VALUES (?, ?, ?, ?, ?, ?, ?)""",
        fresh,
    )


def of_page(connection: apsw.Connection, page_id: int, limit: int = -1) -> list[TimelineEntry]:
    """A page's entries, newest first."""
    found = rows(
        connection,
        f"SELECT {_FIELDS} FROM timeline_entries WHERE page_id = ? ORDER BY date DESC, line LIMIT ?",
        (page_id, limit),
    )
    return [TimelineEntry(*fields) for fields in found]


def summary_hash(summary: str) -> str:
    """What makes two entries of one day the same."""
    return hashlib.sha256(summary.encode()).hexdigest()
