"""The collections table."""

from __future__ import annotations

import apsw

from quaid.model.record import record


@record
class CollectionRow:
    """A named set of pages."""

    id: int
    name: str
    kind: str
    read_only: bool


def by_name(connection: apsw.Connection, name: str) -> CollectionRow | None:
    """The collection of that name."""
    row = connection.execute(
        "SELECT id, name, kind, read_only FROM collections WHERE name = ?", (name,)
    ).fetchone()
    return CollectionRow(row[0], row[1], row[2], bool(row[3])) if row else None


def names(connection: apsw.Connection) -> list[str]:
    """All collections, the first one first."""
    return [row[0] for row in connection.execute("SELECT name FROM collections ORDER BY id")]
