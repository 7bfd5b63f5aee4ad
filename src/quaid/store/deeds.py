"""What was done to pages, version by version, and by whom."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from functools import cache, partial
from typing import Any, Literal, get_args

import apsw

from quaid.model.actor import LONGEST, Actor, Kind, present_actor
from quaid.model.record import record
from quaid.store.rows import first, records, row, rows

DeedKind = Literal["created", "changed", "moved", "removed", "restored", "raw"]
KINDS: tuple[Kind, ...] = get_args(Kind)
MOST = 200  # that are kept of a page
_TRIM = """DELETE FROM deeds WHERE page_id = ?1 AND version <= (
    SELECT version FROM deeds WHERE page_id = ?1 ORDER BY version DESC LIMIT 1 OFFSET ?2)"""
_BY = "sessions s JOIN actors a ON a.id = s.actor_id"
_ACTOR = "a.kind, a.name, a.version, s.key"
_FIELDS = f"""d.page_id, d.version, d.kind, d.rewrites,
    coalesce(d.slug, (SELECT slug FROM pages WHERE id = d.page_id)), d.was, d.was_path, d.at,
    d.undone_by, s.id, {_ACTOR}"""
_DONE = "deeds d JOIN sessions s ON s.id = d.session_id JOIN actors a ON a.id = s.actor_id"
# After which nothing was done to the page.
_IS_LAST = "NOT EXISTS (SELECT 1 FROM deeds n WHERE n.page_id = d.page_id AND n.version > d.version)"
_IS_CALLED = "COLLATE NOCASE IN (a.kind, a.name, trim(a.name || ' ' || a.version))"
LAST_WRITTEN_BY = f"SELECT d.page_id FROM {_DONE} WHERE ? {_IS_CALLED} AND {_IS_LAST}"


@record
class Deed:
    """What made one version of a page."""

    page_id: int
    version: int
    kind: DeedKind
    rewrites: bool  # whether the text is another one since
    slug: str  # of the page afterwards
    was: str | None  # its slug before, where it was moved, and its path
    was_path: str | None
    at: str
    undone_by: int | None
    session: int
    by: Actor


@record
class Work:
    """What was done to one page in a session, as the page is called now."""

    page_id: int
    slug: str
    collection: str
    what: tuple[DeedKind, ...]
    versions: tuple[int, ...]
    at: str  # for the last time
    removed: bool
    undone: bool


def note(
    connection: apsw.Connection,
    page_id: int,
    kind: DeedKind,
    at: str,
    *,
    rewrites: bool,
    was: tuple[str, str | None] | None = None,
) -> None:
    """Note who has just made a page's version; `was` is where a page that was moved had been."""
    slug, path = was or (None, None)
    connection.execute(
        """INSERT OR REPLACE INTO deeds
               (page_id, version, kind, rewrites, was, was_path, session_id, at)
           SELECT id, version, ?2, ?3, ?4, ?5, ?6, ?7 FROM pages WHERE id = ?1""",
        (page_id, kind, int(rewrites), slug, path, session_of(connection, present_actor()), at),
    )
    connection.execute(_TRIM, (page_id, MOST))


def note_created(connection: apsw.Connection, made: Iterable[tuple[int, int, str, Actor]]) -> None:
    """Note who has made pages: of each its id, version and moment."""
    session = cache(partial(session_of, connection))  # one actor may have made thousands
    noted = [(page_id, version, session(actor), at) for page_id, version, at, actor in made]
    connection.executemany(
        """INSERT OR REPLACE INTO deeds (page_id, version, kind, rewrites, session_id, at)
           VALUES (?, ?, 'created', 1, ?, ?)""",
        noted,
    )


def note_changed(connection: apsw.Connection, made: Iterable[tuple[int, str, Actor]]) -> None:
    """Note who has given pages another text: of each its id and the moment."""
    session = cache(partial(session_of, connection))
    noted = [(page_id, session(actor), at) for page_id, at, actor in made]
    connection.executemany(
        """INSERT OR REPLACE INTO deeds (page_id, version, kind, rewrites, session_id, at)
           SELECT id, version, 'changed', 1, ?2, ?3 FROM pages WHERE id = ?1""",
        noted,
    )
    connection.executemany(_TRIM, [(page_id, MOST) for page_id, _, _ in noted])


def session_of(connection: apsw.Connection, actor: Actor) -> int:
    """The id of an actor's session, which is noted if it is new."""
    who = (actor.kind, actor.name[:LONGEST], actor.version[:LONGEST])
    key = actor.session[:LONGEST]
    sql = f"SELECT s.id FROM {_BY} WHERE (a.kind, a.name, a.version, s.key) = (?, ?, ?, ?)"
    known = first(connection, sql, (*who, key))
    if known:
        return int(known)
    connection.execute("INSERT OR IGNORE INTO actors (kind, name, version) VALUES (?, ?, ?)", who)
    made = row(
        connection,
        """INSERT INTO sessions (actor_id, key)
           SELECT id, ? FROM actors WHERE (kind, name, version) = (?, ?, ?) RETURNING id""",
        (key, *who),
    )
    return int(made[0])


def of_page(connection: apsw.Connection, page_id: int) -> list[Deed]:
    """What is known to have been done to a page, in its order."""
    return _deeds(connection, "d.page_id = ? ORDER BY d.version", (page_id,))


def of_sessions(connection: apsw.Connection, sessions: Collection[int], since: str = "") -> list[Deed]:
    """What was done in some sessions since a moment, in the order of time."""
    where = (
        "d.session_id IN (SELECT value FROM json_each(?)) AND d.at >= ? ORDER BY d.at, d.page_id, d.version"
    )
    return _deeds(connection, where, (_json(sessions), since))


def last(connection: apsw.Connection) -> int:
    """The number of what was done last; it grows from commit to commit."""
    return int(row(connection, "SELECT coalesce(max(id), 0) FROM deeds")[0])


def after(connection: apsw.Connection, number: int, limit: int) -> list[tuple[int, str, Deed]]:
    """What was done after that: numbers, collections and deeds, in the order of commits."""
    sql = f"""SELECT d.id, c.name, {_FIELDS} FROM {_DONE}
        JOIN pages p ON p.id = d.page_id JOIN collections c ON c.id = p.collection_id
        WHERE d.id > ? ORDER BY d.id LIMIT ?"""
    found = rows(connection, sql, (number, limit))
    return [(identity, collection, _deed_of(*each)) for identity, collection, *each in found]


def _deeds(connection: apsw.Connection, where: str, values: tuple[Any, ...]) -> list[Deed]:
    sql = f"SELECT {_FIELDS} FROM {_DONE} WHERE {where}"
    return records(_deed_of, connection, sql, values)


def _deed_of(*values: Any) -> Deed:
    return Deed(*(*values[:3], bool(values[3]), *values[4:10], Actor(*values[10:])))


def writers(connection: apsw.Connection, page_ids: Iterable[int]) -> dict[int, Actor]:
    """Who wrote the last version of each page, where that is known."""
    sql = f"""SELECT d.page_id, {_ACTOR} FROM {_DONE}
        WHERE d.page_id IN (SELECT value FROM json_each(?)) AND {_IS_LAST}"""
    return {page_id: Actor(*who) for page_id, *who in rows(connection, sql, (_json(page_ids),))}


def author(known: Iterable[Deed], version: int) -> Actor | None:
    """Who wrote the text that a page had in a version, of what is known to have been done to it."""
    wrote = [each for each in known if each.rewrites and each.version <= version]
    return wrote[-1].by if wrote else None


def sessions(
    connection: apsw.Connection, name: str | None = None, key: str | None = None
) -> list[tuple[int, Actor]]:
    """The sessions of whoever is called so, by name or kind, and that begin so; the newest first."""
    sql = f"""SELECT s.id, {_ACTOR} FROM {_BY}
        WHERE (?1 IS NULL OR ?1 {_IS_CALLED})
          AND (?2 IS NULL OR substr(s.key, 1, length(?2)) = ?2)
        ORDER BY s.id DESC"""
    return [(session, Actor(*who)) for session, *who in rows(connection, sql, (name, key))]


def spans(
    connection: apsw.Connection, chosen: Collection[int], since: str, *, reads: bool
) -> list[tuple[int, str, str]]:
    """Sessions in which something was done since a moment, the last one first, each with its span."""
    read = "UNION ALL SELECT session_id, at FROM readings" if reads else ""
    sql = f"""SELECT session_id, min(at), max(at) FROM (SELECT session_id, at FROM deeds {read})
        WHERE at >= ? AND session_id IN (SELECT value FROM json_each(?))
        GROUP BY session_id ORDER BY max(at) DESC, session_id DESC"""
    return rows(connection, sql, (since, _json(chosen)))


def works(connection: apsw.Connection, session: int, since: str, limit: int) -> tuple[list[Work], int]:
    """What was done to pages in a session since a moment, the last one first; and to how many."""
    found = rows(
        connection,
        """SELECT p.id, p.slug, c.name, json_group_array(DISTINCT d.kind), json_group_array(d.version),
               max(d.at), p.quarantined_at IS NOT NULL, min(d.undone_by) IS NOT NULL
           FROM deeds d JOIN pages p ON p.id = d.page_id JOIN collections c ON c.id = p.collection_id
           WHERE d.session_id = ?1 AND d.at >= ?2
           GROUP BY p.id ORDER BY max(d.at) DESC, p.id DESC LIMIT ?3""",
        (session, since, limit),
    )
    sql = "SELECT count(DISTINCT page_id) FROM deeds WHERE session_id = ? AND at >= ?"
    count = row(connection, sql, (session, since))[0]
    works = [
        Work(*(*page, tuple(json.loads(kinds)), tuple(sorted(json.loads(versions))), at, *map(bool, gone)))
        for *page, kinds, versions, at, gone in ((*each[:6], each[6:]) for each in found)
    ]
    return works, int(count)


def mark_undone(connection: apsw.Connection, page_id: int, versions: Collection[int], by: int) -> None:
    """Note that a version took others of its page back; what these had taken back holds again."""
    for value, column in ((None, "undone_by"), (by, "version")):
        connection.execute(
            f"""UPDATE deeds SET undone_by = ?2 WHERE page_id = ?1
                AND {column} IN (SELECT value FROM json_each(?3))""",
            (page_id, value, _json(versions)),
        )


def _json(values: Iterable[int]) -> str:
    return json.dumps(list(values))
