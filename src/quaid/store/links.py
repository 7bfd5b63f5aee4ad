"""The links table."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any

import apsw

from quaid.formats.addresses import meaning_of
from quaid.formats.slugs import fold
from quaid.model.interval import Interval
from quaid.model.page import Link, LinkSource, Reference
from quaid.model.record import record
from quaid.model.record import replace as replaced
from quaid.store.keys import file_key, name_key
from quaid.store.relations import Temporal, leaving, reaching, when_linked
from quaid.store.rows import records, row, rows

# What is said around a link: where the text of its page, `{0}`, has it to the letter, only its place is kept.
# Of a damaged text nothing is shown: who asks for links to a page does not ask for that one.
CONTEXT = """iif(l.context_start IS NULL OR NOT legible({0}.packed), l.context,
    part({0}.packed, l.context_start, l.context_start + l.context_length))"""
_LINK = f"""l.id, f.slug, coalesce(t.slug, ''), l.target, l.relationship, {CONTEXT.format("f")},
    l.source_kind, l.valid_from, l.valid_until, f.title, coalesce(t.title, '')"""
_FROM = """FROM links l JOIN live_pages f ON f.id = l.from_page_id
    LEFT JOIN live_pages t ON t.id = l.to_page_id"""
MOST_ORDERED = 2_000  # links to a page
INSERT = """INSERT INTO links (from_page_id, to_page_id, target, target_name, target_file, written, type,
        context, context_start, context_length, source, valid_from, valid_until, ordinal, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
SOURCES: tuple[LinkSource, ...] = ("wiki_link", "markdown_link", "frontmatter")  # by number, as links.source
MENTION = "mentions"  # the type of a link that says none


@record
class Lead:
    """A link as it stands in a text, and the page to which it leads."""

    id: int
    origin: int
    target: str
    written: str
    source: LinkSource
    page: int | None


_Context = tuple[str, int | None, int | None]  # what is said around a link, or where it stands in the text


def replace(
    connection: apsw.Connection, page_id: int, references: Sequence[Reference], text: str, now: str
) -> None:
    """Make these the links of a page of that text; new ones lead nowhere until they are resolved.

    A link that is still there keeps its id, also when only its end or its context changed.
    """
    stored = _stored_links(connection, page_id)
    if not references and not stored:
        return
    contexts = [_context(reference, text) for reference in references]
    wanted = [_with(reference, kept[0]) for reference, kept in zip(references, contexts, strict=True)]
    kept = _pairs([(link_id, old) for link_id, old, *_ in stored], wanted)
    surviving = set(kept.values())
    gone = [(link_id,) for link_id, *_ in stored if link_id not in surviving]
    connection.executemany("DELETE FROM links WHERE id = ?", gone)
    before = {link_id: (old, context, ordinal) for link_id, old, context, ordinal in stored}
    for ordinal, (reference, context) in enumerate(zip(wanted, contexts, strict=True)):
        link_id = kept.get(ordinal)
        if link_id is None:
            connection.execute(INSERT, (page_id, None, *_row(reference, context, ordinal, now)))
        elif before[link_id] != (reference, context, ordinal):
            old = before[link_id][0]
            known = (old.target, old.written) == (reference.target, reference.written)
            columns = {} if known else _address_columns(reference) | {"to_page_id": None}
            columns |= dict(zip(("context", "context_start", "context_length"), context, strict=True))
            _update(connection, link_id, columns | {"valid_until": reference.valid.until, "ordinal": ordinal})


def outgoing(connection: apsw.Connection, page_id: int, temporal: Temporal, day: str) -> list[Link]:
    """Links of a page, in the order of its text."""
    sql = (
        f"SELECT {_LINK} {_FROM} WHERE l.from_page_id = :page AND {when_linked(temporal)} ORDER BY l.ordinal"
    )
    return _links(connection, sql, {"page": page_id, "day": day})


def incoming(
    connection: apsw.Connection,
    page_id: int,
    temporal: Temporal,
    day: str,
    relationship: str | None = None,
    limit: int = -1,
) -> list[Link]:
    """Links that lead to a page, typed ones first, then by title.

    The texts around them are looked up of those alone that are wanted. Of a page with thousands of mentions
    the first ones are put in order.
    """
    order = "ORDER BY l.relationship = 'mentions', f.title COLLATE NOCASE, l.id"
    kinds = """SELECT id FROM links WHERE to_page_id = :page AND type IS NOT NULL
               AND (:relationship IS NULL OR type = :relationship)
        UNION ALL SELECT id FROM links WHERE to_page_id = :page AND type IS NULL
               AND coalesce(:relationship, 'mentions') = 'mentions'"""
    sql = f"""SELECT {_LINK} {_FROM} WHERE l.id IN (
            SELECT l.id {_FROM} WHERE l.id IN (SELECT id FROM ({kinds} LIMIT :most))
            AND {when_linked(temporal)} {order} LIMIT :limit)
        {order}"""
    most = max(limit, MOST_ORDERED) if limit >= 0 else -1
    bindings = {"page": page_id, "day": day, "relationship": relationship, "limit": limit, "most": most}
    return _links(connection, sql, bindings)


def asserted_links(
    connection: apsw.Connection,
    page_id: int,
    temporal: Temporal,
    day: str,
    relationship: str | None,
    *,
    incoming: bool,
) -> list[Link]:
    """Relations of a page that assertions state and no link does, from it or to it; their ids are those of
    facts."""
    relations = reaching("= :page") if incoming else leaving("= :page")
    return _links(
        connection,
        f"""SELECT -l.id, f.slug, t.slug, t.slug, l.relationship, a.evidence_text, 'assertion', l.valid_from,
                   l.valid_until, f.title, t.title
            FROM {relations} l JOIN assertions a ON a.id = -l.id JOIN live_pages f ON f.id = l.from_page_id
            JOIN live_pages t ON t.id = l.to_page_id
            WHERE l.source_kind = 'assertion' AND {when_linked(temporal)}
              AND (:relationship IS NULL OR l.relationship = :relationship)
            ORDER BY f.title COLLATE NOCASE, a.id""",
        {"page": page_id, "day": day, "relationship": relationship},
    )


def by_id(connection: apsw.Connection, link_id: int) -> Link | None:
    """One link."""
    found = _links(connection, f"SELECT {_LINK} {_FROM} WHERE l.id = :id", {"id": link_id})
    return found[0] if found else None


def origin(connection: apsw.Connection, link_id: int) -> int:
    """The id of the page that a link starts from."""
    return int(row(connection, "SELECT from_page_id FROM links WHERE id = ?", (link_id,))[0])


def in_doubt(
    connection: apsw.Connection, page_id: int, names: Collection[str], files: Collection[str]
) -> list[Lead]:
    """Links of live pages to these folded names and file names, from a page or to it, and where they lead."""
    return records(
        Lead,
        connection,
        """SELECT l.id, l.from_page_id, l.target, l.written, l.source_kind, l.to_page_id
           FROM links l JOIN live_pages p ON p.id = l.from_page_id WHERE l.id IN (
               SELECT id FROM links WHERE target_name IN (SELECT value FROM json_each(?1))
               UNION SELECT id FROM links WHERE target_file IN (SELECT value FROM json_each(?2))
               UNION SELECT id FROM links WHERE from_page_id = ?3
               UNION SELECT id FROM links WHERE to_page_id = ?3) ORDER BY l.id""",
        (*(json.dumps([name_key(each) for each in called]) for called in (names, files)), page_id),
    )


def leading(connection: apsw.Connection, link_ids: Collection[int]) -> dict[int, int | None]:
    """Where these links lead now."""
    sql = "SELECT id, to_page_id FROM links WHERE id IN (SELECT value FROM json_each(?))"
    return dict(connection.execute(sql, (json.dumps(list(link_ids)),)))


def retarget(connection: apsw.Connection, link_id: int, target: str, written: str) -> None:
    """Say what a link is called now, so that it stays the same link."""
    _update(connection, link_id, _address_columns(Reference(target, written=written)) | {"to_page_id": None})


def _update(connection: apsw.Connection, link_id: int, columns: dict[str, Any]) -> None:
    assignments = ", ".join(f"{name} = ?" for name in columns)
    connection.execute(f"UPDATE links SET {assignments} WHERE id = ?", (*columns.values(), link_id))


def _stored_links(connection: apsw.Connection, page_id: int) -> list[tuple[int, Reference, _Context, int]]:
    found = rows(
        connection,
        """SELECT id, ordinal, context_start, context_length, valid_from, valid_until, target, relationship,
                  context, source_kind, written
           FROM links WHERE from_page_id = ? ORDER BY ordinal""",
        (page_id,),
    )
    stored: list[tuple[int, Reference, _Context, int]] = []
    for link_id, ordinal, start, length, since, until, *said, written in found:
        reference = Reference(*(*said, Interval(since, until), written))
        stored.append((link_id, reference, (reference.context, start, length), ordinal))
    return stored


def _context(reference: Reference, text: str) -> _Context:
    """What is kept of what is said around a link on a page of that text."""
    said = reference.context
    start = text.find(said) if said and reference.source != "frontmatter" else -1
    return (said, None, None) if start < 0 else ("", start, len(said))


def _with(reference: Reference, context: str) -> Reference:
    return reference if context == reference.context else replaced(reference, context=context)


def _pairs(stored: Sequence[tuple[int, Reference]], references: Sequence[Reference]) -> dict[int, int]:
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


def rows_of(references: Sequence[Reference], text: str, now: str) -> list[tuple[Any, ...]]:
    """What the table holds of the links of a new page of that text, but for the pages at their ends."""
    return [
        _row(reference, _context(reference, text), ordinal, now)
        for ordinal, reference in enumerate(references)
    ]


def _row(reference: Reference, context: _Context, ordinal: int, now: str) -> tuple[Any, ...]:
    return (
        *_address_columns(reference).values(),
        None if reference.relationship == MENTION else reference.relationship,
        *context,
        SOURCES.index(reference.source),
        reference.valid.since,
        reference.valid.until,
        ordinal,
        now if reference.source == "frontmatter" else "",
    )


def _address_columns(reference: Reference) -> dict[str, Any]:
    """The columns that say where a link leads."""
    _, address = meaning_of(reference.target, reference.written)
    return {
        "target": reference.target,
        "target_name": name_key(fold(address.spelling)),
        "target_file": file_key(address),
        "written": reference.written,
    }


def _links(connection: apsw.Connection, sql: str, bindings: dict[str, Any]) -> list[Link]:
    """Links whose columns are those of _LINK."""
    return [Link(*(*each[:7], Interval(*each[7:9]), *each[9:])) for each in rows(connection, sql, bindings)]
