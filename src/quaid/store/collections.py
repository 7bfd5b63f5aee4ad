"""The collections table."""

from __future__ import annotations

import json
from typing import Any, Literal

import apsw

from quaid.model.record import record
from quaid.store.rows import column, first, row, rows

Kind = Literal["native", "files"]
State = Literal["active", "detached", "restoring", "halted"]
Profile = Literal["vault", "notebook", "kb"]


@record
class CollectionRow:
    """A named set of pages. A relative root starts at the directory of memory.db."""

    id: int
    name: str
    kind: Kind
    read_only: bool
    profile: str
    root: str | None
    state: State
    alarm: str
    synced_at: str | None
    settings: dict[str, Any]


_ROW = "id, name, kind, read_only, profile, root, state, alarm, synced_at, settings"


def by_name(connection: apsw.Connection, name: str) -> CollectionRow | None:
    """The collection of that name."""
    found = _collections(connection, "WHERE name = ?", (name,))
    return found[0] if found else None


def default(connection: apsw.Connection) -> CollectionRow:
    """The collection that is meant when none is named: the oldest."""
    return _collections(connection, "ORDER BY id LIMIT 1")[0]


def everything(connection: apsw.Connection) -> list[CollectionRow]:
    """All collections, the oldest first."""
    return _collections(connection, "ORDER BY id")


def of_files(connection: apsw.Connection) -> list[CollectionRow]:
    """The collections whose pages are files."""
    return _collections(connection, "WHERE kind = 'files' ORDER BY id")


def stated_roots(connection: apsw.Connection) -> list[str]:
    """The folders that the collections name; of a memory of any version."""
    if not first(connection, "SELECT 1 FROM pragma_table_info('collections') WHERE name = 'root'"):
        return []
    return column(connection, "SELECT DISTINCT root FROM collections WHERE root IS NOT NULL ORDER BY id")


def has_files(connection: apsw.Connection) -> bool:
    """Whether there is a collection whose pages are files."""
    return first(connection, "SELECT 1 FROM collections WHERE kind = 'files'") is not None


def names(connection: apsw.Connection) -> list[str]:
    """The names of all collections, the oldest first."""
    return column(connection, "SELECT name FROM collections ORDER BY id")


def insert(
    connection: apsw.Connection,
    name: str,
    root: str | None = None,
    profile: str = "native",
    read_only: bool = False,
    settings: dict[str, Any] | None = None,
    first_version: int = 1,
    identity: int | None = None,
) -> CollectionRow:
    """A new collection: of files if it has a root."""
    stated = json.dumps(settings or {}, ensure_ascii=False)
    connection.execute(
        """INSERT INTO collections (id, name, kind, profile, root, read_only, settings, first_version)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)""",
        (identity, name, "files" if root else "native", profile, root, read_only, stated, first_version),
    )
    return _collections(connection, "WHERE name = ?", (name,))[0]


def first_version(connection: apsw.Connection, collection_id: int) -> int:
    """The version of a new page: above all that its slug had before a rebuild."""
    return int(row(connection, "SELECT first_version FROM collections WHERE id = ?", (collection_id,))[0])


def delete(connection: apsw.Connection, collection_id: int) -> None:
    """Remove a collection with all its rows."""
    connection.execute("DELETE FROM collections WHERE id = ?", (collection_id,))


def rename(connection: apsw.Connection, collection_id: int, name: str) -> None:
    """Give a collection another name."""
    connection.execute("UPDATE collections SET name = ? WHERE id = ?", (name, collection_id))


def give_root(connection: apsw.Connection, collection_id: int, root: str) -> None:
    """Let the pages of a collection be the files of a folder."""
    connection.execute(
        "UPDATE collections SET kind = 'files', profile = 'vault', root = ? WHERE id = ?",
        (root, collection_id),
    )


def set_settings(connection: apsw.Connection, collection_id: int, settings: dict[str, Any]) -> None:
    """A collection's own settings."""
    text = json.dumps(settings, ensure_ascii=False)
    connection.execute("UPDATE collections SET settings = ? WHERE id = ?", (text, collection_id))


def set_state(connection: apsw.Connection, collection_id: int, state: State, alarm: str) -> None:
    """Whether a collection is kept in step with its files, and if not, why."""
    connection.execute(
        "UPDATE collections SET state = ?, alarm = ? WHERE id = ?", (state, alarm, collection_id)
    )


def note_sync(connection: apsw.Connection, collection_id: int, now: str) -> None:
    """The collection is in step with its files."""
    connection.execute("UPDATE collections SET synced_at = ? WHERE id = ?", (now, collection_id))


def page_ids(connection: apsw.Connection, collection_id: int) -> list[int]:
    """The pages of a collection, by slug."""
    return column(
        connection, "SELECT id FROM live_pages WHERE collection_id = ? ORDER BY slug", (collection_id,)
    )


def page_count(connection: apsw.Connection, collection_id: int) -> int:
    """How many pages a collection has."""
    sql = "SELECT count(*) FROM live_pages WHERE collection_id = ?"
    return int(row(connection, sql, (collection_id,))[0])


def page_counts(connection: apsw.Connection, collection_id: int) -> dict[str, int]:
    """How many pages of each type a collection has, most first."""
    sql = """SELECT type, count(*) FROM live_pages WHERE collection_id = ?
        GROUP BY type ORDER BY count(*) DESC, type"""
    return dict(connection.execute(sql, (collection_id,)))


def _collections(
    connection: apsw.Connection, where: str, bindings: tuple[str, ...] = ()
) -> list[CollectionRow]:
    found = rows(connection, f"SELECT {_ROW} FROM collections {where}", bindings)
    return [CollectionRow(*(*each[:3], bool(each[3]), *each[4:-1], json.loads(each[-1]))) for each in found]
