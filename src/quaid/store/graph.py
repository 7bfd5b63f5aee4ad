"""Relations as a graph: pages, and links and assertions between them in both directions.

Only what leads to a page counts, and only pages that may be read. A query takes a whole level of pages
at once, so that the number of queries is that of the levels.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

import apsw

from quaid.model.interval import Interval
from quaid.model.record import record
from quaid.store.filters import PageFilter
from quaid.store.relations import REMOVED, Temporal, leaving, of_claims, reaching, when_linked
from quaid.store.rows import column, records, row, rows


@record
class Scope:
    """Which links count: those of a time, seen from a day, and of one relationship or of all."""

    temporal: Temporal
    day: str
    relationship: str | None = None

    @property
    def kind(self) -> str:
        """The condition on the relationship of `links l`."""
        return "l.relationship = :relationship" if self.relationship else "TRUE"

    @property
    def where(self) -> str:
        """All conditions on `links l`."""
        return f"({when_linked(self.temporal)}) AND {self.kind}"

    @property
    def bindings(self) -> dict[str, str]:
        """The values of the conditions."""
        day = {} if self.temporal == "all" else {"day": self.day}
        return day | ({"relationship": self.relationship} if self.relationship else {})


@record
class Node:
    """A page of the graph."""

    id: int
    slug: str
    title: str
    type: str
    collection: str


@record
class Edge:
    """A link of the graph, from page to page; the id of one that an assertion states is that of the fact,
    negative."""

    id: int
    from_id: int
    to_id: int
    relationship: str
    valid: Interval


def adjacent(
    connection: apsw.Connection, page_ids: Collection[int], scope: Scope, most: int
) -> list[tuple[int, int]]:
    """Each page with each of its neighbours; of a page, at most so many links in each direction are read."""
    return rows(
        connection,
        f"""SELECT f.value, n.value FROM json_each(:pages) f, json_each((
                SELECT json_group_array(l.page) FROM (
                    SELECT l.to_page_id AS page FROM (SELECT * FROM {leaving("= f.value")} l
                        WHERE {scope.kind} LIMIT :most) l
                    WHERE {when_linked(scope.temporal)}
                    UNION
                    SELECT l.from_page_id FROM (SELECT * FROM {reaching("= f.value")} l
                        WHERE {scope.kind} LIMIT :most) l
                    WHERE {when_linked(scope.temporal)}) l)) n
            WHERE n.value <> f.value AND n.value NOT IN {REMOVED}""",
        {"pages": json.dumps(list(page_ids)), "most": most, **scope.bindings},
    )


def exceed(connection: apsw.Connection, page_ids: Collection[int], scope: Scope, most: int) -> bool:
    """Whether one of the pages has more links in a direction than are read."""
    ends = (reaching("= f.value"), leaving("= f.value"))
    beyond = " OR ".join(
        f"EXISTS (SELECT 1 FROM {end} l WHERE {scope.kind} LIMIT 1 OFFSET :most)" for end in ends
    )
    values = {"pages": json.dumps(list(page_ids)), "most": most, "relationship": scope.relationship}
    sql = f"SELECT EXISTS (SELECT 1 FROM json_each(:pages) f WHERE {beyond})"
    return bool(row(connection, sql, values)[0])


def degrees(connection: apsw.Connection, page_ids: Collection[int], most: int) -> dict[int, int]:
    """How many links pages have; in each direction they are counted up to a number."""
    found = rows(
        connection,
        """SELECT f.value,
               (SELECT count(*) FROM (SELECT 1 FROM links WHERE from_page_id = f.value LIMIT :most))
             + (SELECT count(*) FROM (SELECT 1 FROM links WHERE to_page_id = f.value LIMIT :most))
           FROM json_each(:pages) f""",
        {"pages": json.dumps(list(page_ids)), "most": most},
    )
    return dict(found)


def nodes(connection: apsw.Connection, page_ids: Collection[int]) -> dict[int, Node]:
    """What is shown of pages."""
    sql = """SELECT p.id, p.slug, p.title, p.type, c.name FROM json_each(?) f
        CROSS JOIN pages p ON p.id = f.value JOIN collections c ON c.id = p.collection_id"""
    return {each.id: each for each in records(Node, connection, sql, (json.dumps(list(page_ids)),))}


_LISTED = "IN (SELECT value FROM json_each(:pages))"
_EDGE = "l.id, l.from_page_id, l.to_page_id, l.relationship, l.valid_from, l.valid_until"


def edges(
    connection: apsw.Connection, page_ids: Collection[int], scope: Scope, limit: int = -1
) -> list[Edge]:
    """The links between these pages, those of the frontmatter first.

    They are looked up where they start: thousands may lead to a page, but only so many stand in one.
    """
    found = rows(
        connection,
        f"""SELECT {_EDGE} FROM {leaving(_LISTED)} l
            WHERE +l.to_page_id {_LISTED} AND l.to_page_id <> l.from_page_id AND {scope.where}
            ORDER BY l.relationship = 'mentions', l.id LIMIT :limit""",
        {"pages": json.dumps(list(page_ids)), "limit": limit, **scope.bindings},
    )
    once = {each[1:]: each for each in reversed(found)}
    return [_edge(*each) for each in reversed(once.values())]


def edges_by_ids(connection: apsw.Connection, link_ids: Collection[int]) -> dict[int, Edge]:
    """Some links and assertions."""
    sql = f"""SELECT {_EDGE} FROM json_each(:ids) f CROSS JOIN links l ON l.id = f.value
        UNION ALL SELECT {_EDGE} FROM {of_claims("json_each(:ids)")} l"""
    return {each.id: each for each in records(_edge, connection, sql, {"ids": json.dumps(list(link_ids))})}


def links_of_pages(
    connection: apsw.Connection, page_ids: Collection[int], scope: Scope, *, backward: bool
) -> list[tuple[int, int, int, bool]]:
    """All links that start from pages, or lead to them: page, other page, link, whether it is a mention."""
    here, there = ("to_page_id", "from_page_id") if backward else ("from_page_id", "to_page_id")
    found = rows(
        connection,
        f"""SELECT l.{here}, l.{there}, l.id, l.relationship = 'mentions'
            FROM {reaching(_LISTED) if backward else leaving(_LISTED)} l
            WHERE {scope.where} AND l.{there} NOT IN {REMOVED}""",
        {"pages": json.dumps(list(page_ids)), **scope.bindings},
    )
    return [(page, other, link, bool(mention)) for page, other, link, mention in found]


_LINKED_FROM = f"""EXISTS (SELECT 1 FROM {reaching("= p.id")} l WHERE l.from_page_id <> p.id
    AND l.from_page_id NOT IN {REMOVED})"""
_LINKED_TO = f"""EXISTS (SELECT 1 FROM {leaving("= p.id")} l WHERE l.to_page_id <> p.id)"""


def orphans(connection: apsw.Connection, chosen: PageFilter, *, inbound: bool) -> list[int]:
    """Pages to which no other links, and (unless only that is asked) that link to none; by slug."""
    where, parameters = chosen.where()
    linked = "" if inbound else f" AND NOT {_LINKED_TO}"
    sql = f"""SELECT p.id FROM pages p WHERE {where} AND NOT {_LINKED_FROM}{linked}
        ORDER BY p.collection_id, p.slug"""
    return column(connection, sql, parameters)


def types(connection: apsw.Connection, page_ids: Collection[int]) -> dict[str, int]:
    """How many of the pages are of each type, the most frequent first."""
    sql = """SELECT p.type, count(*) FROM json_each(?) f CROSS JOIN pages p ON p.id = f.value
        GROUP BY p.type ORDER BY 2 DESC, 1"""
    return dict(rows(connection, sql, (json.dumps(list(page_ids)),)))


def pages(connection: apsw.Connection, chosen: PageFilter) -> list[int]:
    """The pages that pass a filter, in the order in which they came."""
    where, parameters = chosen.where()
    sql = f"SELECT p.id FROM pages p WHERE {where} ORDER BY p.id"
    return column(connection, sql, parameters)


def count_pages(connection: apsw.Connection, chosen: PageFilter) -> int:
    """How many pages pass a filter."""
    where, parameters = chosen.where()
    return int(row(connection, f"SELECT count(*) FROM pages p WHERE {where}", parameters)[0])


def _edge(*found: Any) -> Edge:
    return Edge(*(*found[:4], Interval(*found[4:])))
