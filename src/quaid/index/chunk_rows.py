"""Keeping chunks in step with the pages."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from quaid.formats.content import read_page
from quaid.index.chunks import RULES, chunks_of
from quaid.index.items import items_of
from quaid.model.page import Content
from quaid.store import chunks, items, new_pages, pages
from quaid.store.connection import Store
from quaid.store.drafts import Cut, Draft
from quaid.store.new_pages import NewPage
from quaid.store.words import Words

PAGES_AT_ONCE = 500
WHILE_ASKED = 200  # pages that are cut before a question is answered: less than a second


def new_page(collection_id: int, draft: Draft, stock: bytes = b"") -> NewPage:
    """All that the tables will hold of a page that is not there yet."""
    return new_pages.of_draft(collection_id, draft, draft.cut or cut(draft.content), RULES, stock)


def cut(content: Content) -> Cut:
    """A page's chunks, and the lines in them."""
    made = chunks_of(content)
    return Cut(tuple(made), tuple(items_of(content, made)))


def record_chunks(
    connection: apsw.Connection,
    page_id: int,
    content: Content,
    made: Cut | None = None,
    words: Words | None = None,
) -> None:
    """Bring a page's chunks, and the lines in them, into step with its text; `made` are those of the text.

    Whoever gives `words` settles them.
    """
    made = made or cut(content)
    chunks.replace(
        connection, page_id, content.title, content.text, made.chunks, rules=RULES, gathering=words
    )
    items.replace(connection, page_id, made.items)


def left_to_chunk(connection: apsw.Connection) -> int:
    """How many pages have yet to be cut by today's rules."""
    return chunks.count_to_chunk(connection, RULES)


def chunk_pages(store: Store, most: int | None = None, first: Sequence[int] = ()) -> int:
    """Make the chunks of pages that have none by today's rules; the answer is how many pages.

    `most` are so many of them, `first` those that are wanted before all others.
    """
    done = _chunk(store, chunks.pages_to_chunk(store.connection, RULES, most or -1, first)) if first else 0
    while waiting := chunks.pages_to_chunk(store.connection, RULES, _at_once(most, done)):
        done += _chunk(store, waiting)
    return done


def _chunk(store: Store, waiting: Sequence[tuple[int, str]]) -> int:
    with store.write() as connection:
        for page_id, slug in waiting:
            page = pages.load(connection, page_id)
            content = read_page(page.text, slug, page.info.format, page.info.path)
            record_chunks(connection, page_id, content)
    return len(waiting)


def _at_once(most: int | None, done: int) -> int:
    return PAGES_AT_ONCE if most is None else min(PAGES_AT_ONCE, most - done)
