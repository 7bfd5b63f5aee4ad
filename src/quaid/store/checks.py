"""Set queries that find what does not fit together: assertions, typed links, timelines and truths.

Names of subjects and objects are resolved as links are: to the page that answers best, in the collection of
the page that says it first. A name that no page answers to stands for itself, folded.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import apsw

from quaid.formats.predicates import SYNONYMS
from quaid.model.record import record
from quaid.store.names import name_of, of_page
from quaid.store.rows import column, records, rows

# Who has a job somewhere works there. The reverse does not hold: who gives up a job may stay.
_JOBS = "('is_ceo', 'ceo', 'is_ceo_of', 'is_cto', 'cto', 'is_cto_of', 'is_cfo_of', 'is_coo_of', 'coo_of')"


def _plain(column: str) -> str:
    """A predicate or relationship as it is compared: `Works at` is works_at."""
    return f"lower(replace(replace(trim({column}), ' ', '_'), '-', '_'))"


def _canonical(relationship: str) -> str:
    """A relationship in the first of its spellings."""
    plain = _plain(relationship)
    return f"coalesce((SELECT value FROM json_each(:synonyms) WHERE key = {plain}), {plain})"


def _same(predicate: str, relationship: str) -> str:
    """Whether an assertion and a link say the same."""
    return f"{_canonical(relationship)} = {predicate}"


def _demands(predicate: str, relationship: str) -> str:
    """Whether an assertion cannot be true without what a link says."""
    said = _canonical(relationship)
    return f"({said} = {predicate} OR ({said} = 'works_at' AND {predicate} IN {_JOBS}))"


_BEST = """FROM page_names n JOIN live_pages p ON p.id = n.page_id
    WHERE n.name = spoken.name ORDER BY p.collection_id <> spoken.home, n.kind, length(p.slug), p.slug,
        p.collection_id LIMIT 1"""

# claims: every assertion of a live page; keyed: the same with what its names stand for.
_KEYED = f"""
    spelled AS MATERIALIZED (SELECT key AS name, value AS same FROM json_each(:synonyms)),
    claims AS MATERIALIZED (
        SELECT a.id, a.page_id, p.collection_id AS home, a.subject_name, a.object_name, a.subject_key,
               a.object_key, a.object AS text,
               a.evidence_text AS evidence, coalesce(s.same, {_plain("a.predicate")}) AS predicate,
               a.valid_from,
               a.valid_until,
               (a.valid_from IS NULL OR a.valid_from <= :today)
               AND (a.valid_until IS NULL OR a.valid_until > :today) AS holds
        FROM assertions a JOIN live_pages p ON p.id = a.page_id
        LEFT JOIN spelled s ON s.name = {_plain("a.predicate")} {{narrowed}}
    ),
    spoken AS MATERIALIZED (
        SELECT subject_key AS name, home FROM claims UNION SELECT object_key, home FROM claims
    ),
    known AS MATERIALIZED (
        SELECT spoken.name, spoken.home, (SELECT p.id {_BEST}) AS page FROM spoken
    ),
    keyed AS MATERIALIZED (
        SELECT c.*, s.page AS subject_page, coalesce('p' || s.page, 'n' || c.subject_name) AS subject,
               o.page AS object_page, coalesce('p' || o.page, 'n' || c.object_name) AS object
        FROM claims c JOIN known s ON s.name = c.subject_key AND s.home = c.home
        JOIN known o ON o.name = c.object_key AND o.home = c.home
    )"""
_NARROWED = """WHERE a.id IN (
    SELECT id FROM assertions WHERE subject_key IN (SELECT value FROM json_each(:names))
    UNION SELECT id FROM assertions WHERE object_key IN (SELECT value FROM json_each(:names)))"""


@record
class Clash:
    """Two assertions, links or entries, by their ids."""

    one: int
    other: int


@record
class Standing:
    """A fact or link that holds, of a page: what it says, since when, and where it is stated.

    `link` or `claim` is its id, the other one is 0. Both are 0 for what a field or a sentence says.
    """

    subject: int
    predicate: str
    key: str
    text: str
    object_page: int | None
    since: str | None
    link: int = 0
    claim: int = 0


@record
class Holding:
    """An assertion that holds: what it is about, and its value as a key, as text and since when.

    `field` is that of the page by which it is stated, if it is.
    """

    id: int
    page_id: int
    about: str
    predicate: str
    key: str
    text: str
    since: str | None
    field: str
    concerned: bool


class Checks:
    """The queries, on one day, about all pages or about one.

    What assertions speak of is looked up once and kept in a temporary table; `close` drops it.
    """

    def __init__(
        self,
        connection: apsw.Connection,
        today: str,
        page_id: int | None = None,
        synonyms: Mapping[str, str] = SYNONYMS,
    ) -> None:
        self._connection = connection
        self._bindings: dict[str, Any] = {
            "today": today,
            "page": page_id,
            "synonyms": json.dumps(dict(synonyms)),
        }
        self._ready = False

    def close(self) -> None:
        """Let go of what was looked up."""
        self._connection.execute("DROP TABLE IF EXISTS temp.keyed")
        self._ready = False

    def _look_up(self) -> None:
        """Make the temporary table `keyed`: of all assertions, or of those around one page."""
        if self._ready:
            return
        self.close()
        page = self._bindings["page"]
        names = _names_around(self._connection, page) if page is not None else []
        narrowed = _NARROWED if page is not None else ""
        self._connection.execute(
            f"CREATE TEMP TABLE keyed AS WITH {_KEYED.format(narrowed=narrowed)} SELECT * FROM keyed",
            self._bindings | {"names": json.dumps(names)},
        )
        self._connection.execute("CREATE INDEX temp.keyed_by_subject ON keyed (subject, object)")
        self._ready = True

    def many_objects(self, allowed: Collection[str]) -> list[Holding]:
        """Assertions that hold and give one subject several objects, where that is not allowed; by
        subject."""
        return self._several("subject", "object", f"predicate NOT IN ({_values('many')})", many=allowed)

    def many_subjects(self, single: Collection[str]) -> list[Holding]:
        """Assertions that hold and give one object several subjects, where only one can be; by object."""
        return self._several("object", "subject", f"predicate IN ({_values('single')})", single=single)

    def _several(self, one: str, other: str, allowed: str, **lists: Collection[str]) -> list[Holding]:
        self._look_up()
        sql = f"""WITH several AS MATERIALIZED (
                SELECT {one}, predicate FROM keyed WHERE holds AND {allowed}
                GROUP BY {one}, predicate HAVING count(DISTINCT {other}) > 1
            )
            SELECT id, page_id, {one}, predicate, {other}, text, valid_from, evidence,
                   :page IS NULL OR page_id IS :page OR subject_page IS :page
            FROM several JOIN keyed USING ({one}, predicate) WHERE holds ORDER BY {one}, predicate, id"""
        bound = {name: json.dumps(sorted(values)) for name, values in lists.items()}
        return [_holding(each) for each in rows(self._connection, sql, {**self._bindings, **bound})]

    def ended_links(self) -> list[Clash]:
        """Assertions that hold, and the typed link that has ended although they demand it."""
        return self._against_links(
            f"""k.holds AND l.valid_until <= :today AND {_demands("k.predicate", "l.relationship")}
                AND (k.valid_from IS NULL OR k.valid_from < l.valid_until)
                AND NOT EXISTS (SELECT 1 FROM links o INDEXED BY links_from
                    WHERE o.from_page_id = l.from_page_id AND o.to_page_id = l.to_page_id
                      AND o.source_kind = 'frontmatter' AND (o.valid_until IS NULL OR o.valid_until > :today)
                      AND {_demands("k.predicate", "o.relationship")})"""
        )

    def ended_assertions(self) -> list[Clash]:
        """Assertions that have ended, and the typed link that says the same and holds."""
        return self._against_links(
            f"""k.valid_until <= :today AND {_same("k.predicate", "l.relationship")}
                AND (l.valid_until IS NULL OR l.valid_until > :today)
                AND (l.valid_from IS NULL OR (l.valid_from < k.valid_until AND l.valid_from <= :today))
                AND NOT EXISTS (SELECT 1 FROM keyed o WHERE o.subject = k.subject AND o.object = k.object
                    AND o.holds AND {_demands("o.predicate", "l.relationship")})"""
        )

    def _against_links(self, condition: str) -> list[Clash]:
        sql = f"""SELECT max(k.id), max(l.id) FROM keyed k
            CROSS JOIN links l INDEXED BY links_from
                ON l.from_page_id = k.subject_page AND l.to_page_id = k.object_page
            WHERE l.source_kind = 'frontmatter' AND {condition}
              AND (:page IS NULL OR :page IN (k.page_id, l.from_page_id))
            GROUP BY k.subject, k.predicate, k.object ORDER BY 1"""
        return self._clashes(sql)

    def overlapping_chains(self) -> list[Clash]:
        """Assertions that begin before the one that they replace has ended."""
        sql = """SELECT a.id, b.id FROM assertions a JOIN assertions b ON b.id = a.supersedes_id
            JOIN live_pages p ON p.id = a.page_id JOIN live_pages q ON q.id = b.page_id
            WHERE b.valid_until > a.valid_from AND (:page IS NULL OR :page IN (a.page_id, b.page_id))
            ORDER BY a.id"""
        return self._clashes(sql)

    def like(self, assertion_id: int) -> list[Holding]:
        """The assertions that hold and are about what one is about, with its predicate; itself included."""
        names = _names_of_assertion(self._connection, assertion_id)
        sql = f"""WITH {_KEYED.format(narrowed=_NARROWED)}
            SELECT k.id, k.page_id, k.subject, k.predicate, k.object, k.text, k.valid_from, k.evidence, 1
            FROM keyed k JOIN keyed o ON o.id = :assertion
            WHERE k.holds AND k.subject = o.subject AND k.predicate = o.predicate ORDER BY k.id"""
        bindings = self._bindings | {"names": json.dumps(names), "assertion": assertion_id}
        return [_holding(each) for each in rows(self._connection, sql, bindings)]

    def stale(self, days: int) -> list[tuple[int, int]]:
        """Pages whose newest dated line is that much newer than their truth, and the line's id.

        A line counts from the day it speaks of, not from the moment it was written down; lines about days to
        come do not count. A page whose truth and timeline came at once has nothing that the truth could lack.
        """
        narrowed = "TRUE" if self._bindings["page"] is None else "p.id = :page"
        sql = f"""SELECT p.id, e.id, max(e.date) FROM live_pages p JOIN timeline_entries e ON e.page_id = p.id
            WHERE {narrowed} AND p.timeline_updated_at > p.truth_updated_at
              AND e.date <= :today
            GROUP BY p.id
            HAVING julianday(max(e.date)) - julianday(substr(p.truth_updated_at, 1, 10)) >= :days
            ORDER BY p.id"""
        found = rows(self._connection, sql, {**self._bindings, "days": days})
        return [(page, entry) for page, entry, _ in found]

    def telling(self) -> list[int]:
        """The pages whose texts are read: all, or one and those that name it."""
        page = self._bindings["page"]
        if page is None:
            return column(self._connection, "SELECT id FROM live_pages")
        names = " OR ".join(
            _quoted(name) for name in sorted(of_page(self._connection, page)) if len(name) > 2
        )
        wanted = f"{{compiled_truth timeline}}: ({names})"
        sql = "SELECT rowid FROM page_fts WHERE page_fts MATCH ?"
        found = column(self._connection, sql, (wanted,)) if names else []
        return list(dict.fromkeys([page, *found]))

    def standing(self, page_ids: Collection[int]) -> dict[int, list[Standing]]:
        """The typed links of pages that hold, and then the facts about them that do."""
        self._look_up()
        sql = f"""WITH wanted AS MATERIALIZED (SELECT value AS page FROM json_each(:pages))
            SELECT l.from_page_id, {_canonical("l.relationship")}, NULL, l.target, l.to_page_id,
                   l.valid_from, l.id, 0, l.written
            FROM wanted CROSS JOIN links l ON l.from_page_id = wanted.page
            WHERE l.source_kind = 'frontmatter' AND (l.valid_from IS NULL OR l.valid_from <= :today)
              AND (l.valid_until IS NULL OR l.valid_until > :today)
            UNION ALL
            SELECT k.subject_page, k.predicate, k.object_name, k.text, k.object_page, k.valid_from, 0,
                   k.id, ''
            FROM keyed k JOIN wanted ON wanted.page = k.subject_page WHERE k.holds
            ORDER BY 1, 8, 7"""
        found: dict[int, list[Standing]] = {}
        for values in rows(self._connection, sql, {**self._bindings, "pages": json.dumps(sorted(page_ids))}):
            subject, predicate, key, text, *rest, written = values
            standing = Standing(subject, predicate, key or name_of(text, written), text, *rest)
            found.setdefault(subject, []).append(standing)
        return found

    def _clashes(self, sql: str) -> list[Clash]:
        self._look_up()
        return records(Clash, self._connection, sql, self._bindings)


def _quoted(word: str) -> str:
    return '"' + word.replace('"', " ") + '"'


def _holding(values: Sequence[Any]) -> Holding:
    *stated, evidence, concerned = values
    field, colon, _ = evidence.partition(":")
    return Holding(*(*stated, field if colon else "", bool(concerned)))


def _values(name: str) -> str:
    return f"SELECT value FROM json_each(:{name})"


def _names_around(connection: apsw.Connection, page_id: int) -> list[int]:
    """The keys of names in a page's assertions and those about it, with the other names of what they mean."""
    sql = """WITH said (name) AS (
            SELECT name FROM page_names WHERE page_id = ?1
            UNION SELECT subject_key FROM assertions WHERE page_id = ?1
            UNION SELECT object_key FROM assertions WHERE page_id = ?1)
        SELECT name FROM said
        UNION SELECT o.name FROM said CROSS JOIN page_names n ON n.name = said.name
              CROSS JOIN page_names o ON o.page_id = n.page_id"""
    return column(connection, sql, (page_id,))


def _names_of_assertion(connection: apsw.Connection, assertion_id: int) -> list[int]:
    sql = """SELECT subject_key FROM assertions WHERE id = ?1
        UNION SELECT o.name FROM assertions a JOIN page_names n ON n.name = a.subject_key
              JOIN page_names o ON o.page_id = n.page_id WHERE a.id = ?1"""
    return column(connection, sql, (assertion_id,))
