"""The contradictions table: what was found once, and what became of it."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any, Literal

import apsw

from quaid.model.record import record
from quaid.store.names import name_of
from quaid.store.rows import records, rows

Type = Literal["temporal", "cross_page", "stale", "link"]
TYPES: tuple[Type, ...] = ("temporal", "cross_page", "stale", "link")
SideKind = Literal["assertion", "link", "text", "timeline", "field"]


@record
class Side:
    """One of the two statements that do not fit together, as the memory holds it.

    `id` is that of the assertion or link; `recorded` is when the memory learned of it; `perhaps` says that
    the text leaves it open. Of a text, `valid_from` is the day that it names.
    """

    kind: SideKind
    slug: str
    collection: str
    statement: str
    id: int | None = None
    valid_from: str | None = None
    valid_until: str | None = None
    source: str | None = None
    evidence: str | None = None
    confidence: float | None = None
    recorded: str | None = None
    perhaps: bool | None = None


# By id: the page, the side itself, and what tells it from others.
Sides = dict[int, tuple[int, Side, list[str]]]


@record
class Found:
    """What a check has found just now. The fingerprint is that of what both sides say."""

    type: Type
    fingerprint: str
    page_id: int
    other_page_id: int
    description: str
    sides: tuple[Side, ...]


@record
class Contradiction:
    """A finding as the memory keeps it. `resolution` is empty while it is open."""

    id: int
    type: Type
    description: str
    sides: tuple[Side, ...]
    detected_at: str
    resolved_at: str | None
    resolution: str
    note: str

    @property
    def perhaps(self) -> bool:
        """Whether a side leaves it open: worth a look, and not an open contradiction."""
        return any(side.perhaps for side in self.sides)


# Of `contradictions c`: what waits for a decision. What is said with "perhaps" does not.
IS_OPEN = """c.resolved_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM json_each(c.sides) side WHERE side.value ->> 'perhaps')"""
_COLUMNS = "c.id, c.type, c.description, c.sides, c.detected_at, c.resolved_at, c.resolution, c.note"


def record_all(
    connection: apsw.Connection,
    found: Sequence[Found],
    types: Collection[Type],
    page_id: int | None,
    now: str,
) -> None:
    """Bring the table into step with what checks of these types found, about all pages or about one.

    A finding that returns is open again; one that no longer holds is gone; a dismissed one stays so as long
    as both of its sides stand.
    """
    known = _known_findings(connection, found, types, page_id)
    for each in found:
        before = known.pop(each.fingerprint, None)
        returns = before is not None and before[1] in ("gone", "kept")
        if before is None:
            _insert(connection, each, now)
        elif returns or before[2] != _sides_json(each.sides):
            _refresh(connection, before[0], each)
        if before is not None and returns:
            sql = """UPDATE contradictions SET resolved_at = NULL, resolution = '', note = '', detected_at = ?
                WHERE id = ?"""
            connection.execute(sql, (now, before[0]))
    gone = [(now, finding) for finding, resolution, _ in known.values() if resolution in ("", "dismissed")]
    connection.executemany(
        "UPDATE contradictions SET resolved_at = ?, resolution = 'gone' WHERE id = ?", gone
    )


def findings(
    connection: apsw.Connection,
    types: Collection[Type],
    page_id: int | None = None,
    *,
    resolved: bool = False,
    limit: int = -1,
) -> list[Contradiction]:
    """Open findings of these types, oldest first, or those that are resolved, the last one first."""
    which = "IS NOT NULL" if resolved else "IS NULL"
    order = "c.resolved_at DESC, c.id DESC" if resolved else "c.id"
    return records(
        _contradiction,
        connection,
        f"""SELECT {_COLUMNS} FROM contradictions c JOIN live_pages p ON p.id = c.page_id
            WHERE c.resolved_at {which} AND c.type IN (SELECT value FROM json_each(:types))
              AND (:page IS NULL OR :page IN (c.page_id, c.other_page_id))
            ORDER BY {order} LIMIT :limit""",
        {"types": json.dumps(list(types)), "page": page_id, "limit": limit},
    )


def open_of(connection: apsw.Connection, page_ids: Collection[int]) -> dict[int, list[Contradiction]]:
    """The open findings that touch each of these pages, the newest first."""
    found = rows(
        connection,
        f"""SELECT v.value, {_COLUMNS} FROM json_each(?) v
            JOIN contradictions c ON v.value IN (c.page_id, c.other_page_id)
            WHERE {IS_OPEN} ORDER BY c.id DESC""",
        (json.dumps(list(page_ids)),),
    )
    open_: dict[int, list[Contradiction]] = {}
    for page_id, *columns in found:
        open_.setdefault(page_id, []).append(_contradiction(*columns))
    return open_


def by_id(connection: apsw.Connection, finding_id: int) -> Contradiction | None:
    """One finding."""
    found = rows(connection, f"SELECT {_COLUMNS} FROM contradictions c WHERE c.id = ?", (finding_id,))
    return _contradiction(*found[0]) if found else None


def resolve(
    connection: apsw.Connection,
    finding_id: int,
    resolution: Literal["kept", "dismissed"],
    note: str,
    now: str,
) -> None:
    """Say what became of a finding."""
    connection.execute(
        "UPDATE contradictions SET resolved_at = ?, resolution = ?, note = ? WHERE id = ?",
        (now, resolution, note, finding_id),
    )


def assertion_sides(connection: apsw.Connection, ids: Collection[int]) -> Sides:
    """Assertions as sides of a finding, each with its page and what tells it from others."""
    found = rows(
        connection,
        """SELECT a.id, a.page_id, p.slug, c.name, a.subject, a.predicate, a.object, a.valid_from,
                  a.valid_until, a.source_ref, a.evidence_text, a.confidence, a.created_at, a.subject_name,
                  a.object_name
           FROM assertions a JOIN pages p ON p.id = a.page_id JOIN collections c ON c.id = p.collection_id
           WHERE a.id IN (SELECT value FROM json_each(?))""",
        (json.dumps(sorted(ids)),),
    )
    sides: Sides = {}
    for values in found:
        identity, page_id, slug, collection, subject, predicate, object_, since, until, *rest = values
        source, evidence, confidence, recorded, subject_name, object_name = rest
        side = Side(
            "assertion",
            slug,
            collection,
            f"{subject} {predicate} {object_}",
            id=identity,
            valid_from=since,
            valid_until=until,
            source=source or None,
            evidence=evidence or None,
            confidence=confidence if confidence < 1 else None,
            recorded=recorded[:10],
        )
        told_by = [collection, subject_name, predicate.lower(), object_name, since or "", until or ""]
        sides[identity] = (page_id, side, told_by)
    return sides


def link_sides(connection: apsw.Connection, ids: Collection[int]) -> Sides:
    """Typed links as sides of a finding, each with its page and what tells it from others."""
    found = rows(
        connection,
        """SELECT l.id, l.from_page_id, p.slug, c.name, p.title, l.relationship, coalesce(t.title, l.target),
                  coalesce(t.slug, ''), l.valid_from, l.valid_until, l.context, l.created_at,
                  l.target, l.written
           FROM links l JOIN pages p ON p.id = l.from_page_id JOIN collections c ON c.id = p.collection_id
           LEFT JOIN live_pages t ON t.id = l.to_page_id
           WHERE l.id IN (SELECT value FROM json_each(?))""",
        (json.dumps(sorted(ids)),),
    )
    sides: Sides = {}
    for values in found:
        identity, page_id, slug, collection, title, relationship, target, told, since, until, *rest = values
        context, recorded, *asked = rest
        side = Side(
            "link",
            slug,
            collection,
            f"{title} {relationship} {target}",
            id=identity,
            valid_from=since,
            valid_until=until,
            evidence=context or None,
            recorded=recorded[:10],
        )
        told = told or name_of(*asked)
        sides[identity] = (page_id, side, [collection, slug, relationship, told, since or "", until or ""])
    return sides


def _known_findings(
    connection: apsw.Connection, found: Sequence[Found], types: Collection[Type], page_id: int | None
) -> dict[str, tuple[int, str, str]]:
    """Findings that were checked for, and those that were found, by fingerprint."""
    stored = rows(
        connection,
        """SELECT fingerprint, id, resolution, sides FROM contradictions
           WHERE fingerprint IN (SELECT value FROM json_each(:found))
              OR (type IN (SELECT value FROM json_each(:types)) AND resolution IN ('', 'dismissed')
                  AND (:page IS NULL OR :page IN (page_id, other_page_id)))""",
        {
            "found": json.dumps([each.fingerprint for each in found]),
            "types": json.dumps(list(types)),
            "page": page_id,
        },
    )
    return {fingerprint: (finding, resolution, sides) for fingerprint, finding, resolution, sides in stored}


def _insert(connection: apsw.Connection, found: Found, now: str) -> None:
    said = (found.type, found.fingerprint, found.description)
    connection.execute(
        """INSERT INTO contradictions
               (page_id, other_page_id, type, fingerprint, description, sides, detected_at)
           SELECT p.id, q.id, ?, ?, ?, ?, ? FROM pages p JOIN pages q ON q.id = ? WHERE p.id = ?""",
        (*said, _sides_json(found.sides), now, found.other_page_id, found.page_id),
    )


def _refresh(connection: apsw.Connection, finding_id: int, found: Found) -> None:
    connection.execute(
        "UPDATE contradictions SET description = ?, sides = ?, page_id = ?, other_page_id = ? WHERE id = ?",
        (found.description, _sides_json(found.sides), found.page_id, found.other_page_id, finding_id),
    )


def _sides_json(sides: Sequence[Side]) -> str:
    values = [{name: value for name, value in vars(side).items() if value is not None} for side in sides]
    return json.dumps(values, ensure_ascii=False)


def _contradiction(*values: Any) -> Contradiction:
    sides = tuple(Side(**each) for each in json.loads(values[3]))
    return Contradiction(*(*values[:3], sides, *values[4:]))
