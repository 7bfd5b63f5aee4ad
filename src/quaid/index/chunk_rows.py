"""Keeping chunks in step with the pages."""

from __future__ import annotations

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


def new_page(collection_id: int, draft: Draft) -> NewPage:
    """All that the tables will hold of a page that is not there yet."""
    return new_pages.of_draft(collection_id, draft, draft.cut or cut(draft.content), RULES)


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
    chunks.replace(connection, page_id, content.title, content.text, made.chunks, RULES, words)
    items.replace(connection, page_id, made.items)


def chunk_pages(store: Store) -> int:
    """Make the chunks of pages that have none by today's rules; the answer is how many pages."""
    done = 0
    while waiting := chunks.pages_to_chunk(store.connection, RULES, PAGES_AT_ONCE):
        with store.write() as connection:
            for page_id, slug in waiting:
                page = pages.load(connection, page_id)
                content = read_page(page.text, slug, page.info.format, page.info.path)
                record_chunks(connection, page_id, content)
        done += len(waiting)
    return done
