"""Rows out of queries, as Python values."""

from __future__ import annotations

from typing import Any

import apsw

from quaid.errors import Corrupt


class MissingRow(Corrupt, LookupError):
    """A query that always has a row had none."""


def rows(connection: apsw.Connection, sql: str, bindings: Any = ()) -> list[tuple[Any, ...]]:
    """All rows."""
    return connection.execute(sql, bindings).fetchall()


def row(connection: apsw.Connection, sql: str, bindings: Any = ()) -> tuple[Any, ...]:
    """The first row of a query that always has one."""
    found: tuple[Any, ...] | None = connection.execute(sql, bindings).fetchone()
    if found is None:
        raise MissingRow(
            "the memory lacks a row that should be there", hint="`quaid validate --all` says what is wrong."
        )
    return found
