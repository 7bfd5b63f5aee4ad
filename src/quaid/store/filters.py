"""Which pages a list or a search is about."""

from __future__ import annotations

from typing import Any, Literal

import apsw

from quaid.model.record import record
from quaid.store.deeds import LAST_WRITTEN_BY
from quaid.store.rows import column, first

Field = Literal["type", "tag", "wing"]
_VALUES: dict[Field, str] = {
    "type": "SELECT type AS value FROM live_pages",
    "tag": "SELECT tag AS value FROM tags t JOIN live_pages p ON p.id = t.page_id",
    "wing": "SELECT wing AS value FROM live_pages WHERE wing <> ''",
}


def has_value(connection: apsw.Connection, field: Field, value: str) -> bool:
    """Whether a live page has that type, tag or wing."""
    sql = f"SELECT 1 FROM ({_VALUES[field]}) WHERE value = ? LIMIT 1"
    return first(connection, sql, (value,)) is not None


def values(connection: apsw.Connection, field: Field) -> list[str]:
    """All types, tags or wings of live pages, the most frequent first."""
    sql = f"SELECT value FROM ({_VALUES[field]}) GROUP BY value ORDER BY count(*) DESC, value"
    return column(connection, sql)


@record
class PageFilter:
    """Conditions on pages; those that are None do not count."""

    type: str | None = None
    tag: str | None = None
    wing: str | None = None
    collection: str | None = None
    since: str | None = None
    until: str | None = None  # the first moment that does not count
    by: str | None = None  # who wrote last: a name or a kind of actor
    under: str | None = None  # the folder, as slugs have it
    narrowed: bool = False  # the connection does not see all pages

    @property
    def any(self) -> bool:
        named = (self.type, self.tag, self.wing, self.collection, self.since, self.until, self.by, self.under)
        return self.narrowed or any(named)

    def where(self, *, walk: bool = False) -> tuple[str, list[Any]]:
        """SQL conditions on `live_pages p`, joined with AND, and their parameters.

        With `walk`, SQLite takes the pages in their order and looks at the tag of each, instead of taking
        all pages of the tag and sorting them.
        """
        tagged = "IN (SELECT page_id FROM tags WHERE tag = ?)"
        conditions = ["p.quarantined_at IS NULL"]
        parameters: list[Any] = []
        for value, condition in (
            (self.type, "p.type = ?"),
            (self.tag, f"{'+' if walk else ''}p.id {tagged}"),
            (self.wing, "p.wing = ?"),
            (self.collection, "p.collection_id = (SELECT id FROM collections WHERE name = ?)"),
            (self.since, "p.updated_at >= ?"),
            (self.until, "p.updated_at < ?"),
            (self.by, f"p.id IN ({LAST_WRITTEN_BY})"),
        ):
            if value is not None:
                conditions.append(condition)
                parameters.append(value)
        if self.under is not None:
            conditions.append("p.slug >= ? AND p.slug < ?")
            parameters += [f"{self.under}/", f"{self.under}0"]  # "0" comes right after "/"
        return " AND ".join(conditions), parameters
