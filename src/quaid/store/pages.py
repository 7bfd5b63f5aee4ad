"""The pages table."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal

import apsw

from quaid.errors import Corrupt
from quaid.model.page import Content, Page, PageInfo, Problem
from quaid.store import seals, tags
from quaid.store.drafts import Draft, PageRow, column_assignments, columns
from quaid.store.failures import VALIDATE
from quaid.store.filters import PageFilter
from quaid.store.keys import name_key
from quaid.store.rows import column, first, records, row, rows

Sort = Literal["updated", "created", "title", "slug"]

_INFO = """p.id, c.name, p.slug, p.type, p.title, p.summary, p.wing, p.room, p.version, p.created_at,
    p.updated_at, p.truth_updated_at, p.timeline_updated_at, p.format, p.path"""
_FROM = "FROM live_pages p JOIN collections c ON c.id = p.collection_id"
_BLANKS = "' ' || char(9, 10, 13)"
_BARE_TRUTH = f"trim(part(packed, truth_start, rule_start), {_BLANKS})"
_BARE_TIMELINE = f"trim(part(packed, timeline_start, NULL), {_BLANKS})"
# The first version of a new page: above all that the slug has ever had.
_NEXT_VERSION = """1 + max(
    (SELECT c.first_version - 1 FROM collections c WHERE c.id = {collection}),
    coalesce((SELECT o.version FROM pages o
              WHERE o.collection_id = {collection} AND o.slug = {slug} AND o.quarantined_at IS NULL), 0),
    coalesce((SELECT max(o.version) FROM pages o
              WHERE o.collection_id = {collection} AND o.slug = {slug} AND o.quarantined_at IS NOT NULL), 0),
    coalesce((SELECT r.version FROM retired_versions r
              WHERE r.collection_id = {collection} AND r.slug = {slug}), 0))"""
FIRST_VERSION = _NEXT_VERSION.format(collection=":collection_id", slug=":slug")
_VERSION_AT_SLUG = _NEXT_VERSION.format(collection="pages.collection_id", slug=":slug")
_VERSION_AT_OWN_SLUG = _NEXT_VERSION.format(collection="pages.collection_id", slug="pages.slug")
MANY = 1_000  # pages that are skipped one by one
_ORDER: dict[Sort, str] = {
    "updated": "p.updated_at DESC, p.id",
    "created": "p.created_at DESC, p.id",
    "title": "p.title COLLATE NOCASE, p.id",
    "slug": "p.slug, p.id",
}


def by_slug(connection: apsw.Connection, slug: str, collection_id: int | None = None) -> list[PageInfo]:
    """The live pages of that slug, those of older collections first."""
    sql = f"""SELECT {_INFO} {_FROM} WHERE p.slug = ?1 AND (?2 IS NULL OR p.collection_id = ?2)
        ORDER BY p.collection_id"""
    return records(PageInfo, connection, sql, (slug, collection_id))


def by_name(connection: apsw.Connection, name: str, collection_id: int | None = None) -> list[PageInfo]:
    """The live pages that answer to a folded name in its best kind."""
    sql = f"""
        SELECT {_INFO} {_FROM} JOIN page_names n ON n.page_id = p.id
        WHERE n.name = ?1 AND (?2 IS NULL OR p.collection_id = ?2) AND n.kind = (
            SELECT min(m.kind) FROM page_names m JOIN live_pages q ON q.id = m.page_id
            WHERE m.name = ?1 AND (?2 IS NULL OR q.collection_id = ?2))
        ORDER BY p.slug LIMIT 20"""
    return records(PageInfo, connection, sql, (name_key(name), collection_id))


def info(connection: apsw.Connection, page_id: int) -> PageInfo:
    """What lists show of a page that is there."""
    return PageInfo(*row(connection, f"SELECT {_INFO} {_FROM} WHERE p.id = ?", (page_id,)))


def load(connection: apsw.Connection, page_id: int) -> Page:
    """A page with its text."""
    try:
        *listed, text, encoding, frontmatter, tags, problems = row(
            connection,
            f"""SELECT {_INFO}, p.text, p.encoding, p.frontmatter,
                (SELECT json_group_array(t.tag) FROM tags t WHERE t.page_id = p.id), p.problems
                {_FROM} WHERE p.id = ?""",
            (page_id,),
        )
        found = tuple(Problem(**each) for each in json.loads(problems))
        stated = json.loads(frontmatter)
        return Page(PageInfo(*listed), text, encoding, stated, tuple(json.loads(tags)), found)
    except (ValueError, TypeError) as error:
        what = f"what the memory holds of page {page_id} is damaged"
        raise Corrupt(what, hint=VALIDATE, reason=str(error)) from error


def searched_text(connection: apsw.Connection, page_id: int) -> tuple[str, str, str, str]:
    """What words are looked for in besides title and slug: truth, timeline, fields, and aliases and tags."""
    sql = "SELECT compiled_truth, timeline, fields, keywords FROM live_pages WHERE id = ?"
    return row(connection, sql, (page_id,))


def truths(connection: apsw.Connection, page_ids: Collection[int]) -> dict[int, str]:
    """The compiled truth of some live pages."""
    sql = "SELECT id, compiled_truth FROM live_pages WHERE id = ?"
    return dict(found for page_id in page_ids for found in rows(connection, sql, (page_id,)))


def find(connection: apsw.Connection, page_id: int) -> Page | None:
    """A page with its text, if it is still there."""
    try:
        return load(connection, page_id)
    except LookupError:
        return None


def listing(
    connection: apsw.Connection, chosen: PageFilter, sort: Sort, limit: int, offset: int
) -> list[PageInfo]:
    """Pages that pass the filter."""
    where, parameters = chosen.where(walk=chosen.tag is not None and tags.is_common(connection, chosen.tag))
    part = f"WHERE {where} ORDER BY {_ORDER[sort]} LIMIT ? OFFSET ?"
    if offset > MANY:  # ids first: what is skipped is then read from an index, and not page by page
        part = f"WHERE p.id IN (SELECT p.id FROM live_pages p {part}) ORDER BY {_ORDER[sort]}"
    sql = f"SELECT {_INFO} {_FROM} {part}"
    return records(PageInfo, connection, sql, (*parameters, limit, offset))


def folders(connection: apsw.Connection, chosen: PageFilter) -> list[tuple[str, int]]:
    """The folders right below the one that is chosen, and how many pages are in each."""
    where, parameters = chosen.where()
    begin = len(chosen.under) + 2 if chosen.under else 1
    sql = f"""SELECT substr(p.slug, {begin}, instr(substr(p.slug, {begin}), '/') - 1) AS folder, count(*)
              FROM live_pages p WHERE {where} AND instr(substr(p.slug, {begin}), '/') > 0
              GROUP BY folder ORDER BY folder"""
    return rows(connection, sql, parameters)


def removed_pages(connection: apsw.Connection, limit: int, offset: int) -> list[tuple[str, str, str, str]]:
    """Removed pages, newest first: collection, slug, title and time of removal."""
    sql = """SELECT c.name, p.slug, p.title, p.quarantined_at FROM pages p
        JOIN collections c ON c.id = p.collection_id WHERE p.quarantined_at IS NOT NULL
        ORDER BY p.quarantined_at DESC, p.id DESC LIMIT ? OFFSET ?"""
    return rows(connection, sql, (limit, offset))


def latest_quarantined(connection: apsw.Connection, slug: str, collection_id: int) -> int | None:
    """Id of the page that was last removed under that slug."""
    sql = """SELECT id FROM pages WHERE slug = ? AND quarantined_at IS NOT NULL AND collection_id = ?
        ORDER BY quarantined_at DESC, id DESC LIMIT 1"""
    found: int | None = first(connection, sql, (slug, collection_id))
    return found


def is_quarantined(connection: apsw.Connection, slug: str) -> bool:
    """Whether a removed page had that slug."""
    sql = "SELECT EXISTS (SELECT 1 FROM pages WHERE slug = ? AND quarantined_at IS NOT NULL)"
    return bool(row(connection, sql, (slug,))[0])


def quarantined_text(connection: apsw.Connection, page_id: int) -> tuple[str, str, str | None]:
    """Text, encoding and path of a removed page."""
    return row(connection, "SELECT whole(packed), encoding, path FROM pages WHERE id = ?", (page_id,))


def version(connection: apsw.Connection, page_id: int) -> int:
    """The version of a page, removed or not."""
    return int(row(connection, "SELECT version FROM pages WHERE id = ?", (page_id,))[0])


def whereabouts(connection: apsw.Connection, page_id: int) -> tuple[str, bool]:
    """The collection of a page, and whether the page is there or removed."""
    sql = """SELECT c.name, p.quarantined_at IS NULL FROM pages p
        JOIN collections c ON c.id = p.collection_id WHERE p.id = ?"""
    name, is_there = row(connection, sql, (page_id,))
    return name, bool(is_there)


def path_under(connection: apsw.Connection, collection_id: int, directory: str) -> str | None:
    """The path of some page whose slug begins with a directory."""
    sql = """SELECT path FROM live_pages WHERE collection_id = ?1 AND path IS NOT NULL
        AND slug >= ?2 || '/' AND slug < ?2 || '0' ORDER BY slug LIMIT 1"""
    found: str | None = first(connection, sql, (collection_id, directory))
    return found


def similar_slugs(connection: apsw.Connection, part: str, limit: int = 5) -> list[str]:
    """Slugs that contain a text, shortest first: for hints and completion."""
    escaped = part.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    sql = "SELECT slug FROM live_pages WHERE slug LIKE ? ESCAPE '\\' ORDER BY length(slug), slug LIMIT ?"
    return column(connection, sql, (f"%{escaped}%", limit))


def slugs_spelled_near(connection: apsw.Connection, name: str, limit: int = 2000) -> list[str]:
    """Slugs whose last part begins or ends like a name, among which a misspelt one may be found."""
    clean = "".join(sign for sign in name if sign.isalnum() or sign == "-")
    if len(clean) < 3:
        return []
    sql = "SELECT slug FROM live_pages WHERE slug LIKE ?1 OR slug LIKE ?2 OR slug LIKE ?3 LIMIT ?4"
    return column(connection, sql, (f"{clean[:2]}%", f"%/{clean[:2]}%", f"%{clean[-3:]}", limit))


def slugs_from(connection: apsw.Connection, prefix: str, limit: int) -> list[str]:
    """Slugs that start with a text."""
    sql = """SELECT DISTINCT slug FROM live_pages WHERE slug >= ?1 AND slug < ?1 || char(1114111)
        ORDER BY slug LIMIT ?2"""
    return column(connection, sql, (prefix, limit))


def retire(connection: apsw.Connection, collection_id: int, slug: str, version: int) -> None:
    """Remember that the slug had this version, for whoever still expects it."""
    connection.execute(
        """INSERT INTO retired_versions (collection_id, slug, version) VALUES (?, ?, ?)
           ON CONFLICT DO UPDATE SET version = max(version, excluded.version)""",
        (collection_id, slug, version),
    )


def retire_page(connection: apsw.Connection, page_id: int) -> None:
    """Remember the version of a page that is about to go for good."""
    collection_id, slug, version = row(
        connection, "SELECT collection_id, slug, version FROM pages WHERE id = ?", (page_id,)
    )
    retire(connection, collection_id, slug, version)


def delete(connection: apsw.Connection, page_id: int) -> None:
    """Delete a page, and with it all rows that belong to it."""
    connection.execute("DELETE FROM pages WHERE id = ?", (page_id,))


def update(connection: apsw.Connection, page_id: int, draft: Draft) -> int:
    """New text for a page; the times of the parts that changed move. The answer is its new version."""
    values = _rewritten(page_id, draft, draft.columns())
    return int(row(connection, _rewriting(values), values)[0])


def update_all(connection: apsw.Connection, drafts: Sequence[tuple[int, Draft, PageRow]]) -> None:
    """New texts for pages."""
    values = [_rewritten(page_id, draft, row.columns) for page_id, draft, row in drafts]
    if values:
        connection.executemany(_rewriting(values[0]), values).fetchall()


def _rewritten(page_id: int, draft: Draft, columns: Mapping[str, Any]) -> dict[str, Any]:
    return dict(columns) | {
        "updated_at": draft.now,
        "id": page_id,
        "truth": draft.content.truth.strip(" \t\r\n"),
        "evidence": draft.content.timeline.strip(" \t\r\n"),
    }


def _rewriting(values: Mapping[str, Any]) -> str:
    assignments = column_assignments(name for name in values if name not in ("id", "truth", "evidence"))
    return f"""UPDATE pages SET {assignments}, version = max(version + 1, {_VERSION_AT_SLUG}),
        truth_changed_at = iif({_BARE_TRUTH} = :truth, truth_changed_at, :updated_at),
        timeline_changed_at = iif({_BARE_TIMELINE} = :evidence, timeline_changed_at, :updated_at),
        seal = {seals.NEW_PAGE.format(collection="collection_id")}
        WHERE id = :id RETURNING version"""


def relocate(connection: apsw.Connection, page_id: int, draft: Draft) -> None:
    """Another slug and path for a page whose bytes stay: the same version, unless the slug had it."""
    collection_id, old, version = row(
        connection, "SELECT collection_id, slug, version FROM pages WHERE id = ?", (page_id,)
    )
    values = draft.columns()
    assignments = column_assignments(values)
    if old != draft.slug:
        retire(connection, collection_id, old, version)
        assignments += f", version = max(version, {_VERSION_AT_SLUG})"
    connection.execute(f"UPDATE pages SET {assignments} WHERE id = :id", values | {"id": page_id})
    seals.seal_page(connection, page_id)


def park(connection: apsw.Connection, page_id: int) -> None:
    """Take a page from its slug and path, which another needs first; its own come in the same transaction."""
    connection.execute(
        "UPDATE pages SET slug = '~' || id || '/' || slug, path = NULL WHERE id = ?", (page_id,)
    )
    seals.seal_page(connection, page_id)


def unpark(connection: apsw.Connection, page_id: int) -> None:
    """Call a parked page what it was called."""
    sql = "UPDATE pages SET slug = substr(slug, instr(slug, '/') + 1) WHERE id = ? AND slug GLOB '~*'"
    connection.execute(sql, (page_id,))
    seals.seal_page(connection, page_id)


def parked_pages(connection: apsw.Connection, collection_id: int) -> list[int]:
    """Pages that were left without a place."""
    sql = "SELECT id FROM live_pages WHERE collection_id = ? AND slug GLOB '~*'"
    return column(connection, sql, (collection_id,))


def rivals(connection: apsw.Connection, collection_id: int, slug: str) -> list[tuple[int, str, str]]:
    """Pages that have a slug, or the slug with a part that tells them apart: id, slug and path."""
    sql = """SELECT id, slug, path FROM live_pages WHERE collection_id = ?1 AND path IS NOT NULL
        AND (slug = ?2 OR slug GLOB ?3) AND slug >= ?2 AND slug < ?2 || '.'"""
    return rows(connection, sql, (collection_id, slug, slug + "-" + "[0-9a-f]" * 8))


def with_rivals(connection: apsw.Connection, collection_id: int, slugs: Collection[str]) -> set[str]:
    """Those of some slugs that a page has, or has with a part that tells it from another."""
    sql = """SELECT value FROM json_each(?2) WHERE EXISTS (
            SELECT 1 FROM pages WHERE collection_id = ?1 AND quarantined_at IS NULL
            AND slug >= value AND slug < value || '.'
            AND (slug = value OR slug GLOB value || '-????????'))"""
    return set(column(connection, sql, (collection_id, json.dumps(list(slugs)))))


def rederive(connection: apsw.Connection, page_id: int, content: Content) -> None:
    """Correct what is derived from a page's text; the page is not a new version."""
    values = columns(content)
    connection.execute(
        f"UPDATE pages SET {column_assignments(values)} WHERE id = :id", values | {"id": page_id}
    )


def are_placed(connection: apsw.Connection) -> bool:
    """Whether pages have been derived since the memory was brought up to date, which may be interrupted."""
    sql = "SELECT EXISTS (SELECT 1 FROM page_places) OR NOT EXISTS (SELECT 1 FROM live_pages)"
    return bool(row(connection, sql)[0])


def all_live(connection: apsw.Connection) -> list[int]:
    """Ids of all pages that can be read."""
    return column(connection, "SELECT id FROM live_pages ORDER BY id")


def touch(connection: apsw.Connection, page_id: int, now: str) -> int:
    """A change outside the text. The answer is the page's new version."""
    sql = "UPDATE pages SET version = version + 1, updated_at = ? WHERE id = ? RETURNING version"
    return int(row(connection, sql, (now, page_id))[0])


def set_quarantined(connection: apsw.Connection, page_id: int, quarantined_at: str | None, now: str) -> int:
    """Hide a page, or bring it back. The answer is its new version."""
    sql = f"""UPDATE pages SET quarantined_at = ?, version = max(version + 1, {_VERSION_AT_OWN_SLUG}),
        updated_at = ? WHERE id = ? RETURNING version"""
    return int(row(connection, sql, (quarantined_at, now, page_id))[0])
