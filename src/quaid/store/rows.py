"""Rows out of queries, as Python values."""

from __future__ import annotations

from typing import Any

import apsw


def rows(connection: apsw.Connection, sql: str, bindings: Any = ()) -> list[tuple[Any, ...]]:
    """All rows."""
    return connection.execute(sql, bindings).fetchall()


def row(connection: apsw.Connection, sql: str, bindings: Any = ()) -> tuple[Any, ...]:
    """The first row of a query that always has one."""
    found: tuple[Any, ...] | None = connection.execute(sql, bindings).fetchone()
    if found is None:
        raise LookupError(sql)
    return found
