"""The raw_data table: what a source said about a page, as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import apsw

from quaid.store import seals


def of_page(
    connection: apsw.Connection, page_id: int, source: str | None = None
) -> dict[str, tuple[Any, str]]:
    """Data and time of fetching by source."""
    sql = """SELECT source, data, fetched_at FROM raw_data
        WHERE page_id = ?1 AND (?2 IS NULL OR source = ?2) ORDER BY source"""
    found = connection.execute(sql, (page_id, source))
    return {source: (json.loads(data), fetched) for source, data, fetched in found}


def put(connection: apsw.Connection, page_id: int, source: str, data: Any, now: str) -> None:
    """One source's data, in place of what it said before."""
    connection.execute(
        """INSERT INTO raw_data (page_id, source, data, fetched_at) VALUES (?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET data = excluded.data, fetched_at = excluded.fetched_at, seal = x''""",
        (page_id, source, json.dumps(data, ensure_ascii=False), now),
    )
    _seal(connection, page_id)


def replace(
    connection: apsw.Connection,
    page_id: int,
    sources: Mapping[str, Any],
    now: str,
    fetched: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Make these all that is kept of what sources said; what has not changed keeps its time."""
    for source, (data, _) in of_page(connection, page_id).items():
        if source not in sources or sources[source] != data:
            connection.execute("DELETE FROM raw_data WHERE page_id = ? AND source = ?", (page_id, source))
    for source, data in sources.items():
        connection.execute(
            "INSERT OR IGNORE INTO raw_data (page_id, source, data, fetched_at) VALUES (?, ?, ?, ?)",
            (page_id, source, json.dumps(data, ensure_ascii=False), fetched.get(source, now)),
        )
    _seal(connection, page_id)


def remove(connection: apsw.Connection, page_id: int, source: str) -> bool:
    """Keep one source's data no longer; the answer is whether there was any."""
    connection.execute("DELETE FROM raw_data WHERE page_id = ? AND source = ?", (page_id, source))
    return connection.changes() > 0


def _seal(connection: apsw.Connection, page_id: int) -> None:
    """Seal what has no seal yet."""
    sql = f"UPDATE raw_data SET seal = {seals.RAW} WHERE page_id = ? AND seal = x''"
    connection.execute(sql, (page_id,))
