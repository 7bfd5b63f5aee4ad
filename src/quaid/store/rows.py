"""Rows out of queries, as Python values."""

from __future__ import annotations

from typing import Any

import apsw

from quaid.errors import Corrupt
from quaid.store.failures import VALIDATE


class MissingRow(Corrupt, LookupError):
    """A query that always has a row had none."""


def rows(connection: apsw.Connection, sql: str, bindings: Any = ()) -> list[tuple[Any, ...]]:
    """All rows."""
    return connection.execute(sql, bindings).fetchall()


def next_id(connection: apsw.Connection, table: str) -> int:
    """The id that the next row of a table will have, which never had a row before; to whoever may write."""
    found = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,)).fetchone()
    return int(found[0]) + 1 if found else 1


def row(connection: apsw.Connection, sql: str, bindings: Any = ()) -> tuple[Any, ...]:
    """The first row of a query that always has one."""
    found: tuple[Any, ...] | None = connection.execute(sql, bindings).fetchone()
    if found is None:
        raise MissingRow("the memory lacks a row that should be there", hint=VALIDATE)
    return found
