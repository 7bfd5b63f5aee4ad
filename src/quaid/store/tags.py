"""The tags table."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from quaid.store.rows import column, first, rows

COMMON = 1_000
INSERT = "INSERT OR IGNORE INTO tags (page_id, tag) VALUES (?, ?)"


def replace(connection: apsw.Connection, page_id: int, tags: Sequence[str]) -> None:
    """Make these the page's tags."""
    before = of_page(connection, page_id)
    if before == sorted(tags, key=str.lower):
        return
    connection.execute("DELETE FROM tags WHERE page_id = ?", (page_id,))
    connection.executemany(INSERT, [(page_id, tag) for tag in tags])


def of_page(connection: apsw.Connection, page_id: int) -> list[str]:
    """A page's tags, sorted."""
    return column(connection, "SELECT tag FROM tags WHERE page_id = ? ORDER BY tag", (page_id,))


def is_common(connection: apsw.Connection, tag: str) -> bool:
    """Whether so many pages carry a tag that it is quicker to walk the pages in order than to sort those."""
    return first(connection, "SELECT 1 FROM tags WHERE tag = ? LIMIT 1 OFFSET ?", (tag, COMMON)) is not None


def counts(connection: apsw.Connection) -> list[tuple[str, int]]:
    """Every tag with the number of live pages that carry it, most used first."""
    sql = """SELECT min(t.tag), count(*) FROM tags t JOIN live_pages p ON p.id = t.page_id
        GROUP BY t.tag ORDER BY count(*) DESC, t.tag"""
    return rows(connection, sql)


def starting_with(connection: apsw.Connection, prefix: str, limit: int) -> list[str]:
    """Tags that start with a text."""
    sql = """SELECT DISTINCT t.tag FROM tags t JOIN live_pages p ON p.id = t.page_id
        WHERE substr(t.tag, 1, length(?1)) = ?1 ORDER BY t.tag LIMIT ?2"""
    return column(connection, sql, (prefix, limit))
