"""Names of pages, and what links to a name lead to."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping

import apsw


def replace(connection: apsw.Connection, page_id: int, names: Mapping[str, int]) -> set[str]:
    """Make these the page's names; the answer is the names that came, went or changed kind."""
    before = of_page(connection, page_id)
    changed = {name for name in before.keys() | names.keys() if before.get(name) != names.get(name)}
    gone = [(name, page_id) for name in changed if name in before]
    come = [(name, page_id, names[name]) for name in changed if name in names]
    connection.executemany("DELETE FROM page_names WHERE name = ? AND page_id = ?", gone)
    connection.executemany("INSERT INTO page_names (name, page_id, kind) VALUES (?, ?, ?)", come)
    return changed


def of_page(connection: apsw.Connection, page_id: int) -> dict[str, int]:
    """A page's names and their kinds."""
    return dict(connection.execute("SELECT name, kind FROM page_names WHERE page_id = ?", (page_id,)))


def resolve_links(connection: apsw.Connection, names: Collection[str]) -> None:
    """Let every link to these names lead to the page that answers best now."""
    chosen = json.dumps(sorted(names), ensure_ascii=False)
    connection.execute(f"{_RESOLVE} WHERE target_name IN (SELECT value FROM json_each(?))", (chosen,))


def resolve_links_of(connection: apsw.Connection, page_id: int) -> None:
    """Let the links of a page that lead nowhere lead to the page that answers best."""
    connection.execute(f"{_RESOLVE} WHERE from_page_id = ? AND to_page_id IS NULL", (page_id,))


# The choice depends on the pages alone, never on the order in which they came: the link's own collection
# first, then the kind of the name, then the shorter slug.
_ANSWER = """
        SELECT n.page_id FROM page_names n
        JOIN live_pages p ON p.id = n.page_id
        JOIN collections c ON c.id = p.collection_id
        WHERE n.name = links.target_name
          AND (links.target_collection IS NULL OR links.target_collection = c.name)
        ORDER BY p.collection_id <> (SELECT collection_id FROM pages WHERE id = links.from_page_id),
                 n.kind, length(p.slug), p.slug, p.collection_id
        LIMIT 1"""
_RESOLVE = f"UPDATE links SET to_page_id = ({_ANSWER})"


def misled(connection: apsw.Connection) -> list[int]:
    """Links of live pages that do not lead to the page that answers best."""
    sql = f"""SELECT id FROM links WHERE to_page_id IS NOT ({_ANSWER})
        AND from_page_id IN (SELECT id FROM live_pages)"""
    return [link_id for (link_id,) in connection.execute(sql)]
