"""Who watches a collection: one process, whose lease ends when its heartbeat stops."""

from __future__ import annotations

import apsw

from quaid.model.record import record
from quaid.system import host_name, may_run

EXPIRY = 20  # seconds without a heartbeat


@record
class Holder:
    """The process that watches a collection."""

    session: str
    pid: int
    host: str
    since: str
    heartbeat: str


def holder(connection: apsw.Connection, collection_id: int, now: str) -> Holder | None:
    """Who watches a collection, if somebody does."""
    found = connection.execute(
        """SELECT session_id, pid, host, started_at, heartbeat_at FROM collection_owners
           WHERE collection_id = ?1 AND unixepoch(heartbeat_at) > unixepoch(?2) - ?3""",
        (collection_id, now, EXPIRY),
    ).fetchone()
    current = Holder(*found) if found else None
    return current if current and _may_live(current) else None


def _may_live(current: Holder) -> bool:
    """Whether a process may be there; of one on this machine, that can be told."""
    return current.host != host_name() or may_run(current.pid)


def take(
    connection: apsw.Connection, collection_id: int, session: str, pid: int, host: str, now: str
) -> bool:
    """Watch a collection, or go on watching it, unless another does; the answer is whether."""
    current = holder(connection, collection_id, now)
    if current and current.session != session:
        return False
    connection.execute(
        """INSERT INTO collection_owners (collection_id, session_id, pid, host, started_at, heartbeat_at)
           VALUES (?1, ?2, ?3, ?4, ?5, ?5)
           ON CONFLICT DO UPDATE SET session_id = ?2, pid = ?3, host = ?4, heartbeat_at = ?5,
               started_at = iif(session_id = ?2, started_at, ?5)""",
        (collection_id, session, pid, host, now),
    )
    return True


def release(connection: apsw.Connection, session: str) -> None:
    """Watch nothing any more."""
    connection.execute("DELETE FROM collection_owners WHERE session_id = ?", (session,))
