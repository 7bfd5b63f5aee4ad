"""Letting go of pages for good: which ones are meant, what belongs to them, and that no trace is left.

A deleted row may leave its bytes behind in the file, a deleted word in the index. Here nothing may stay, so
the index is merged and the file is written anew.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager

import apsw

from quaid.formats.content import read_page
from quaid.formats.encoding import decode
from quaid.model.page import Content, Format
from quaid.model.record import record
from quaid.store import assertions, embeddings, links, pages, seals, timeline, words
from quaid.store.compaction import log_is_empty
from quaid.store.connection import Store
from quaid.store.rows import column, row, rows

_PATIENCE = 0.5  # seconds, with those who read
_IN = "IN (SELECT value FROM json_each(?1))"


@record
class Scope:
    """Conditions on pages, all of which hold; what is None does not count."""

    ids: frozenset[int] | None = None
    tag: str | None = None
    collection: str | None = None
    since: str | None = None
    until: str | None = None
    removed: bool = False


@record
class ChosenPage:
    """A page that is to be forgotten, or to lose something."""

    id: int
    slug: str
    collection: str
    version: int
    removed: bool
    format: Format
    path: str | None


@record
class Evidence:
    """How much of what a page holds is known from one source."""

    entries: int = 0
    claims: int = 0
    raw: int = 0
    versions: int = 0  # earlier ones that cite it
    originals: int = 0  # files of which the page was made, and that cite it


def chosen_pages(connection: apsw.Connection, scope: Scope) -> list[ChosenPage]:
    """The pages that are meant, removed ones too; of one slug, the live page comes first."""
    found = rows(
        connection,
        """SELECT p.id, p.slug, c.name, p.version, p.quarantined_at IS NOT NULL, p.format, p.path
           FROM pages p JOIN collections c ON c.id = p.collection_id
           WHERE (?1 IS NULL OR p.id IN (SELECT value FROM json_each(?1)))
             AND (?2 IS NULL OR p.id IN (SELECT page_id FROM tags WHERE tag = ?2))
             AND (?3 IS NULL OR c.name = ?3)
             AND (?4 IS NULL OR p.updated_at >= ?4) AND (?5 IS NULL OR p.updated_at < ?5)
             AND (NOT ?6 OR p.quarantined_at IS NOT NULL)
           ORDER BY c.id, p.slug, p.quarantined_at IS NOT NULL, p.quarantined_at DESC, p.id DESC""",
        (
            None if scope.ids is None else json.dumps(sorted(scope.ids)),
            scope.tag,
            scope.collection,
            scope.since,
            scope.until,
            scope.removed,
        ),
    )
    return [ChosenPage(*(*each[:4], bool(each[4]), *each[5:])) for each in found]


def removed_under(connection: apsw.Connection, slug: str, collection: str | None) -> list[int]:
    """Removed pages that had that slug."""
    sql = """SELECT p.id FROM pages p JOIN collections c ON c.id = p.collection_id
        WHERE p.slug = ?1 AND p.quarantined_at IS NOT NULL AND (?2 IS NULL OR c.name = ?2)"""
    return column(connection, sql, (slug, collection))


def came_from(connection: apsw.Connection, source: str) -> set[int]:
    """Pages that were made of a source: one that was ingested, an import, or a folder that was imported.

    A page that merely says the same as a source was not made of it.
    """
    found = column(
        connection,
        """SELECT l.page_id FROM ingest_log l JOIN raw_imports r
               ON r.page_id = l.page_id AND r.content_hash = l.content_hash
           WHERE l.source_ref = ?1
           UNION SELECT id FROM pages WHERE json_extract(frontmatter, '$.source_ref') = ?1
           UNION SELECT r.page_id FROM raw_imports r LEFT JOIN import_manifest m USING (import_id)
                 WHERE r.page_id IS NOT NULL AND (r.import_id = ?1 OR m.source_dir = ?1)""",
        (source,),
    )
    return set(found)


def citing(connection: apsw.Connection, source: str) -> dict[int, Evidence]:
    """Pages that hold something that is known from a source, or did before, and how much."""
    found: dict[str, Counter[int]] = {}
    for name, sql in (
        ("entries", "SELECT page_id FROM timeline_entries WHERE source = ?"),
        ("claims", "SELECT page_id FROM assertions WHERE source_ref = ?"),
        ("raw", "SELECT page_id FROM raw_data WHERE source = ?"),
    ):
        found[name] = Counter(column(connection, sql, (source,)))
    found["versions"] = Counter(_citing(connection, "history", "bytes", "format = 'org'", source))
    found["originals"] = Counter(
        _citing(connection, "raw_imports", "raw_bytes", "lower(file_path) LIKE '%.org'", source)
    )
    return {
        page_id: Evidence(**{name: counter[page_id] for name, counter in found.items()})
        for page_id in {page_id for counter in found.values() for page_id in counter}
    }


def _citing(connection: apsw.Connection, table: str, column: str, is_org: str, source: str) -> Iterator[int]:
    """The page of each text in a table that cites a source; those without its name are not read."""
    spelled = [source.encode(name) for name in ("utf-8", "utf-16-le", "utf-16-be")]
    western = source.encode("cp1252", "ignore")
    spelled += [western] if western.decode("cp1252") == source else []
    named = " OR ".join(f"instr({column}, ?)" for _ in spelled)
    sql = f"SELECT page_id, {column}, {is_org} FROM {table} WHERE page_id IS NOT NULL AND ({named})"
    for page_id, data, org in rows(connection, sql, spelled):
        content = read_page(decode(bytes(data))[0], "", "org" if org else "markdown")
        cited = {entry.source for entry in content.entries} | {claim.source for claim in content.claims}
        if source in cited:
            yield page_id


_COUNTED = {
    "files": f"SELECT count(*) FROM file_state WHERE page_id {_IN}",
    "tags": f"SELECT count(*) FROM tags WHERE page_id {_IN}",
    "links": f"SELECT count(*) FROM links WHERE from_page_id {_IN}",
    "timeline_entries": f"SELECT count(*) FROM timeline_entries WHERE page_id {_IN}",
    "assertions": f"SELECT count(*) FROM assertions WHERE page_id {_IN}",
    "raw_data": f"SELECT count(*) FROM raw_data WHERE page_id {_IN}",
    "earlier_versions": f"SELECT count(*) FROM history WHERE page_id {_IN}",
    "originals": f"SELECT count(*) FROM raw_imports WHERE page_id {_IN}",
    "contradictions": f"SELECT count(*) FROM contradictions WHERE page_id {_IN} OR other_page_id {_IN}",
    "chunks": f"SELECT count(*) FROM chunks WHERE page_id {_IN}",
    "vectors": f"""SELECT (SELECT count(*) FROM embeddings e
        WHERE hash IN (SELECT hash FROM chunks WHERE page_id {_IN})
          AND NOT EXISTS (SELECT 1 FROM chunks c WHERE c.hash = e.hash AND c.page_id NOT {_IN}))
        + (SELECT count(*) FROM item_embeddings e
        WHERE hash IN (SELECT hash FROM items WHERE page_id {_IN})
          AND NOT EXISTS (SELECT 1 FROM items i WHERE i.hash = e.hash AND i.page_id NOT {_IN}))""",
}


def counts(connection: apsw.Connection, page_ids: Collection[int]) -> dict[str, int]:
    """How much belongs to some pages."""
    ids = json.dumps(sorted(page_ids))
    return {name: int(row(connection, sql, (ids,))[0]) for name, sql in _COUNTED.items()}


def copies(connection: apsw.Connection, page_ids: Collection[int]) -> list[str]:
    """Files to which some pages were written when they were in quarantine."""
    sql = f"SELECT output_path FROM quarantine_exports WHERE page_id {_IN} ORDER BY output_path"
    return column(connection, sql, (json.dumps(sorted(page_ids)),))


def forget_doubts(connection: apsw.Connection, page_id: int) -> None:
    """Contradictions with a page quote it, also those of other pages."""
    connection.execute("DELETE FROM contradictions WHERE page_id = ?1 OR other_page_id = ?1", (page_id,))


def slugs_of(connection: apsw.Connection, page_id: int) -> list[str]:
    """The slugs that a page is known to have had."""
    sql = "SELECT slug FROM pages WHERE id = ?1 UNION SELECT slug FROM history WHERE page_id = ?1"
    return column(connection, sql, (page_id,))


def forget_names(connection: apsw.Connection, collection: str, slugs: Collection[str]) -> None:
    """Forget slugs of pages that have gone.

    Versions must not repeat all the same: every new page of the collection begins above those that they had.
    """
    names = json.dumps(sorted(slugs))
    identity = row(connection, "SELECT id FROM collections WHERE name = ?", (collection,))[0]
    connection.execute(
        f"""UPDATE collections SET first_version = max(first_version, 1 + coalesce(
                (SELECT max(version) FROM retired_versions WHERE collection_id = ?2 AND slug {_IN}), 0))
            WHERE id = ?2""",
        (names, identity),
    )
    connection.execute(
        f"DELETE FROM retired_versions WHERE collection_id = ?2 AND slug {_IN}", (names, identity)
    )
    connection.execute(f"DELETE FROM readings WHERE slug {_IN}", (names,))
    connection.execute(
        f"UPDATE knowledge_gaps SET resolved_by_slug = NULL WHERE resolved_by_slug {_IN}", (names,)
    )


def rewrite_removed(connection: apsw.Connection, page_id: int, content: Content, now: str) -> None:
    """Another text for a page in quarantine, and what is kept of it besides."""
    pages.rederive(connection, page_id, content)
    seals.seal_page(connection, page_id)
    links.replace(connection, page_id, content.references, content.text, now)
    timeline.replace(connection, page_id, content.entries)
    assertions.replace(connection, page_id, content.claims, now)


@contextmanager
def erasing(store: Store) -> Iterator[apsw.Connection]:
    """A transaction whose deletions leave nothing behind; words and vectors of lost texts go with it."""
    before = store.connection.pragma("secure_delete")
    store.connection.pragma("secure_delete", 1)
    try:
        with store.write() as connection:
            yield connection
            embeddings.collect(connection)
            words.merge(connection, "page_fts", "chunk_fts")
    finally:
        store.connection.pragma("secure_delete", before)


def scrub(store: Store) -> bool:
    """Write the memory anew without its free space, and empty its log.

    The answer is whether that was done: readers may need the log, and a new file needs space.
    """
    connection = store.connection
    if connection.in_transaction:
        return False
    try:
        connection.execute("VACUUM")
        with store.impatient(_PATIENCE):
            connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    except (apsw.BusyError, apsw.LockedError, apsw.FullError, apsw.IOError):
        return False
    return log_is_empty(store.path)
