"""A connection that sees some collections, and nothing else.

Names of tables mean views of its own, which leave out what is not to be seen: whatever is asked, by whichever
statement, comes from there. What has neither a page nor a collection is empty, unless it is listed here; so a
table that is added one day is not seen before somebody has thought about it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import apsw

from quaid.store.connection import Store
from quaid.store.rows import rows

# What holds no page's text: settings, the models, vectors by the hashes of texts, who wrote.
_OPEN = ("config", "embedding_models", "embeddings", "item_embeddings", "actors", "sessions")
_VISIBLE = "EXISTS (SELECT 1 FROM main.pages v WHERE v.id = t.{column} AND v.collection_id IN ({ids}))"
_ALL_OF = {  # of tables about two pages: both must be seen
    "contradictions": ("page_id", "other_page_id"),
}


def confine(connection: apsw.Connection, collections: Sequence[str]) -> None:
    """Let a connection see these collections alone. It can write nothing from then on."""
    marks = ", ".join("?" for _ in collections)
    found = rows(connection, f"SELECT id FROM main.collections WHERE name IN ({marks})", collections)
    ids = ", ".join(str(int(identity)) for (identity,) in found)
    tables = rows(
        connection,
        """SELECT name FROM main.sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'
           AND name NOT LIKE 'sqlite_%' AND NOT EXISTS (
               SELECT 1 FROM main.sqlite_schema v WHERE v.sql LIKE 'CREATE VIRTUAL%'
               AND substr(sqlite_schema.name, 1, length(v.name) + 1) = v.name || '_')""",
    )
    views = {table: _view(connection, table, ids) for (table,) in tables if table not in _OPEN}
    views["live_pages"] = f"SELECT * FROM main.live_pages WHERE collection_id IN ({ids})"
    for name, select in views.items():
        connection.execute(f'CREATE TEMP VIEW "{name}" AS {select}')


def _view(connection: apsw.Connection, table: str, ids: str) -> str:
    """What is seen of a table."""
    columns = [name for (name,) in rows(connection, "SELECT name FROM pragma_table_xinfo(?)", (table,))]
    source = f'main."{table}" t'
    if table == "collections":
        return f"SELECT * FROM {source} WHERE id IN ({ids})"
    if table == "links":  # that lead to what is not seen lead nowhere
        target = (
            f"CASE WHEN {_VISIBLE.format(column='to_page_id', ids=ids)} THEN to_page_id END AS to_page_id"
        )
        listed = ", ".join(target if name == "to_page_id" else f'"{name}"' for name in columns)
        return f"SELECT {listed} FROM {source} WHERE {_VISIBLE.format(column='from_page_id', ids=ids)}"
    if "collection_id" in columns:
        return f"SELECT * FROM {source} WHERE collection_id IN ({ids})"
    if "page_id" in columns:
        owners = _ALL_OF.get(table, ("page_id",))
        seen = [f"({_VISIBLE.format(column=each, ids=ids)} OR {each} IS NULL)" for each in owners[1:]]
        return f"SELECT * FROM {source} WHERE " + " AND ".join(
            [_VISIBLE.format(column=owners[0], ids=ids), *seen]
        )
    return f"SELECT * FROM {source} WHERE 0"


class ConfinedStore(Store):
    """A memory of which some collections are seen."""

    def __init__(self, path: Path, collections: Sequence[str]) -> None:
        super().__init__(path)
        self._collections = collections

    @property
    def connection(self) -> apsw.Connection:
        """This thread's connection."""
        is_new = getattr(self._local, "connection", None) is None
        connection = super().connection
        if is_new:
            confine(connection, self._collections)
        return connection
