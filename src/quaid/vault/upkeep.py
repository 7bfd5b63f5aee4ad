"""Checks of the whole memory, and the repairs that lose nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import apsw

from quaid.formats.addresses import place_of
from quaid.formats.content import names_of
from quaid.model.page import Content
from quaid.store import assertions, integrity, links, names, pages, tags, timeline
from quaid.store.connection import Store
from quaid.store.integrity import Finding
from quaid.store.names import Doubts
from quaid.vault import rows
from quaid.vault.mirror import content_of

CHECKS = ("database", "words", "pages", "links", "assertions", "embeddings")


def check(connection: apsw.Connection, chosen: frozenset[str]) -> Iterator[Finding]:
    """What the chosen checks find."""
    for name, findings in (
        ("database", integrity.database),
        ("words", integrity.word_index),
        ("pages", out_of_step),
        ("links", integrity.links),
        ("assertions", integrity.assertions),
        ("embeddings", integrity.embeddings),
    ):
        if name in chosen:
            yield from findings(connection)


def derive_all(store: Store, now: str, progress: Callable[[int, int], None] | None = None) -> int:
    """Make all rows and indexes anew from the texts of the pages; the answer is how many pages there are."""
    with store.write() as connection:
        listed = pages.all_live(connection)
        doubts = Doubts()
        for place, (page_id, slug) in enumerate(listed, 1):
            page = pages.load(connection, page_id)
            content = content_of(page)
            pages.rederive(connection, page_id, content)
            rows.derive(connection, page_id, slug, content, now, page.info.path, doubts)
            if progress and (place % 100 == 0 or place == len(listed)):
                progress(place, len(listed))
        integrity.rebuild_word_index(connection)
        names.resolve_all(connection)
    return len(listed)


def repair(store: Store, findings: list[Finding], now: str) -> None:
    """Do what is safe about the findings: everything that is derived is derived anew."""
    checks = {finding.check for finding in findings if finding.repairable}
    with store.write() as connection:
        if "pages" in checks:
            derive_all(store, now)
        if "words" in checks:
            integrity.rebuild_word_index(connection)
        if "links" in checks:
            names.resolve_all(connection)
        if "embeddings" in checks:
            integrity.remove_unsound_chunks(connection)


def out_of_step(connection: apsw.Connection) -> Iterator[Finding]:
    """Pages whose rows do not say what their text says."""
    for page_id, slug in pages.all_live(connection):
        content = content_of(pages.load(connection, page_id))
        wrong = [what for what, same in _comparisons(connection, page_id, content) if not same]
        if wrong:
            yield Finding(
                "pages",
                f"{slug}: {', '.join(wrong)} out of step with the text",
                "It can be derived anew.",
                True,
            )


def _comparisons(connection: apsw.Connection, page_id: int, content: Content) -> Iterator[tuple[str, bool]]:
    info = pages.info(connection, page_id)
    derived = (content.type, content.title, content.summary, content.wing, content.room)
    yield "fields", (info.type, info.title, info.summary, info.wing, info.room) == derived
    yield (
        "tags",
        {t.casefold() for t in tags.of_page(connection, page_id)} == {t.casefold() for t in content.tags},
    )
    entries = {(e.date, e.summary) for e in timeline.of_page(connection, page_id)}
    yield "timeline", entries == {(e.date, e.summary) for e in content.entries}
    yield "links", links.stated(connection, page_id) == list(content.references)
    yield "assertions", assertions.of_page(connection, page_id) == list(content.claims)
    yield "names", names.of_page(connection, page_id) == names_of(info.slug, content, info.path)
    yield "place", names.place_of_page(connection, page_id) == place_of(info.slug, info.path)
