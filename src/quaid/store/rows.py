"""Rows out of queries, as Python values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import apsw

from quaid.errors import Corrupt
from quaid.store.failures import VALIDATE

T = TypeVar("T")


class MissingRow(Corrupt, LookupError):
    """A query that always has a row had none."""


def rows(connection: apsw.Connection, sql: str, bindings: Any = ()) -> list[tuple[Any, ...]]:
    """All rows."""
    return connection.execute(sql, bindings).fetchall()


def column(connection: apsw.Connection, sql: str, bindings: Any = ()) -> list[Any]:
    """The first value of every row."""
    return [each[0] for each in connection.execute(sql, bindings)]


def records(kind: Callable[..., T], connection: apsw.Connection, sql: str, bindings: Any = ()) -> list[T]:
    """All rows as records whose fields are the columns."""
    return [kind(*each) for each in connection.execute(sql, bindings)]


def first(connection: apsw.Connection, sql: str, bindings: Any = ()) -> Any:
    """The first value of the first row; None if there is no row."""
    found = connection.execute(sql, bindings).fetchone()
    return found[0] if found else None


def next_id(connection: apsw.Connection, table: str) -> int:
    """The id that the next row of a table will have, which never had a row before; to whoever may write."""
    return int(first(connection, "SELECT seq FROM sqlite_sequence WHERE name = ?", (table,)) or 0) + 1


def row(connection: apsw.Connection, sql: str, bindings: Any = ()) -> tuple[Any, ...]:
    """The first row of a query that always has one."""
    found: tuple[Any, ...] | None = connection.execute(sql, bindings).fetchone()
    if found is None:
        raise MissingRow("the memory lacks a row that should be there", hint=VALIDATE)
    return found
