"""The config table: settings that travel with the memory."""

from __future__ import annotations

import apsw


def values(connection: apsw.Connection) -> dict[str, str]:
    """All settings as text."""
    return dict(connection.execute("SELECT key, value FROM config"))


def put(connection: apsw.Connection, key: str, value: str) -> None:
    """Set one."""
    connection.execute(
        "INSERT INTO config (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
        (key, value),
    )


def remove(connection: apsw.Connection, key: str) -> None:
    """Unset one."""
    connection.execute("DELETE FROM config WHERE key = ?", (key,))
