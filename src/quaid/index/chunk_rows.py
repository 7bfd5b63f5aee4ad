"""Keeping chunks in step with the pages."""

from __future__ import annotations

import apsw

from quaid.formats.content import read_page
from quaid.index.chunks import RULES, chunks_of
from quaid.index.items import items_of
from quaid.model.page import Content
from quaid.store import chunks, items, pages
from quaid.store.connection import Store

PAGES_AT_ONCE = 500


def record_chunks(connection: apsw.Connection, page_id: int, content: Content) -> None:
    """Bring a page's chunks, and the lines in them, into step with its text."""
    made = chunks_of(content)
    chunks.replace(connection, page_id, content.title, content.text, made, RULES)
    items.replace(connection, page_id, items_of(content, made))


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
