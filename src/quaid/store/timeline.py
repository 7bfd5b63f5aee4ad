"""The timeline_entries table: the dated lines of pages, for queries."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import apsw

from quaid.model.page import TimelineEntry
from quaid.store.rows import records, rows

_FIELDS = "date, summary, source, detail, line"
HASH = 16  # digits: enough for the entries of one day
INSERT = f"INSERT INTO timeline_entries (page_id, {_FIELDS}, summary_hash) VALUES (?, ?, ?, ?, ?, ?, ?)"

Row = tuple[str, str, str, str, int, str]


def replace(connection: apsw.Connection, page_id: int, entries: Sequence[TimelineEntry]) -> None:
    """Make these the page's entries; a line that repeats date and summary counts once."""
    wanted = _unique(entries)
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
    fresh = [(page_id, *_row(entry)) for key, entry in wanted.items() if key not in stored]
    connection.executemany("DELETE FROM timeline_entries WHERE id = ?", gone)
    connection.executemany(
        "UPDATE timeline_entries SET source = ?, detail = ?, line = ? WHERE id = ?", changed
    )
    connection.executemany(INSERT, fresh)


def rows_of(entries: Sequence[TimelineEntry]) -> list[Row]:
    """What the table holds of a page's entries, but for the page."""
    return [_row(entry) for entry in _unique(entries).values()]


def _unique(entries: Sequence[TimelineEntry]) -> dict[tuple[str, str], TimelineEntry]:
    found: dict[tuple[str, str], TimelineEntry] = {}
    for entry in entries:
        found.setdefault((entry.date, entry.summary), entry)
    return found


def _row(entry: TimelineEntry) -> Row:
    return (*vars(entry).values(), summary_hash(entry.summary))


def of_page(connection: apsw.Connection, page_id: int, limit: int = -1) -> list[TimelineEntry]:
    """A page's entries, newest first."""
    sql = f"SELECT {_FIELDS} FROM timeline_entries WHERE page_id = ? ORDER BY date DESC, line LIMIT ?"
    return records(TimelineEntry, connection, sql, (page_id, limit))


def summary_hash(summary: str) -> str:
    """What makes two entries of one day the same."""
    return hashlib.sha256(summary.encode()).hexdigest()[:HASH]
