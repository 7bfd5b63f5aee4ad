"""Whether the memory is sound: the file, the word index, links, assertions, embeddings.

Every check is a query that finds what must not be.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import apsw

from quaid.model.record import record
from quaid.store import bare_pages, names, seals
from quaid.store.assertions import chain_all
from quaid.store.failures import RESCUE
from quaid.store.rows import row, rows
from quaid.store.scratch import (
    index_pages,
    index_sections,
    index_turns,
    same_words,
    schema_differences,
    scratch,
)

MAX_LINES = 20
REMAKE = (
    "`quaid validate --repair` makes the file anew if only what is derived is damaged; else "
    "`quaid rescue DIR` saves what can be read. Where all pages are files, move memory.db away: the next "
    "command makes it anew."
)


_ANEW = "It can be derived anew."


@record
class Finding:
    """Something wrong, and what to do about it."""

    check: str
    message: str
    repair: str
    repairable: bool = False


def database(connection: apsw.Connection) -> Iterator[Finding]:
    """The file itself."""
    for (line,) in connection.execute(f"PRAGMA integrity_check({MAX_LINES})"):
        if line != "ok" and not _of_word_index(line):
            yield Finding("database", line, REMAKE, True)


def references(connection: apsw.Connection) -> Iterator[Finding]:
    """References between tables."""
    for table, place, parent, _ in connection.execute("PRAGMA foreign_key_check"):
        yield Finding("database", f"row {place} of {table} belongs to a missing row of {parent}", RESCUE)


def _of_word_index(line: str) -> bool:
    """Whether SQLite speaks of a word index, which has a check of its own."""
    return "FTS5" in line or "inverted index" in line


def schema(connection: apsw.Connection) -> Iterator[Finding]:
    """The tables, indexes, triggers and views against those of a new memory."""
    with scratch() as sound:
        for name in schema_differences(connection, sound):
            yield Finding("database", f"the definition of {name} is not what it should be", REMAKE, True)


def word_index(connection: apsw.Connection) -> Iterator[Finding]:
    """The word index against the pages."""
    for index in ("page_fts", "chunk_fts", "turn_fts"):
        try:
            connection.execute(f"INSERT INTO {index} ({index}) VALUES ('integrity-check')")
            is_sound = index != "page_fts" or _knows_pages(connection)
        except (apsw.Error, UnicodeDecodeError):
            is_sound = False
        if not is_sound:
            what = "the word index" if index == "page_fts" else f"the word index {index}"
            yield Finding("words", f"{what} is out of step with the pages", "It can be rebuilt.", True)


def _knows_pages(connection: apsw.Connection) -> bool:
    """Whether the word index holds what the pages say."""
    with scratch() as sound:
        index_pages(connection, sound)
        return same_words(connection, sound, "page_fts")


def texts(connection: apsw.Connection) -> Iterator[Finding]:
    """What pages say against the hashes that were kept beside it."""
    for page_id, is_file in seals.broken_pages(connection):
        name = bare_pages.slug(connection, page_id)
        if is_file:
            repair = "The file has it: it can be read anew."
        else:
            repair = f"`quaid history {name}` shows earlier versions; correct it, or restore a backup."
        yield Finding("texts", f"{name}: its text was damaged in the memory", repair, is_file)


def versions(connection: apsw.Connection) -> Iterator[Finding]:
    """What pages said before, against its hashes."""
    for page_id, version in seals.broken_versions(connection):
        name = bare_pages.slug(connection, page_id)
        repair = (
            f"It cannot be shown or reverted to; `quaid history {name}` shows others, a backup may have it."
        )
        yield Finding("texts", f"version {version} of {name} was damaged in the memory", repair)


def raw_data(connection: apsw.Connection) -> Iterator[Finding]:
    """Raw data against its hashes."""
    for page_id in seals.broken_raw_data(connection):
        message = f"{bare_pages.slug(connection, page_id)}: raw data was damaged in the memory"
        yield Finding("texts", message, "Write it again, or restore a backup.")


def originals(connection: apsw.Connection) -> Iterator[Finding]:
    """The files of imports against their hashes."""
    for path in seals.broken_originals(connection):
        yield Finding("texts", f"the original of {path} was damaged in the memory", "Import it again.")


def section_index(connection: apsw.Connection) -> Iterator[Finding]:
    """The word indexes of sections and of conversations against their texts."""
    with scratch() as sound:
        index_sections(connection, sound)
        index_turns(connection, sound)
        for index in ("chunk_fts", "turn_fts"):
            if not same_words(connection, sound, index):
                yield Finding("words", f"the word index {index} is out of step", "It can be rebuilt.", True)


def mend_section_index(connection: apsw.Connection) -> None:
    """Make the word indexes of sections and of conversations anew, if they are wrong."""
    for index, fill in (("chunk_fts", index_sections), ("turn_fts", index_turns)):
        with scratch() as sound:
            fill(connection, sound)
            try:
                is_sound = same_words(connection, sound, index)
            except apsw.Error:
                is_sound = False
        if not is_sound:
            connection.execute(f"INSERT INTO {index} ({index}) VALUES ('delete-all')")
            fill(connection, connection)


def rebuild_word_index(connection: apsw.Connection) -> None:
    """Make the word index anew from the pages."""
    connection.execute("INSERT INTO page_fts (page_fts) VALUES ('delete-all')")
    index_pages(connection, connection)


def links(connection: apsw.Connection) -> Iterator[Finding]:
    """Links that overlap in time, or lead to a page that is removed."""
    overlapping = connection.execute(
        """SELECT p.slug, a.id, b.id, a.target, a.relationship
           FROM links a JOIN links b ON b.from_page_id = a.from_page_id AND b.id > a.id
                AND b.relationship = a.relationship AND b.target_name = a.target_name
           JOIN live_pages p ON p.id = a.from_page_id
           WHERE a.source_kind = 'frontmatter' AND b.source_kind = 'frontmatter'
             AND (a.valid_from = a.valid_until) IS NOT TRUE AND (b.valid_from = b.valid_until) IS NOT TRUE
             AND coalesce(a.valid_from, date(a.valid_until, '-1 day'), '9999-12-31')
                 < coalesce(b.valid_until, '9999-99')
             AND coalesce(b.valid_from, date(b.valid_until, '-1 day'), '9999-12-31')
                 < coalesce(a.valid_until, '9999-99')"""
    )
    for slug, one, other, target, relationship in overlapping:
        yield Finding(
            "links",
            f"{slug}: links {one} and {other} ({relationship} {target}) overlap in time",
            f"Close or remove one: quaid link-close {one} --valid-until DAY.",
        )
    hidden = connection.execute(
        """SELECT f.slug, l.id, t.slug FROM links l JOIN live_pages f ON f.id = l.from_page_id
           JOIN pages t ON t.id = l.to_page_id WHERE t.quarantined_at IS NOT NULL"""
    )
    removed = {link: (slug, target) for slug, link, target in hidden}
    for link in sorted(removed.keys() | set(names.misled_links(connection))):
        slug, target = removed.get(link, ("", ""))
        what = f"{slug}: link {link} leads to {target}, which is removed" if slug else ""
        message = what or f"link {link} does not lead to the page that answers best to its name"
        yield Finding("links", message, "It can be resolved anew.", True)


def assertions(connection: apsw.Connection) -> Iterator[Finding]:
    """Assertions that are there twice, and chains of supersession that do not hold."""
    doubled = connection.execute(
        """SELECT p.slug, a.subject, a.predicate, a.object, count(*) FROM assertions a
           JOIN live_pages p ON p.id = a.page_id
           GROUP BY a.page_id, a.subject_name, a.predicate, a.object_name, a.valid_from, a.valid_until
           HAVING count(*) > 1"""
    )
    for slug, subject, predicate, object_, count in doubled:
        yield Finding(
            "assertions",
            f"{slug}: '{subject} {predicate} {object_}' is asserted {count} times",
            "Remove the repetition from the page's frontmatter.",
        )
    still_open = connection.execute(
        """SELECT a.id, b.id FROM assertions a JOIN assertions b ON b.supersedes_id = a.id
           WHERE a.valid_until IS NULL"""
    )
    for old, new in still_open:
        yield Finding(
            "assertions",
            f"assertion {old} is superseded by {new} but has no end",
            "Give it a valid_until in the page's frontmatter.",
        )
    circles = connection.execute(
        """WITH RECURSIVE chain (start, id) AS (
               SELECT id, supersedes_id FROM assertions WHERE supersedes_id IS NOT NULL
               UNION SELECT chain.start, a.supersedes_id FROM chain JOIN assertions a ON a.id = chain.id
               WHERE a.supersedes_id IS NOT NULL)
           SELECT DISTINCT start FROM chain WHERE start = id"""
    ).fetchall()
    with _undone(connection):
        if chain_all(connection):
            yield Finding("assertions", "some do not supersede what their page says", _ANEW, True)
    for (assertion,) in circles:
        yield Finding(
            "assertions",
            f"assertion {assertion} supersedes itself through others",
            "Correct the page's frontmatter.",
        )


@contextmanager
def _undone(connection: apsw.Connection) -> Iterator[None]:
    """Take back what the block does."""
    connection.execute("SAVEPOINT undone")
    try:
        yield
    finally:
        connection.execute("ROLLBACK TO undone; RELEASE undone")


def embeddings(connection: apsw.Connection) -> Iterator[Finding]:
    """One active model, vectors of the right length, chunks for every page and for no other."""
    models = rows(connection, "SELECT id, name, dimensions, active FROM embedding_models")
    if models and sum(active for _, _, _, active in models) != 1:
        yield Finding("embeddings", "no embedding model is active", "Choose one: quaid model use NAME.")
    for model_id, name, dimensions, _ in models:
        sql = "SELECT count(*) FROM {} WHERE model_id = ?1 AND length(vector) NOT IN (2 * ?2, 4 * ?2)"
        wrong = sum(
            row(connection, sql.format(table), (model_id, dimensions))[0]
            for table in ("embeddings", "item_embeddings")
        )
        if wrong:
            yield Finding(
                "embeddings", f"{wrong} vectors of {name} have a wrong length", "They can be removed.", True
            )
    for message, sql in (
        ("chunks belong to no page", f"SELECT count(*) FROM chunks WHERE {_ORPHANED}"),
        ("lines belong to no page", f"SELECT count(*) FROM items WHERE {_ORPHANED}"),
        ("chunks are not in the word index", f"SELECT count(*) FROM chunks WHERE {_UNINDEXED}"),
    ):
        count = row(connection, sql)[0]
        if count:
            yield Finding("embeddings", f"{count} {message}", "They can be made anew.", repairable=True)


_ORPHANED = "page_id NOT IN (SELECT id FROM live_pages)"
_UNINDEXED = "id NOT IN (SELECT id FROM chunk_fts_docsize)"


def remove_unsound_chunks(connection: apsw.Connection) -> None:
    """Remove what is wrong with chunks and vectors; the pages' chunks are made anew when they are needed."""
    connection.execute(
        f"""UPDATE pages SET chunked_by = 0
            WHERE id IN (SELECT page_id FROM chunks WHERE {_ORPHANED} OR {_UNINDEXED})"""
    )
    connection.execute(f"DELETE FROM chunks WHERE {_ORPHANED} OR {_UNINDEXED}")
    connection.execute(f"DELETE FROM items WHERE {_ORPHANED}")
    for table in ("embeddings", "item_embeddings"):
        connection.execute(
            f"""DELETE FROM {table} WHERE NOT EXISTS (SELECT 1 FROM embedding_models m
                WHERE m.id = {table}.model_id AND length(vector) IN (2 * m.dimensions, 4 * m.dimensions))"""
        )
    connection.execute("UPDATE embedding_models SET done_to = 0, items_to = 0, removals = removals + 1")
