"""What was read, and by whom, where the person wants that noted."""

from __future__ import annotations

import apsw

from quaid.model.actor import present_actor
from quaid.model.record import record
from quaid.store import deeds
from quaid.store.rows import records, row

MOST = 20_000  # that are kept


@record
class Reading:
    """A page that was read, or the hash of a question that was asked."""

    operation: str
    slug: str
    question: str
    at: str


def note(connection: apsw.Connection, reading: Reading, days: int) -> None:
    """Note what has just been read; what is older than some days goes, or the oldest of too many."""
    connection.execute(
        "INSERT INTO readings (session_id, operation, slug, question, at) VALUES (?, ?, ?, ?, ?)",
        (deeds.session_of(connection, present_actor()), *vars(reading).values()),
    )
    connection.execute(
        "DELETE FROM readings WHERE id <= ?1 OR at < strftime('%Y-%m-%dT%H:%M:%SZ', ?2, ?3)",
        (connection.last_insert_rowid() - MOST, reading.at, f"-{days} days"),
    )


def of_session(
    connection: apsw.Connection, session: int, since: str, limit: int
) -> tuple[list[Reading], int]:
    """The last readings of a session since a moment, newest first; and how many there are."""
    sql = "FROM readings WHERE session_id = ?1 AND at >= ?2"
    listed = f"SELECT operation, slug, question, at {sql} ORDER BY id DESC LIMIT ?3"
    count = int(row(connection, f"SELECT count(*) {sql}", (session, since))[0])
    return records(Reading, connection, listed, (session, since, limit)), count
