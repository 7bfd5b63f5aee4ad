"""The rows of a damaged memory, as far as they can be read, in a new one.

Every table is read by store/pager.py, around what is broken. What is derived is made anew by others; what is
not, and cannot be read, is lost, and the answer says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import apsw

from quaid.model.record import record
from quaid.store import seals
from quaid.store.connection import Store
from quaid.store.packing import pack, readable
from quaid.store.pager import INDEX_LEAF, TABLE_LEAF, Damage, DatabaseFile, Row
from quaid.store.rows import rows

# What the texts of pages, the folders or the archive of conversations say too.
DERIVED = frozenset(
    {
        "stocks",
        "page_names",
        "page_places",
        "tags",
        "timeline_entries",
        "links",
        "assertions",
        "nodes",
        "chunks",
        "items",
    }
    | {"embeddings", "item_embeddings", "turn_embeddings", "turns"}
    | {"file_state", "directory_prints", "file_problems", "collection_owners"}
)
# Derived tables that an older Quaid laid out otherwise, and the version since which they are as they are.
_SINCE = 12
_LAID_OUT = frozenset({"page_names", "page_places", "links", "assertions", "file_state", "chunks", "items"})
_TYPES: dict[str, tuple[type, ...]] = {
    "INTEGER": (int,),
    "TEXT": (str,),
    "BLOB": (bytes, str),  # a short text is kept as it is
    "REAL": (float, int),
}
_NAMES = """SELECT page_id, slug FROM (
        SELECT page_id, slug, version FROM deeds WHERE slug IS NOT NULL
        UNION ALL SELECT page_id, slug, version FROM history
        UNION ALL SELECT page_id, trim(folder || '/' || name, '/'), 0 FROM page_places
        UNION ALL SELECT page_id, '', 0 FROM raw_data)
    WHERE page_id NOT IN (SELECT id FROM pages) ORDER BY page_id, version"""


_EPOCH = "1970-01-01T00:00:00Z"
_POSSIBLE: dict[str, Any] = {
    **dict.fromkeys(("created_at", "updated_at"), _EPOCH),
    "type": "concept",
    "frontmatter": "{}",
    "problems": "[]",
    "encoding": "utf-8",
    "format": "markdown",
    "collection_id": 1,
    "version": 1,
    "chunked_by": 0,
    "seal": b"\0",
}


# Where an older Quaid had the parts of a page's text, and what pages of the oldest ones lack.
_PARTS, _PARTS_END = 9, 13
_DEFAULTS: dict[str, Any] = {"chunked_by": 0, "format": "markdown", "seal": b"", "fields": "", "has_tasks": 0}


@record
class Loss:
    """Something that is not derived and could not be read."""

    what: str  # a table, or `page`
    detail: str


@record
class Recovered:
    """What was read out of a damaged memory."""

    rows: dict[str, int]  # by table
    losses: tuple[Loss, ...]
    derived: tuple[str, ...]  # damaged tables that are made anew
    versions: tuple[tuple[str, int, str, bytes], ...]  # of pages that are lost: slug, version, format, bytes


@record
class _Table:
    """A table of a memory: its columns with their types, and the one that is the number of the row."""

    name: str
    columns: tuple[tuple[str, str, bool], ...]  # name, type, whether it may be NULL
    rowid: int | None  # the place of the column
    leaf: int

    def fits(self, row: Row) -> bool:
        """Whether a row whose table is not known may be one of this table."""
        if len(row.values) != len(self.columns):
            return False
        return all(
            (value is None and (empty or place == self.rowid)) or isinstance(value, _TYPES[kind])
            for place, (value, (_, kind, empty)) in enumerate(zip(row.values, self.columns, strict=True))
        )

    def insertion(self, row: Row) -> tuple[str, list[Any]]:
        """The statement that adds a row, of this version of the table or of an older one, and its values."""
        values = list(row.values)
        if self.rowid is not None and len(values) > self.rowid:
            values[self.rowid] = row.rowid
        names = ", ".join(name for name, _, _ in self.columns[: len(values)])
        return f"INTO {self.name} ({names}) VALUES ({', '.join('?' * len(values))})", values


def recover(source: DatabaseFile, into: Path) -> Recovered:
    """Make a new memory of all rows that can be read."""
    store = Store.create(into)
    try:
        connection = store.connection
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)  # words are indexed later, all at once
        with store.write():
            return _Recovery(source, connection).run()
    finally:
        store.close()


class _Recovery:
    """One run. Losses are counted by table."""

    def __init__(self, source: DatabaseFile, connection: apsw.Connection) -> None:
        self._source = source
        self._connection = connection
        self._tables = {table.name: table for table in _tables(connection)}
        self._rows: Counter[str] = Counter()
        self._damage: dict[str, list[str]] = {}

    def run(self) -> Recovered:
        roots = self._roots()
        self._connection.execute("DELETE FROM collections")
        passed_over = _LAID_OUT if self._source.version < _SINCE else frozenset()
        for name, table in self._tables.items():
            if name not in passed_over:
                self._copy(table, roots.pop(name, 0))
        self._continue_numbers(roots.pop("sqlite_sequence", 0))
        for root in roots.values():
            self._source.mark(root)
        if self._damage.keys() - DERIVED:
            self._adopt_orphans()
        for each in self._source.damage:
            self._note("log", f"page {each.page}: {each.reason}" if each.page else each.reason)
        losses = list(self._lost_pages())
        versions = self._lost_versions()
        self._seal()
        self._make_collections()
        self._reread_conversations()
        self._drop_parentless()
        losses += [
            Loss(name, detail)
            for name, details in sorted(self._damage.items())
            if name not in DERIVED
            for detail in details
        ]
        derived = tuple(sorted(self._damage.keys() & DERIVED))
        return Recovered(dict(self._rows), tuple(losses), derived, versions)

    def _roots(self) -> dict[str, int]:
        """Where the tree of each table and index begins, as far as the file says so."""
        roots: dict[str, int] = {}
        for found in self._source.rows(1):
            if isinstance(found, Damage):
                self._note("definitions", f"page {found.page}: {found.reason}")
            elif len(found.values) == 5 and isinstance(found.values[3], int) and found.values[3] > 1:
                roots[str(found.values[1])] = found.values[3]
        return roots

    def _copy(self, table: _Table, root: int) -> None:
        if not root:
            self._note(table.name, "the file does not say where it begins")
            return
        for found in self._source.rows(root):
            if isinstance(found, Damage):
                self._note(table.name, f"page {found.page}: {found.reason}")
            elif not self._insert(table, found := _as_today(table, found)):
                if table.name == "pages" and self._insert(table, _mended(table, found)):
                    self._note("page", f"{found.values[2]}: what is known besides its text is damaged")
                    continue
                self._note(table.name, f"a row makes no sense: {_row_text(found)}")

    def _continue_numbers(self, root: int) -> None:
        """Let ids go on where they were: that of a row which was removed is not given again."""
        for found in self._source.rows(root) if root else ():
            if isinstance(found, Row) and len(found.values) == 2 and isinstance(found.values[1], int):
                name, last = found.values
                if name in self._tables:
                    self._connection.execute(
                        "DELETE FROM sqlite_sequence WHERE name = ?1 AND seq < ?2", (name, last)
                    )
                    sql = """INSERT INTO sqlite_sequence (name, seq) SELECT ?1, ?2
                        WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1)"""
                    self._connection.execute(sql, (name, last))

    def _insert(self, table: _Table, row: Row, over: str = "INSERT") -> bool:
        if not 0 < len(row.values) <= len(table.columns):
            return False
        statement, values = table.insertion(row)
        try:
            self._connection.execute(f"{over} {statement}", values)
        except (apsw.Error, ValueError, OverflowError):
            return False
        self._rows[table.name] += self._connection.changes()
        return True

    def _adopt_orphans(self) -> None:
        """Rows of pages to which no table leads any more, where one table alone can have them."""
        kept = [table for name, table in self._tables.items() if name not in DERIVED]
        damaged = {name for name in self._damage if name in self._tables}
        for number, leaf, found in self._source.orphans():
            fitting = [table for table in kept if table.leaf == leaf and all(map(table.fits, found))]
            if len(fitting) == 1 and fitting[0].name in damaged:
                before = self._rows[fitting[0].name]
                for row in found:
                    self._insert(fitting[0], row, "INSERT OR IGNORE")
                count = self._rows[fitting[0].name] - before
                if count:
                    detail = (
                        f"page {number} was loose: {count} rows, of which some may be older or removed ones"
                    )
                    self._note(fitting[0].name, detail)

    def _lost_pages(self) -> Iterator[Loss]:
        names: Mapping[int, str] = dict(rows(self._connection, _NAMES))
        for page_id, slug in names.items():
            yield Loss("page", f"{slug or f'page {page_id}'} is lost")

    def _lost_versions(self) -> tuple[tuple[str, int, str, bytes], ...]:
        sql = """SELECT slug, version, format, bytes FROM history WHERE page_id NOT IN (SELECT id FROM pages)
            ORDER BY slug, version"""
        return tuple(rows(self._connection, sql))

    def _make_collections(self) -> None:
        """Collections for pages whose own is lost: their pages then live in the memory."""
        missing = (
            "SELECT DISTINCT collection_id FROM pages WHERE collection_id NOT IN (SELECT id FROM collections)"
        )
        for (collection,) in rows(self._connection, missing):
            self._connection.execute(
                "INSERT INTO collections (id, name) VALUES (?, ?)",
                (collection, "default" if collection == 1 else f"rescued-{collection}"),
            )
        self._connection.execute("INSERT OR IGNORE INTO collections (id, name) VALUES (1, 'default')")

    def _seal(self) -> None:
        """Seal what an older Quaid wrote, which had no seals. No version of a page comes again."""
        self._connection.execute(
            """UPDATE pages SET version = max(version,
               coalesce((SELECT max(version) FROM deeds WHERE page_id = pages.id), 1),
               coalesce((SELECT max(version) + 1 FROM history WHERE page_id = pages.id), 1))"""
        )
        for table, seal in (("pages", seals.PAGE), ("history", seals.VERSION), ("raw_data", seals.RAW)):
            self._connection.execute(f"UPDATE {table} SET seal = {seal} WHERE seal = x''")

    def _reread_conversations(self) -> None:
        """Have those whose turns are not all there read from their archive, which has another length."""
        self._connection.execute(
            """UPDATE conversations SET archived = 1 WHERE forgotten = 0 AND turns <>
               (SELECT count(*) FROM turns WHERE conversation_id = conversations.id)"""
        )

    def _drop_parentless(self) -> None:
        """Take away what belongs to rows that are lost, and what that belongs to."""
        changed = True
        while changed:
            changed = False
            for name in self._tables:
                for _, _, parent, column, other, _, on_delete, _ in rows(
                    self._connection, f"PRAGMA foreign_key_list({name})"
                ):
                    verb = (
                        f"UPDATE {name} SET {column} = NULL"
                        if on_delete == "SET NULL"
                        else f"DELETE FROM {name}"
                    )
                    known = f"SELECT {other or 'id'} FROM {parent}"
                    self._connection.execute(
                        f"{verb} WHERE {column} IS NOT NULL AND {column} NOT IN ({known})"
                    )
                    count = self._connection.changes()
                    changed = changed or count > 0
                    if count:
                        self._note(name, f"{count} rows belonged to lost {parent}")

    def _note(self, table: str, detail: str) -> None:
        self._damage.setdefault(table, []).append(detail)


def _tables(connection: apsw.Connection) -> Iterator[_Table]:
    """The tables of a new memory that have rows of their own: not those behind word indexes."""
    listed = rows(
        connection,
        """SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
           AND name NOT LIKE 'sqlite_%'""",
    )
    for name, without_rowid in sorted(listed):
        columns = rows(connection, f"PRAGMA table_info({name})")
        keys = [place for place, (*_, kind, _, _, key) in enumerate(columns) if key and kind == "INTEGER"]
        alone = len([key for *_, key in columns if key]) == 1
        yield _Table(
            name,
            tuple((column, kind or "TEXT", not notnull) for _, column, kind, notnull, _, _ in columns),
            keys[0] if keys and alone and not without_rowid else None,
            INDEX_LEAF if without_rowid else TABLE_LEAF,
        )


def _as_today(table: _Table, row: Row) -> Row:
    """A row of a page as it is kept today, with as much of its text as can be read.

    An older Quaid kept the parts of a text in four columns.
    """
    if table.name != "pages" or len(row.values) < _PARTS_END:
        return row
    if len(row.values) == len(table.columns):
        *others, kept = row.values
        return Row(row.rowid, (*others, readable(kept) if isinstance(kept, bytes) else kept))
    parts = [each if isinstance(each, str) else "" for each in row.values[_PARTS:_PARTS_END]]
    values = dict(zip(_names(table), (*row.values[:_PARTS], *row.values[_PARTS_END:]), strict=False))
    starts = [sum(map(len, parts[:place])) for place in (1, 2, 3)]
    values |= dict(zip(("truth_start", "rule_start", "timeline_start"), starts, strict=True))
    values["packed"] = pack("".join(parts))
    return Row(row.rowid, tuple(values.get(name, _DEFAULTS.get(name, "")) for name in _names(table)))


def _names(table: _Table) -> list[str]:
    return [name for name, _, _ in table.columns]


def _mended(table: _Table, row: Row) -> Row:
    """A page whose text may be read, with something that is possible in the place of what is not."""
    values = []
    for value, (name, kind, empty) in zip(row.values, table.columns, strict=False):
        if isinstance(value, str) and "\0" in value:
            value = value.replace("\0", "") or None
        if not isinstance(value, _TYPES[kind]) or (name == "version" and not value):
            value = None if empty else _POSSIBLE.get(name, "")
        values.append(value)
    return Row(row.rowid, tuple(values))


def _row_text(row: Row) -> str:
    return ", ".join(str(value)[:40] for value in row.values[:4])
