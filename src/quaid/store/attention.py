"""What needs a person's attention: queries over pages, links, tags, facts and doubts.

Pages are named as a command takes them: by slug, with the collection in front where several have that slug.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import apsw

from quaid.formats.content import ALIAS
from quaid.model.page import Format
from quaid.model.record import record
from quaid.store.contradictions import IS_OPEN
from quaid.store.names import name_of, of_pages
from quaid.store.rows import column, records, row, rows

TASKS = ("decision", "commitment", "action_item")
# Pages of these types stand for themselves; nobody needs to link to them.
LEAVES = ("journal", "source", "archive", *TASKS)

ADDRESS = """iif((SELECT count(*) FROM live_pages q WHERE q.slug = p.slug) > 1,
    (SELECT name FROM collections WHERE id = p.collection_id) || '::' || p.slug, p.slug)"""
_TASKS = ", ".join(f"'{each}'" for each in TASKS)
_LEAVES = ", ".join(f"'{each}'" for each in LEAVES)


def _field(*names: str) -> str:
    """SQL for the first of some frontmatter fields that says anything."""
    values = [f"""nullif(json_extract(p.frontmatter, '$."{name}"'), '')""" for name in names]
    return f"coalesce({', '.join([*values, 'NULL'])})"


_DUE = f"""{ADDRESS} AS slug, p.type, p.title, {_field("due", "due_date", "due-date", "deadline")} AS due,
    {_field("status", "state")} AS status, {_field("owner", "assignee", "assigned_to")} AS owner,
    {_field("priority")} AS priority,
    iif(p.type IN ('decision', 'commitment'), {_field("revisit_at")}, NULL) AS revisit"""
# The file of a page in a folder may be older than its row.
FILE_TIME = """(SELECT strftime('%Y-%m-%dT%H:%M:%SZ', f.mtime_ns / 1000000000, 'unixepoch')
    FROM file_state f WHERE f.collection_id = p.collection_id AND f.path = p.path)"""
_RESTING_SINCE = f"min(p.truth_updated_at, coalesce({FILE_TIME}, p.truth_updated_at))"
_UNTOUCHED_SINCE = f"min(p.updated_at, coalesce({FILE_TIME}, p.updated_at))"


@record
class DueRow:
    """What a page's frontmatter says of its day and state; a list is JSON."""

    slug: str
    type: str
    title: str
    due: Any
    status: Any
    owner: Any
    priority: Any
    revisit: Any


@record
class DeadLink:
    """A name to which links lead, and no page: who links to it first, and how many pages do."""

    target: str
    name: str  # folded
    slug: str
    collection: str
    source: str
    pages: int


@record
class PageText:
    """A page's text below its head, and the pages to which it links."""

    id: int
    slug: str
    format: Format
    head_lines: int
    text: str
    linked: frozenset[int]


@record
class OpenPage:
    """A page whose text leaves something open, and since when its truth rests."""

    slug: str
    head_lines: int
    text: str
    resting_since: str


def due(connection: apsw.Connection) -> list[DueRow]:
    """Decisions, commitments and action items, and all other pages with a day on which they are due."""
    # Most pages have no such field, which is seen without unpacking their texts.
    sql = f"""
        SELECT {_DUE} FROM live_pages p WHERE p.type IN ({_TASKS})
        UNION ALL
        SELECT * FROM (
            SELECT {_DUE} FROM live_pages p
            WHERE p.type NOT IN ({_TASKS})
              AND (p.frontmatter LIKE '%due%' OR p.frontmatter LIKE '%deadline%'))
        WHERE due IS NOT NULL"""
    return records(DueRow, connection, sql)


def address(connection: apsw.Connection, page_id: int) -> str:
    """How a command names a page."""
    return str(row(connection, f"SELECT {ADDRESS} FROM live_pages p WHERE p.id = ?", (page_id,))[0])


def orphans(
    connection: apsw.Connection, today: str, page_id: int | None = None
) -> list[tuple[int, str, str]]:
    """Pages to which no other page links today: id, name and title. Journals, sources and tasks are none."""
    sql = f"""
        SELECT p.id, {ADDRESS}, p.title FROM live_pages p
        WHERE p.type NOT IN ({_LEAVES}) AND (:page IS NULL OR p.id = :page) AND NOT EXISTS (
            SELECT 1 FROM links l JOIN live_pages f ON f.id = l.from_page_id
            WHERE l.to_page_id = p.id AND l.from_page_id <> p.id
              AND (l.valid_until IS NULL OR l.valid_until > :today))
        ORDER BY p.slug"""
    return rows(connection, sql, {"today": today, "page": page_id})


def dead_links(connection: apsw.Connection, page_id: int | None = None) -> list[DeadLink]:
    """Names to which links lead and no page, those that most pages link to first."""
    sql = f"""
        SELECT l.target, l.written, {ADDRESS}, c.name, l.source_kind, count(DISTINCT p.id), min(p.slug)
        FROM links l JOIN live_pages p ON p.id = l.from_page_id JOIN collections c ON c.id = p.collection_id
        WHERE l.to_page_id IS NULL AND (:page IS NULL OR p.id = :page)
        GROUP BY l.target_name,
                 iif(instr(l.target, '::'), trim(substr(l.target, 1, instr(l.target, '::') - 1)), '')
        ORDER BY count(DISTINCT p.id) DESC, p.slug, l.target"""
    # The minimum makes SQLite take the other columns from the first of the pages.
    return [
        DeadLink(target, name_of(target, written), *rest)
        for target, written, *rest, _ in rows(connection, sql, {"page": page_id})
    ]


def removed_slugs(connection: apsw.Connection) -> set[str]:
    """Slugs of removed pages."""
    return set(column(connection, "SELECT slug FROM pages WHERE quarantined_at IS NOT NULL"))


def names(connection: apsw.Connection) -> Iterator[tuple[str, str]]:
    """Every folded name with the slug of a page that answers to it."""
    found = sorted((name, page, slug) for page, slug, called in of_pages(connection) for name in called)
    yield from ((name, slug) for name, _, slug in found)


def titles(connection: apsw.Connection) -> Iterator[tuple[int, str]]:
    """Every page's title, and its aliases; those of one word with the capital that folding took from them."""
    yield from connection.execute("SELECT id, title FROM live_pages")
    yield from connection.execute(
        f"""SELECT n.page_id,
               iif(instr(n.alias, ' '), n.alias, upper(substr(n.alias, 1, 1)) || substr(n.alias, 2))
            FROM page_names n JOIN live_pages p ON p.id = n.page_id WHERE n.kind = {ALIAS}"""
    )


def texts(connection: apsw.Connection, page_id: int | None = None) -> Iterator[PageText]:
    """Every page's text, one after the other."""
    found = connection.execute(
        f"""SELECT p.id, {ADDRESS}, p.format, length(p.head) - length(replace(p.head, char(10), '')),
                part(p.packed, p.truth_start, NULL),
                (SELECT json_group_array(l.to_page_id) FROM links l
                 WHERE l.from_page_id = p.id AND l.to_page_id IS NOT NULL)
            FROM live_pages p WHERE ?1 IS NULL OR p.id = ?1""",
        (page_id,),
    )
    for page, slug, format, head_lines, text, linked in found:
        yield PageText(page, slug, format, head_lines, text, frozenset(json.loads(linked)))


def tag_counts(connection: apsw.Connection) -> list[tuple[str, int]]:
    """Every spelling of a tag with the number of pages that carry it."""
    sql = """SELECT t.tag COLLATE BINARY AS spelling, count(*) FROM tags t
        JOIN live_pages p ON p.id = t.page_id GROUP BY spelling"""
    return rows(connection, sql)


def slugs_tagged(connection: apsw.Connection, tag: str) -> list[str]:
    """The pages that carry a tag in exactly that spelling."""
    sql = f"""SELECT {ADDRESS} FROM tags t JOIN live_pages p ON p.id = t.page_id
        WHERE t.tag = ?1 AND t.tag COLLATE BINARY = ?1 ORDER BY p.slug"""
    return column(connection, sql, (tag,))


def open_pages(connection: apsw.Connection, page_id: int | None = None) -> Iterator[OpenPage]:
    """Pages whose truth has unchecked items or org headlines that are to be done."""
    sql = f"""SELECT {ADDRESS}, length(p.head) - length(replace(p.head, char(10), '')), p.compiled_truth,
            {_RESTING_SINCE}
        FROM live_pages p WHERE (?1 IS NULL OR p.id = ?1) AND p.has_tasks ORDER BY p.slug"""
    for fields in connection.execute(sql, (page_id,)):
        yield OpenPage(*fields)


def open_entries(
    connection: apsw.Connection, before: str, page_id: int | None = None
) -> list[tuple[str, str, str]]:
    """Timeline entries `TODO:` or `Open:` before a day that no later one calls done: page, date, summary."""
    return rows(
        connection,
        f"""SELECT {ADDRESS}, e.date, e.summary FROM timeline_entries e
            JOIN live_pages p ON p.id = e.page_id
            WHERE e.date < ?1 AND (?2 IS NULL OR p.id = ?2)
              AND (e.summary LIKE 'todo %' OR e.summary LIKE 'todo:%' OR e.summary LIKE 'open:%')
              AND NOT EXISTS (SELECT 1 FROM timeline_entries d
                              WHERE d.page_id = e.page_id AND d.date >= e.date
                              AND lower(d.summary) = 'done: ' || lower(trim(substr(e.summary, 6))))
            ORDER BY e.date, p.slug""",
        (before, page_id),
    )


def resting_tasks(
    connection: apsw.Connection, before: str, page_id: int | None = None
) -> list[tuple[DueRow, str]]:
    """Commitments and action items of which nothing was heard since a moment, and since when."""
    found = rows(
        connection,
        f"""SELECT * FROM (
                SELECT {_DUE}, max({_UNTOUCHED_SINCE}, coalesce(
                    (SELECT max(e.date) FROM timeline_entries e WHERE e.page_id = p.id), '')) AS since
                FROM live_pages p
                WHERE p.type IN ('commitment', 'action_item') AND (?2 IS NULL OR p.id = ?2))
            WHERE since < ?1 ORDER BY since, slug""",
        (before, page_id),
    )
    return [(DueRow(*each[:-1]), str(each[-1])) for each in found]


# What a briefing tells ---------------------------------------------------------------------------


@record
class Fact:
    """A fact or a typed link that began, ended or was recorded."""

    what: str
    day: str
    slug: str
    subject: str
    predicate: str
    object: str


@record
class Doubt:
    """A contradiction that nobody has resolved."""

    id: int
    type: str
    slug: str
    description: str
    detected_at: str


@record
class Question:
    """A question that the memory could not answer, as far as somebody approved of showing it."""

    id: int
    question: str
    detected_at: str


@record
class StalePage:
    """A page whose timeline is newer than its truth."""

    slug: str
    title: str
    newest: str
    truth_updated: str


_SHIFTED = """
    SELECT 'ended' AS what, a.valid_until AS day, a.page_id, a.subject, a.predicate, a.object
    FROM assertions a WHERE a.valid_until BETWEEN :day AND :today
    UNION ALL
    SELECT 'began', a.valid_from, a.page_id, a.subject, a.predicate, a.object
    FROM assertions a WHERE a.valid_from BETWEEN :day AND :today
    UNION ALL
    SELECT 'recorded', substr(a.created_at, 1, 10), a.page_id, a.subject, a.predicate, a.object
    FROM live_pages o CROSS JOIN assertions a ON a.page_id = o.id
    WHERE o.updated_at >= :since AND o.created_at < :since
      AND a.created_at >= :since AND a.valid_from IS NULL AND a.valid_until IS NULL
    UNION ALL
    SELECT iif(l.valid_until BETWEEN :day AND :today, 'ended', 'began'),
           iif(l.valid_until BETWEEN :day AND :today, l.valid_until, l.valid_from),
           l.from_page_id, o.title, l.relationship, l.target
    FROM links l JOIN pages o ON o.id = l.from_page_id
    WHERE l.source_kind = 'frontmatter'
      AND (l.valid_until BETWEEN :day AND :today OR l.valid_from BETWEEN :day AND :today)
      AND NOT EXISTS (SELECT 1 FROM assertions a WHERE a.page_id = l.from_page_id
                      AND a.predicate = l.relationship AND a.object_key = l.target_name)"""


def shifts(
    connection: apsw.Connection, since: str, day: str, today: str, limit: int
) -> tuple[int, list[Fact]]:
    """Facts that began or ended from a day on, or were recorded since a moment: how many, and the newest."""
    values = {"since": since, "day": day, "today": today}
    joined = f"FROM ({_SHIFTED}) f JOIN live_pages p ON p.id = f.page_id"
    sql = f"""SELECT f.what, f.day, {ADDRESS}, f.subject, f.predicate, f.object {joined}
        ORDER BY f.day DESC, p.slug, f.predicate, f.object LIMIT :limit"""
    count = int(row(connection, f"SELECT count(*) {joined}", values)[0])
    return count, records(Fact, connection, sql, values | {"limit": limit})


def decisions(connection: apsw.Connection, since: str) -> list[tuple[str, str, Any, Any]]:
    """Decisions that were made or changed since a moment: page, title, day and status as they are written."""
    sql = f"""SELECT {ADDRESS}, p.title, {_field("made_at")}, {_field("status", "state")} FROM live_pages p
        WHERE p.type = 'decision' AND p.updated_at >= ? ORDER BY p.updated_at DESC, p.slug"""
    return rows(connection, sql, (since,))


def contradictions(connection: apsw.Connection, limit: int) -> tuple[int, list[Doubt]]:
    """Contradictions that nobody has resolved: how many, and the newest."""
    joined = f"""FROM contradictions c JOIN live_pages p ON p.id = c.page_id WHERE {IS_OPEN}
        AND (c.other_page_id IS NULL OR c.other_page_id IN (SELECT id FROM live_pages))"""
    sql = f"""SELECT c.id, c.type, {ADDRESS}, c.description, c.detected_at {joined}
        ORDER BY c.detected_at DESC, c.id DESC LIMIT ?"""
    count = int(row(connection, f"SELECT count(*) {joined}")[0])
    return count, records(Doubt, connection, sql, (limit,))


def gaps(connection: apsw.Connection, limit: int) -> tuple[int, list[Question]]:
    """Questions without an answer: how many, and the newest of those that somebody approved."""
    count = int(row(connection, "SELECT count(*) FROM knowledge_gaps WHERE resolved_at IS NULL")[0])
    sql = """SELECT id, iif(sensitivity = 'redacted', redacted_query, query_text) AS question, detected_at
        FROM knowledge_gaps WHERE resolved_at IS NULL AND sensitivity <> 'internal' AND question IS NOT NULL
        ORDER BY detected_at DESC, id DESC LIMIT ?"""
    return count, records(Question, connection, sql, (limit,))


def stale(connection: apsw.Connection, today: str, days: int, limit: int) -> tuple[int, list[StalePage]]:
    """Pages whose newest evidence is younger than their truth by some days: how many, and the stalest."""
    joined = """FROM (SELECT page_id, max(date) AS newest FROM timeline_entries WHERE date <= :today
                      GROUP BY page_id) e
        JOIN live_pages p ON p.id = e.page_id
        WHERE julianday(e.newest) - julianday(substr(p.truth_updated_at, 1, 10)) >= :days"""
    values: dict[str, Any] = {"today": today, "days": days}
    count = int(row(connection, f"SELECT count(*) {joined}", values)[0])
    sql = f"""SELECT {ADDRESS}, p.title, e.newest, substr(p.truth_updated_at, 1, 10) {joined}
        ORDER BY julianday(e.newest) - julianday(p.truth_updated_at) DESC, p.slug LIMIT :limit"""
    return count, records(StalePage, connection, sql, values | {"limit": limit})
