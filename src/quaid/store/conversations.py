"""Conversations: what is known of each, and how far its transcript was read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import apsw

from quaid.model.record import record
from quaid.store.rows import records, row, rows

_COLUMNS = (
    "id, key, client, session, parent, path, project, branch, title, started, ended, turns, malformed, "
    "source, archived, forgotten"
)


@record
class ConversationRow:
    """A conversation. `source` says how far its transcript was read, `archived` how much of its archive."""

    id: int
    key: str
    client: str
    session: str
    parent: str = ""
    path: str = ""
    project: str = ""
    branch: str = ""
    title: str = ""
    started: str = ""
    ended: str = ""
    turns: int = 0
    malformed: int = 0
    source: str = "{}"
    archived: int = 0
    forgotten: bool = False

    @property
    def state(self) -> dict[str, Any]:
        """How far its transcript was read."""
        found: dict[str, Any] = json.loads(self.source)
        return found


@record
class ConversationFilter:
    """Conditions on conversations, all of which hold; what is None does not count."""

    client: str | None = None
    project: str | None = None
    since: str | None = None
    until: str | None = None

    @property
    def any(self) -> bool:
        return any((self.client, self.project, self.since, self.until))

    def where(self, time: str = "u.time") -> tuple[str, list[Any]]:
        """SQL conditions on `conversations p` and on a time, joined with AND, and their parameters."""
        conditions, values = ["p.forgotten = 0"], list[Any]()
        if self.client:
            conditions.append("p.client = ?")
            values.append(self.client)
        if self.project:
            # The folder itself, one above it, or the folder's own name.
            conditions.append(
                "(p.project = ? OR p.project LIKE ? ESCAPE '\\' OR p.project LIKE ? ESCAPE '\\')"
            )
            escaped = self.project.rstrip("/").replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
            values += [self.project, f"{escaped}/%", f"%/{escaped}"]
        if self.since:
            conditions.append(f"{time} >= ?")
            values.append(self.since)
        if self.until:
            conditions.append(f"{time} < ? AND {time} <> ''")
            values.append(self.until)
        return " AND ".join(conditions), values


def _row(*found: Any) -> ConversationRow:
    return ConversationRow(*(*found[:-1], bool(found[-1])))


def by_key(connection: apsw.Connection, key: str) -> ConversationRow | None:
    """The conversation of that key."""
    found = rows(connection, f"SELECT {_COLUMNS} FROM conversations WHERE key = ?", (key,))
    return _row(*found[0]) if found else None


def load(connection: apsw.Connection, conversation_id: int) -> ConversationRow:
    """The conversation of that id."""
    return _row(*row(connection, f"SELECT {_COLUMNS} FROM conversations WHERE id = ?", (conversation_id,)))


def conversations_named(connection: apsw.Connection, name: str, limit: int = 5) -> list[ConversationRow]:
    """Conversations whose key or session begins so; one that has the whole name is the only one."""
    sql = f"""SELECT {_COLUMNS} FROM conversations WHERE forgotten = 0
        AND (substr(key, 1, length(?1)) = ?1 OR substr(session, 1, length(?1)) = ?1)
        ORDER BY key = ?1 DESC, session = ?1 DESC, id LIMIT ?2"""
    found = records(_row, connection, sql, (name, limit))
    whole = [each for each in found if name in (each.key, each.session)]
    return whole[:1] or found


def newest(connection: apsw.Connection, chosen: ConversationFilter, limit: int) -> list[ConversationRow]:
    """The conversations that are meant, the last ones first; those without a turn are left out."""
    where, values = chosen.where("p.ended")
    sql = f"""SELECT {_COLUMNS} FROM conversations p WHERE {where} AND turns > 0
        ORDER BY ended DESC, id DESC LIMIT ?"""
    return records(_row, connection, sql, (*values, limit))


def count(connection: apsw.Connection, chosen: ConversationFilter) -> int:
    """How many conversations are meant."""
    where, values = chosen.where("p.ended")
    sql = f"SELECT count(*) FROM conversations p WHERE {where} AND turns > 0"
    return int(row(connection, sql, values)[0])


def states(connection: apsw.Connection) -> Iterator[tuple[str, str, str, bool]]:
    """Key, path, state of the source, and whether it is forgotten, of every conversation."""
    sql = "SELECT key, path, source, forgotten FROM conversations"
    for key, path, source, forgotten in rows(connection, sql):
        yield key, path, source, bool(forgotten)


def keys(connection: apsw.Connection) -> dict[str, int]:
    """Every key, and how much of its archive is here."""
    return dict(connection.execute("SELECT key, archived FROM conversations"))


def put(connection: apsw.Connection, conversation: ConversationRow) -> ConversationRow:
    """Keep what is known of a conversation; a new one gets its id."""
    columns = _COLUMNS.removeprefix("id, ")
    values = [getattr(conversation, name) for name in columns.split(", ")]
    changes = ", ".join(f"{name} = excluded.{name}" for name in columns.split(", ") if name != "key")
    found = row(
        connection,
        f"""INSERT INTO conversations ({columns}) VALUES ({", ".join("?" * len(values))})
            ON CONFLICT (key) DO UPDATE SET {changes} RETURNING {_COLUMNS}""",
        values,
    )
    return _row(*found)


def remove(connection: apsw.Connection, conversation_id: int) -> None:
    """Delete a conversation with its turns."""
    connection.execute("DELETE FROM conversations WHERE id = ?", (conversation_id,))
