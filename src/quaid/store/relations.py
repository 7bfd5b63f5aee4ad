"""Relations between pages: typed links, mentions, and assertions whose subject and object are pages.

A typed link and an assertion are one relation seen from two sides. Where both say the same, the link
stands for both.
What a name means is decided as everywhere: the page that states the fact, its collection, the better kind
of name.
"""

from __future__ import annotations

import json
from typing import Any, Literal

import apsw

from quaid.formats.fields import snake_case
from quaid.formats.slugs import fold
from quaid.model.interval import Interval
from quaid.model.page import Claim, split_target
from quaid.model.record import record
from quaid.store.keys import name_key
from quaid.store.rows import rows

Temporal = Literal["current", "historical", "all"]
Side = Literal["subject", "object"]

# A set that SQLite makes once for each query; asking each page would read its text as well.
REMOVED = "(SELECT id FROM pages WHERE quarantined_at IS NOT NULL)"
# Pages made after a day; times are UTC, and a day of the person may begin before one or end after it.
_LATER = "(SELECT id FROM pages WHERE quarantined_at IS NULL AND created_at >= date(:day, '+2 days'))"


@record
class Since:
    """What counts as changed: facts that began or ended from `day` to today, or were learned at `moment`."""

    day: str
    moment: str


@record
class Wanted:
    """Which facts are asked for. Subject and object are names of pages, or texts."""

    day: str
    temporal: Temporal = "all"
    subject: str | None = None
    predicates: frozenset[str] | None = None
    object: str | None = None
    page_id: int | None = None
    since: Since | None = None
    limit: int = -1


def when(temporal: Temporal, row: str = "l") -> str:
    """The condition on links, assertions or relations that they count, seen from :day."""
    conditions: dict[Temporal, str] = {
        "current": f"""({row}.valid_from IS NULL OR {row}.valid_from <= :day)
            AND ({row}.valid_until IS NULL OR {row}.valid_until > :day)""",
        "historical": f"{row}.valid_until IS NOT NULL AND {row}.valid_until <= :day",
        "all": "TRUE",
    }
    return conditions[temporal]


def when_linked(temporal: Temporal) -> str:
    """The same for relations `l` with mentions: those of a page were not there before the page was."""
    if temporal != "current":
        return when(temporal)
    return f"{when(temporal)} AND (l.relationship <> 'mentions' OR l.from_page_id NOT IN {_LATER})"


def page_meant(side: Side) -> str:
    """The page that the subject or object of `assertions a` means, or NULL."""
    return f"""(SELECT n.page_id FROM page_names n JOIN live_pages q ON q.id = n.page_id
        WHERE n.name = a.{side}_key
        ORDER BY n.page_id <> a.page_id,
                 q.collection_id <> (SELECT collection_id FROM pages WHERE id = a.page_id), n.kind,
                 length(q.slug), q.slug, q.collection_id LIMIT 1)"""


def _spelled(column: str) -> str:
    return f"lower(replace(replace(trim({column}), ' ', '_'), '-', '_'))"


_COLUMNS = "from_page_id, to_page_id, relationship, valid_from, valid_until, source_kind"


def leaving(page: str) -> str:
    """The relations that start from pages, as a table; `page` is a condition in SQL, such as `= :page`."""
    return _relations(f"from_page_id {page} AND to_page_id IS NOT NULL", ("subject", "object"), page)


def reaching(page: str) -> str:
    """The relations that lead to pages."""
    return _relations(f"to_page_id {page}", ("object", "subject"), page)


def _relations(end: str, sides: tuple[Side, Side], page: str) -> str:
    """Links with an end, and the assertions by which no link says so; ids of those are negative.

    CROSS JOIN keeps the order: from the page's names to what is asserted with them, and on to the other page.
    Fields yield links themselves where they name pages; what else they yield are values.
    """
    here, there = sides
    start, goal = ("h", "t") if here == "subject" else ("t", "h")
    return f"""(SELECT id, {_COLUMNS} FROM links WHERE {end} UNION ALL
        SELECT -a.id, {start}.page_id, {goal}.page_id, a.predicate, a.valid_from, a.valid_until, 'assertion'
        FROM page_names h CROSS JOIN assertions a ON a.{here}_key = h.name
        CROSS JOIN page_names t ON t.name = a.{there}_key
        WHERE h.page_id {page} AND t.page_id <> h.page_id AND {_IS_RELATION}
          AND h.page_id = {page_meant(here)} AND t.page_id = {page_meant(there)}
          AND {_no_link(start, goal)})"""


def of_claims(ids: str) -> str:
    """Relations of some assertions, whose ids a table gives as `value`."""
    return f"""(SELECT -a.id AS id, s.page_id AS from_page_id, o.page_id AS to_page_id,
               a.predicate AS relationship, a.valid_from, a.valid_until, 'assertion' AS source_kind
        FROM {ids} f CROSS JOIN assertions a ON a.id = -f.value
        CROSS JOIN page_names s ON s.name = a.subject_key
        CROSS JOIN page_names o ON o.name = a.object_key
        WHERE {_IS_RELATION} AND s.page_id = {page_meant("subject")}
        AND o.page_id = {page_meant("object")})"""


_IS_RELATION = f"a.asserted_by <> 'import' AND a.page_id NOT IN {REMOVED}"


def _no_link(start: str, goal: str) -> str:
    return f"""NOT EXISTS (SELECT 1 FROM links k
        WHERE k.from_page_id = {start}.page_id AND +k.to_page_id = {goal}.page_id
          AND {_spelled("k.relationship")} = a.predicate AND k.valid_until IS a.valid_until
          AND (k.valid_from IS a.valid_from OR a.valid_from IS NULL OR k.valid_from IS NULL))"""


# The link, its page with slug, collection and time, and what it says.
LinkedFact = tuple[int, tuple[int, str, str, str], Claim]


def linked_facts(connection: apsw.Connection, wanted: Wanted) -> list[LinkedFact]:
    """Typed links as facts, where no assertion of the same time says so too."""
    where = [when(wanted.temporal)]
    values: dict[str, Any] = {"limit": wanted.limit, "day": wanted.day}
    if wanted.subject is not None:
        where.append("l.from_page_id IN (SELECT value FROM json_each(:subjects))")
        values["subjects"] = json.dumps(pages_meant(connection, wanted.subject))
    if wanted.object is not None:
        where.append("(l.target_name = :object OR l.to_page_id IN (SELECT value FROM json_each(:objects)))")
        values["object"] = name_key(fold(split_target(wanted.object.strip())[1]))
        values["objects"] = json.dumps(pages_meant(connection, wanted.object))
    if wanted.predicates is not None:
        where.append(f"{_spelled('l.relationship')} IN (SELECT value FROM json_each(:predicates))")
        values["predicates"] = json.dumps(sorted(wanted.predicates))
    if wanted.page_id is not None:
        where.append("l.from_page_id = :page")
        values["page"] = wanted.page_id
    if wanted.since:
        where.append(
            """(l.valid_from BETWEEN :since AND :day OR l.valid_until BETWEEN :since AND :day
                OR (l.created_at >= :moment AND p.updated_at >= :moment))"""
        )
        values |= {"since": wanted.since.day, "moment": wanted.since.moment}
    narrowed = wanted.subject or wanted.object or wanted.page_id
    # In the order of slugs the first ones are found without looking at all links.
    joined = (
        "links l JOIN live_pages p ON p.id = l.from_page_id"
        if narrowed
        else "live_pages p CROSS JOIN links l ON l.from_page_id = p.id"
    )
    found = rows(
        connection,
        f"""SELECT l.id, p.id, p.slug, c.name, l.created_at, l.relationship, coalesce(t.slug, l.target),
                   l.valid_from, l.valid_until, l.context
            FROM {joined} JOIN collections c ON c.id = p.collection_id
            LEFT JOIN live_pages t ON t.id = l.to_page_id
            WHERE l.source_kind = 'frontmatter' AND {" AND ".join(where)}
              AND NOT EXISTS (SELECT 1 FROM page_names n JOIN assertions a ON a.subject_key = n.name
                  WHERE n.page_id = p.id AND a.predicate = {_spelled("l.relationship")}
                    AND (a.object_key = l.target_name OR a.object_key IN
                         (SELECT name FROM page_names WHERE page_id = l.to_page_id))
                    AND a.valid_until IS l.valid_until
                    AND (a.valid_from IS l.valid_from OR a.valid_from IS NULL OR l.valid_from IS NULL))
            ORDER BY p.slug, l.relationship, l.valid_from, l.id LIMIT :limit""",
        values,
    )
    facts: list[LinkedFact] = []
    for link, page, slug, collection, learned, relationship, target, since, until, context in found:
        claim = Claim(slug, snake_case(relationship), target, Interval(since, until), evidence=context)
        facts.append((link, (page, slug, collection, learned), claim))
    return facts


def pages_meant(connection: apsw.Connection, name: str) -> list[int]:
    """The pages that a name means to somebody who asks: those that have it as the best kind of name."""
    collection, bare = split_target(name.strip())
    found = rows(
        connection,
        """SELECT n.page_id, n.kind FROM page_names n JOIN live_pages p ON p.id = n.page_id
           JOIN collections c ON c.id = p.collection_id WHERE n.name = ?1 AND coalesce(c.name = ?2, TRUE)
           ORDER BY n.kind""",
        (name_key(fold(bare)), collection),
    )
    return [page_id for page_id, kind in found if kind == found[0][1]]
