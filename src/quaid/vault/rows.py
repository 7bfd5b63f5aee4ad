"""One page's rows: its text and everything derived from it, in the transaction that the caller holds."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from quaid.formats.addresses import place_of
from quaid.formats.content import names_of, read_page
from quaid.graph import gaps
from quaid.index.chunk_rows import new_page, record_chunks
from quaid.model.actor import Actor, present_actor
from quaid.model.page import PageInfo, format_of
from quaid.store import (
    assertions,
    bare_pages,
    chunks,
    deeds,
    links,
    names,
    new_pages,
    nodes,
    pages,
    tags,
    timeline,
)
from quaid.store.bare_pages import BarePage
from quaid.store.drafts import Draft, PageRow
from quaid.store.names import Doubts
from quaid.store.new_pages import NewPage
from quaid.store.words import Words, word_batch


def draft(text: str, encoding: str, slug: str, path: str | None, now: str) -> Draft:
    """A page of that text; never fails."""
    return Draft(slug, path, read_page(text, slug, format_of(path), path), encoding, now)


def draft_of(page: BarePage, now: str) -> Draft:
    """A page that is there, read again."""
    return draft(page.text, page.encoding, page.slug, page.path, now)


def insert(
    connection: apsw.Connection, collection_id: int, page: Draft, doubts: Doubts | None = None
) -> tuple[int, int]:
    """A new page with all that belongs to it. The answer is its id and its version."""
    made = [new_page(collection_id, page)]
    return insert_all(connection, collection_id, made, [present_actor()], doubts)[0]


def insert_all(
    connection: apsw.Connection,
    collection_id: int,
    made: Sequence[NewPage],
    actors: Sequence[Actor],
    doubts: Doubts | None = None,
) -> list[tuple[int, int]]:
    """New pages with all that belongs to them, and who made each. The answer is their ids and versions."""
    own = doubts or Doubts()
    known = new_pages.insert(connection, collection_id, made, actors, own)
    if doubts is None:
        own.settle(connection)
    gaps.resolve_answered(
        connection, [(known[place][0], page.slug, page.now) for place, page in enumerate(made)]
    )
    return known


def update(connection: apsw.Connection, page_id: int, page: Draft, doubts: Doubts | None = None) -> int:
    """A page's new text with all that belongs to it. The answer is its new version."""
    version = pages.update(connection, page_id, page)
    deeds.note(connection, page_id, "changed", page.now, rewrites=True)
    derive(connection, page_id, page, doubts)
    return version


def update_all(
    connection: apsw.Connection,
    changed: Sequence[tuple[int, Draft, PageRow]],
    actors: Sequence[Actor],
    doubts: Doubts | None = None,
) -> None:
    """New texts for pages, each with its row, with all that belongs to them, and who wrote each."""
    own = doubts or Doubts()
    with word_batch(connection) as words:
        pages.update_all(connection, changed)
        nodes.forget(connection, [page_id for page_id, _, _ in changed])
        made = zip(changed, actors, strict=True)
        deeds.note_changed(connection, [(page_id, page.now, actor) for (page_id, page, _), actor in made])
        for page_id, page, row in changed:
            _derive(connection, page_id, page, own, words)
            words.page(page_id, page.slug, row.words)
    if doubts is None:
        own.settle(connection)
    gaps.resolve_answered(connection, [(page_id, page.slug, page.now) for page_id, page, _ in changed])


def move(connection: apsw.Connection, old: PageInfo, page: Draft, *, rewrites: bool) -> None:
    """A page at its new place, with the text that it has there."""
    pages.update(connection, old.id, page)
    deeds.note(connection, old.id, "moved", page.now, rewrites=rewrites, was=(old.slug, old.path))
    derive(connection, old.id, page)


def touch(connection: apsw.Connection, page_id: int, now: str, *, rewrites: bool = False) -> int:
    """A change outside the text, or one of a text that nobody knew. The answer is the page's new version."""
    version = pages.touch(connection, page_id, now)
    deeds.note(connection, page_id, "changed" if rewrites else "raw", now, rewrites=rewrites)
    return version


def derive(connection: apsw.Connection, page_id: int, page: Draft, doubts: Doubts | None = None) -> None:
    """Bring the rows that are derived from a live page's text into step with it.

    Whoever gives `doubts` settles them: links are resolved when all pages that come together are there.
    """
    _derive(connection, page_id, page, doubts, None)
    gaps.resolve_answered(connection, [(page_id, page.slug, page.now)])


def _derive(
    connection: apsw.Connection, page_id: int, page: Draft, doubts: Doubts | None, words: Words | None
) -> None:
    content, now = page.content, page.now
    tags.replace(connection, page_id, content.tags)
    timeline.replace(connection, page_id, content.entries)
    assertions.replace(connection, page_id, content.claims, now)
    record_chunks(connection, page_id, content, page.cut, words)
    links.replace(connection, page_id, content.references, content.text, now)
    rename(connection, page_id, page, doubts)


def rename(
    connection: apsw.Connection, page_id: int, page: Draft | None, doubts: Doubts | None = None
) -> None:
    """Make known where a live page is and what it is called; without one, that no name leads to it."""
    own = doubts or Doubts()
    called = names_of(page.slug, page.content, page.path) if page else {}
    place = place_of(page.slug, page.path) if page else None
    names.replace(connection, page_id, called, place, own)
    if doubts is None:
        own.settle(connection)


def correct(connection: apsw.Connection, page_id: int, page: Draft, doubts: Doubts | None = None) -> None:
    """All rows of a page anew, whatever they hold: they are damaged. The page stays at its version."""
    bare_pages.correct(connection, page_id, page)
    derive(connection, page_id, page, doubts)


def hide(connection: apsw.Connection, page_id: int, now: str, doubts: Doubts | None = None) -> int:
    """Quarantine: no name leads to the page any more, and no read shows it. The answer is its new version."""
    version = pages.set_quarantined(connection, page_id, now, now)
    deeds.note(connection, page_id, "removed", now, rewrites=False)
    rename(connection, page_id, None, doubts)
    chunks.remove(connection, page_id)
    return version


def show(connection: apsw.Connection, page_id: int, page: Draft, doubts: Doubts | None = None) -> int:
    """Undo a quarantine. The answer is the page's new version."""
    version = pages.set_quarantined(connection, page_id, None, page.now)
    deeds.note(connection, page_id, "restored", page.now, rewrites=False)
    derive(connection, page_id, page, doubts)
    return version


def erase(connection: apsw.Connection, page_id: int) -> None:
    """Remove a page for good: its rows, its past, what it was made of; links to it lead nowhere then."""
    pages.retire_page(connection, page_id)
    rename(connection, page_id, None)
    chunks.remove(connection, page_id)
    pages.delete(connection, page_id)
