"""The native collection: pages that live in memory.db.

Every change of a page is a change of its text, so that its tags, links, timeline and assertions can always
be read back from it. Raw data is kept beside the text.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import apsw

from quaid.errors import Conflict, InvalidInput, NotFound, ReadOnly
from quaid.formats import moves
from quaid.formats.content import read_page
from quaid.formats.slugs import is_slug, slugify
from quaid.model.page import Page, PageInfo, Problem
from quaid.model.record import record
from quaid.store import links, pages, raw
from quaid.store.collections import CollectionRow
from quaid.store.connection import Store
from quaid.vault import rows


@record
class Written:
    """What a write did."""

    slug: str
    version: int
    created: bool = False
    changed: bool = True
    problems: tuple[Problem, ...] = ()


class NativeCollection:
    """The one write path of a native collection. Every method is one transaction, or part of its caller's."""

    def __init__(self, store: Store, row: CollectionRow, now: Callable[[], str]) -> None:
        self.name = row.name
        self._store = store
        self._row = row
        self._now = now

    def put(self, slug: str, text: str, encoding: str = "utf-8", expected: int | None = None) -> Written:
        """Write a page, whether it is there or not. An expected version of 0 means that it must not be."""
        check_slug(slug)
        check_text(text)
        with self._writing() as connection:
            page = self._find(connection, slug)
            check_version(slug, page.version if page else 0, expected)
            if page:
                return self._replace(connection, pages.load(connection, page.id), text, encoding)
            content = read_page(text, slug)
            page_id = rows.insert(connection, self._row.id, slug, content, encoding, self._now())
            version = pages.info(connection, page_id).version
            return Written(slug, version, created=True, problems=content.problems)

    def has(self, slug: str) -> bool:
        """Whether there is a page of that slug."""
        return self._find(self._store.connection, slug) is not None

    def edit(self, slug: str, change: Callable[[str], str], expected: int | None = None) -> Written:
        """Change a page's text."""
        with self._writing() as connection:
            page = pages.load(connection, self._demand(connection, slug, expected).id)
            text = change(page.text)
            check_text(text)
            return self._replace(connection, page, text, page.encoding)

    def set_raw(self, slug: str, source: str, data: Any, expected: int | None = None) -> Written:
        """Keep what a source said about a page."""
        with self._writing() as connection:
            page = self._demand(connection, slug, expected)
            raw.put(connection, page.id, source, data, self._now())
            return Written(slug, pages.touch(connection, page.id, self._now()))

    def remove(self, slug: str, expected: int | None = None) -> Written:
        """Quarantine a page."""
        with self._writing() as connection:
            page = self._demand(connection, slug, expected)
            return Written(slug, rows.hide(connection, page.id, self._now()))

    def restore(self, slug: str) -> Written:
        """Bring back the page that was last removed under this slug."""
        with self._writing() as connection:
            found = pages.latest_quarantined(connection, slug, self._row.id)
            if found is None:
                raise NotFound(
                    f"no removed page {slug!r}", hint="`quaid list --removed` shows what can be restored."
                )
            occupant = self._find(connection, slug)
            if occupant:
                raise Conflict(
                    f"another page is at {slug!r} now",
                    hint="Move it first: quaid mv OLD NEW.",
                    current_version=occupant.version,
                )
            content = read_page(pages.quarantined_text(connection, found), slug)
            return Written(slug, rows.show(connection, found, slug, content, self._now()))

    def move(self, old: str, new: str, expected: int | None = None) -> tuple[Written, tuple[str, ...]]:
        """Give a page another slug; the answer also names the pages whose links were rewritten."""
        check_slug(new)
        with self._writing() as connection:
            page = pages.load(connection, self._demand(connection, old, expected).id)
            if old == new:
                return Written(new, page.info.version, changed=False), ()
            occupant = self._find(connection, new)
            if occupant:
                raise Conflict(f"a page is already at {new!r}", current_version=occupant.version)
            led_here = links.names_leading_to(connection, page.info.id)
            text = moves.moved(page.text, old, new)
            content = read_page(text, new)
            rows.update(connection, page.info.id, new, content, page.encoding, self._now())
            pages.retire(connection, self._row.id, old, page.info.version)
            rewritten = [
                self._repoint(connection, page.info.id, origin, names, new)
                for origin, names in led_here.items()
            ]
            version = pages.info(connection, page.info.id).version
            written = Written(new, version, problems=content.problems)
            return written, tuple(slug for slug in rewritten if slug and slug != new)

    def _repoint(
        self, connection: apsw.Connection, page_id: int, origin: int, names: set[str], new: str
    ) -> str | None:
        """Rewrite the links of one page that no longer lead to the moved one."""
        lost = names - links.names_leading_to(connection, page_id).get(origin, set())
        if not lost:
            return None
        page = pages.load(connection, origin)
        text = moves.repointed(page.text, page.info.slug, lost, new)
        content = read_page(text, page.info.slug)
        links.retarget(connection, origin, lost, new)
        rows.update(connection, origin, page.info.slug, content, page.encoding, self._now())
        return page.info.slug

    def _replace(self, connection: apsw.Connection, page: Page, text: str, encoding: str) -> Written:
        slug, version = page.info.slug, page.info.version
        if text == page.text and encoding == page.encoding:
            return Written(slug, version, changed=False, problems=page.problems)
        content = read_page(text, slug)
        version = rows.update(connection, page.info.id, slug, content, encoding, self._now())
        return Written(slug, version, problems=content.problems)

    def _find(self, connection: apsw.Connection, slug: str) -> PageInfo | None:
        found = pages.by_slug(connection, slug, self._row.id)
        return found[0] if found else None

    def _demand(self, connection: apsw.Connection, slug: str, expected: int | None) -> PageInfo:
        page = self._find(connection, slug)
        if page is None:
            raise NotFound(f"no page {slug!r}", hint="It may have been moved or removed meanwhile.")
        check_version(slug, page.version, expected)
        return page

    def _writing(self) -> AbstractContextManager[apsw.Connection]:
        if self._row.read_only:
            raise ReadOnly(f"the collection {self.name!r} is read-only")
        return self._store.write()


def check_version(slug: str, current: int, expected: int | None) -> None:
    """Refuse a write that was made for another version."""
    if expected is None or expected == current:
        return
    if current == 0:
        message, hint = f"{slug} does not exist (any more)", "Write it with expected version 0 to make it."
    else:
        message = f"{slug} is at version {current}, not {expected}"
        hint = "Read it again, merge your change, and write with the current version."
    raise Conflict(message, hint=hint, current_version=current, expected_version=expected)


def check_slug(slug: str) -> None:
    """Refuse what is not a slug, and say what would be."""
    if not is_slug(slug):
        raise InvalidInput(
            f"{slug!r} is not a slug: lower-case letters, digits, - and _, parts separated by /",
            hint=f"Use {slugify(slug)}.",
        )


def check_text(text: str) -> None:
    """Refuse text that no file could hold."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InvalidInput("the text is not valid Unicode", hint=f"See character {error.start}.") from None
