"""New pages, many at once, with all their rows.

What the tables will hold of a page is made before the memory is looked at, in whatever process. The word
indexes come last: any other statement would make them write out what they have gathered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import apsw

from quaid.formats.addresses import Place, place_of
from quaid.formats.content import names_of
from quaid.model.actor import Actor
from quaid.store import assertions, chunks, deeds, items, links, names, tags, timeline, words
from quaid.store.connection import sealed
from quaid.store.drafts import Cut, Draft
from quaid.store.names import Doubts
from quaid.store.packing import KEPT, named_stock
from quaid.store.pages import FIRST_VERSION
from quaid.store.rows import next_id, row, rows
from quaid.store.words import ChunkWords

Values = tuple[Any, ...]
_TIMES = ("created_at", "updated_at")
_UNCHANGED = ("truth_changed_at", "timeline_changed_at")


class NewPage(NamedTuple):
    """What the tables will hold of a page, but for its id, its version and who made it."""

    slug: str
    now: str
    columns: Mapping[str, Any]
    words: tuple[str, ...]
    tags: tuple[str, ...]
    entries: Sequence[Values]
    claims: Sequence[Values]
    chunks: Sequence[Values]
    chunk_words: Sequence[ChunkWords]
    items: Sequence[Values]
    links: Sequence[Values]
    names: Sequence[names.Name]
    place: Place


def of_draft(collection_id: int, draft: Draft, cut: Cut, rules: int, stock: bytes = b"") -> NewPage:
    """A page, cut by these rules and packed against a stock."""
    content, now, text = draft.content, draft.now, draft.content.text
    made = draft.row(stock)
    sections = chunks.rows_of(content.title, text, cut.chunks)
    bound = (draft.slug.encode(), draft.path and draft.path.encode(), draft.encoding.encode())
    return NewPage(
        slug=draft.slug,
        now=now,
        columns={
            **made.columns,
            "collection_id": collection_id,
            "chunked_by": rules,
            "seal": sealed(collection_id, *bound, text.encode()),
        },
        words=made.words,
        tags=content.tags,
        entries=timeline.rows_of(content.entries),
        claims=assertions.rows_of(content.claims, now),
        chunks=[row for row, _ in sections],
        chunk_words=[found for _, found in sections],
        items=items.rows_of(cut.items),
        links=links.rows_of(content.references, text, now),
        names=names.names_with_keys(names_of(draft.slug, content, draft.path)),
        place=place_of(draft.slug, draft.path),
    )


def insert(
    connection: apsw.Connection,
    collection_id: int,
    pages: Sequence[NewPage],
    actors: Iterable[Actor],
    doubts: Doubts,
) -> list[tuple[int, int]]:
    """Pages that are not there yet, each with who made it; the answer is their ids and versions."""
    made = _pages(connection, pages)
    placed = [(page_id, page) for (page_id, _), page in zip(made, pages, strict=True)]
    noted = (
        (page_id, version, page.now, actor)
        for (page_id, version), page, actor in zip(made, pages, actors, strict=True)
    )
    deeds.note_created(connection, noted)
    for sql, part in (
        (tags.INSERT, [(page_id, tag) for page_id, page in placed for tag in page.tags]),
        (timeline.INSERT, [(page_id, *each) for page_id, page in placed for each in page.entries]),
        (assertions.INSERT, [(page_id, *each) for page_id, page in placed for each in page.claims]),
        (items.INSERT, [(page_id, *each) for page_id, page in placed for each in page.items]),
        # Links lead to their own page until they are resolved, in this transaction: rows that grew by that
        # would no longer fit among those that came with them.
        (links.INSERT, [(page_id, page_id, *each) for page_id, page in placed for each in page.links]),
        (
            names.INSERT_NAME,
            [(name, page_id, kind, alias) for page_id, page in placed for name, kind, alias in page.names],
        ),
        (names.INSERT_PLACE, [(page_id, collection_id, *page.place) for page_id, page in placed]),
    ):
        connection.executemany(sql, part)
    for page_id, page in placed:
        if page.claims:
            assertions.chain(connection, page_id)
        doubts.note_move(page_id, page.names, [page.place])
    first = next_id(connection, "chunks")
    cut = [(page_id, *each) for page_id, page in placed for each in page.chunks]
    connection.executemany(chunks.INSERT, [(first + place, *each) for place, each in enumerate(cut)])
    connection.executemany(words.INSERT_PAGE, [(page_id, page.slug, *page.words) for page_id, page in placed])
    chunk_words = chain.from_iterable(page.chunk_words for page in pages)
    connection.executemany(
        words.INSERT_CHUNK, [(first + place, *each) for place, each in enumerate(chunk_words)]
    )
    return made


def _are_as_kept(connection: apsw.Connection, pages: Sequence[NewPage]) -> bool:
    """Whether all texts are packed as their collection keeps them; else SQL looks at each."""
    sql = """SELECT profile <> 'kb', (SELECT checksum FROM stocks WHERE collection_id = ?1 LIMIT 1)
        FROM collections WHERE id = ?1"""
    is_packed, checksum = row(connection, sql, (pages[0].columns["collection_id"],))
    texts = [page.columns["packed"] for page in pages]
    return bool(is_packed) and all(named_stock(each) == checksum for each in texts if isinstance(each, bytes))


def _pages(connection: apsw.Connection, pages: Sequence[NewPage]) -> list[tuple[int, int]]:
    """The rows of the pages themselves.

    They are numbered here, because it takes SQLite longer to say what it has inserted than to insert it.
    """
    if not pages:
        return []
    first = next_id(connection, "pages")
    written = list(pages[0].columns)
    kept = {} if _are_as_kept(connection, pages) else {"packed": KEPT.format(collection=":collection_id")}
    values = ", ".join(kept.get(name, f":{name}") for name in written)
    sql = f"""INSERT INTO pages (id, {", ".join((*written, *_TIMES, *_UNCHANGED))}, version)
        VALUES (:id, {values}, {", ".join([":now"] * len(_TIMES))}, '', '',
                {FIRST_VERSION})"""
    bound = [{**page.columns, "id": first + place, "now": page.now} for place, page in enumerate(pages)]
    connection.executemany(sql, bound)
    return rows(connection, "SELECT id, version FROM pages WHERE id >= ? ORDER BY id", (first,))
