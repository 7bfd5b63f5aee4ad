"""The links table."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any, Literal

import apsw

from quaid.formats.slugs import fold
from quaid.model.interval import Interval
from quaid.model.page import Link, Reference, split_target
from quaid.store.rows import row, rows

Temporal = Literal["current", "historical", "all"]

_LINK = """l.id, f.slug, coalesce(t.slug, ''), l.target, l.relationship, l.context, l.source_kind,
    l.valid_from, l.valid_until, f.title, coalesce(t.title, '')"""
_FROM = """FROM links l JOIN live_pages f ON f.id = l.from_page_id
    LEFT JOIN live_pages t ON t.id = l.to_page_id"""
# Conditions on `links l`, seen from :day.
WHEN: dict[Temporal, str] = {
    "current": """(l.valid_from IS NULL OR l.valid_from <= :day)
        AND (l.valid_until IS NULL OR l.valid_until > :day)""",
    "historical": "l.valid_until IS NOT NULL AND l.valid_until <= :day",
    "all": "TRUE",
}


def replace(connection: apsw.Connection, page_id: int, references: Sequence[Reference], now: str) -> None:
    """Make these the page's links; new ones lead nowhere until they are resolved.

    A link that is still there keeps its id, also when only its end or its context changed.
    """
    stored = _stored(connection, page_id)
    kept = _paired([(link_id, old) for link_id, old, _ in stored], references)
    surviving = set(kept.values())
    gone = [(link_id,) for link_id, _, _ in stored if link_id not in surviving]
    connection.executemany("DELETE FROM links WHERE id = ?", gone)
    before = {link_id: (old, ordinal) for link_id, old, ordinal in stored}
    for ordinal, reference in enumerate(references):
        link_id = kept.get(ordinal)
        if link_id is None:
            _insert(connection, page_id, reference, ordinal, now)
        elif before[link_id] != (reference, ordinal):
            connection.execute(
                "UPDATE links SET valid_until = ?, context = ?, ordinal = ? WHERE id = ?",
                (reference.valid.until, reference.context, ordinal, link_id),
            )


def outgoing(connection: apsw.Connection, page_id: int, temporal: Temporal, day: str) -> list[Link]:
    """Links of a page, in the order of its text."""
    sql = f"SELECT {_LINK} {_FROM} WHERE l.from_page_id = :page AND {WHEN[temporal]} ORDER BY l.ordinal"
    return _links(connection, sql, {"page": page_id, "day": day})


def incoming(
    connection: apsw.Connection,
    page_id: int,
    temporal: Temporal,
    day: str,
    relationship: str | None = None,
    limit: int = -1,
) -> list[Link]:
    """Links that lead to a page."""
    sql = f"""SELECT {_LINK} {_FROM} WHERE l.to_page_id = :page AND {WHEN[temporal]}
        AND (:relationship IS NULL OR l.relationship = :relationship)
        ORDER BY l.relationship = 'mentions', f.title COLLATE NOCASE, l.id LIMIT :limit"""
    bindings = {"page": page_id, "day": day, "relationship": relationship, "limit": limit}
    return _links(connection, sql, bindings)


def by_id(connection: apsw.Connection, link_id: int) -> Link | None:
    """One link."""
    found = _links(connection, f"SELECT {_LINK} {_FROM} WHERE l.id = :id", {"id": link_id})
    return found[0] if found else None


def origin(connection: apsw.Connection, link_id: int) -> int:
    """The id of the page that a link starts from."""
    return int(row(connection, "SELECT from_page_id FROM links WHERE id = ?", (link_id,))[0])


def names_leading_to(connection: apsw.Connection, page_id: int) -> dict[int, set[str]]:
    """The folded names by which live pages link to a page, by the id of the page that links."""
    leading = connection.execute(
        """SELECT p.id, l.target_name FROM links l JOIN live_pages p ON p.id = l.from_page_id
           WHERE l.to_page_id = ?""",
        (page_id,),
    )
    found: dict[int, set[str]] = {}
    for origin, name in leading:
        found.setdefault(origin, set()).add(name)
    return found


def retarget(connection: apsw.Connection, page_id: int, names: Collection[str], slug: str) -> None:
    """Say what a page's links to these folded names are called now, so that they stay the same links."""
    connection.execute(
        """UPDATE links SET target = iif(target_collection IS NULL, ?1, target_collection || '::' || ?1),
               target_name = ?2, to_page_id = NULL
           WHERE from_page_id = ?3 AND target_name IN (SELECT value FROM json_each(?4))""",
        (slug, fold(slug), page_id, json.dumps(sorted(names), ensure_ascii=False)),
    )


def stated(connection: apsw.Connection, page_id: int) -> list[Reference]:
    """A page's links as its text states them."""
    return [reference for _, reference, _ in _stored(connection, page_id)]


def _stored(connection: apsw.Connection, page_id: int) -> list[tuple[int, Reference, int]]:
    found = rows(
        connection,
        """SELECT id, target, relationship, context, source_kind, valid_from, valid_until, ordinal
           FROM links WHERE from_page_id = ? ORDER BY ordinal""",
        (page_id,),
    )
    return [
        (link_id, Reference(target, relationship, context, source, Interval(since, until)), ordinal)
        for link_id, target, relationship, context, source, since, until, ordinal in found
    ]


def _paired(stored: Sequence[tuple[int, Reference]], references: Sequence[Reference]) -> dict[int, int]:
    """Which stored link each reference still is, by position: equal ones first, then those alike at heart."""
    kept: dict[int, int] = {}
    for likeness in (lambda reference: reference, _heart):
        taken = set(kept.values())
        free: dict[Any, list[int]] = {}
        for link_id, old in reversed(stored):
            if link_id not in taken:
                free.setdefault(likeness(old), []).append(link_id)
        for position, reference in enumerate(references):
            candidates = free.get(likeness(reference))
            if position not in kept and candidates:
                kept[position] = candidates.pop()
    return kept


def _heart(reference: Reference) -> tuple[str | None, ...]:
    return (reference.target, reference.relationship, reference.source, reference.valid.since)


def _insert(connection: apsw.Connection, page_id: int, reference: Reference, ordinal: int, now: str) -> None:
    collection, name = split_target(reference.target)
    connection.execute(
        """INSERT INTO links (from_page_id, target, target_name, target_collection, relationship, context,
               source_kind, valid_from, valid_until, ordinal, created_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (
            page_id,
            reference.target,
            fold(name),
            collection,
            reference.relationship,
            reference.context,
            reference.source,
            reference.valid.since,
            reference.valid.until,
            ordinal,
            now,
        ),
    )


def _links(connection: apsw.Connection, sql: str, bindings: dict[str, Any]) -> list[Link]:
    found = rows(connection, sql, bindings)
    return [
        Link(link_id, start, end, target, relationship, context, source, Interval(since, until), *titles)
        for link_id, start, end, target, relationship, context, source, since, until, *titles in found
    ]
