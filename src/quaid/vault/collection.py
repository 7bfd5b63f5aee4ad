"""What every collection does: the one write path of its pages.

Every change of a page is a change of its text, so that its tags, links, timeline and assertions can always
be read back from it. Raw data is kept beside the text. Every method is one transaction, or part of its
caller's. The hooks at the end say where a collection keeps its pages besides the memory.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import apsw

from quaid.errors import Conflict, InvalidInput, NotFound, ReadOnly
from quaid.formats import moves
from quaid.formats.addresses import place_of
from quaid.formats.content import names_of, read_page
from quaid.formats.encoding import encode
from quaid.formats.slugs import is_slug, slugify
from quaid.model.page import Page, PageInfo, Problem, format_of
from quaid.model.record import record
from quaid.store import history, pages, raw
from quaid.store.collections import CollectionRow
from quaid.store.connection import Store
from quaid.store.history import Keeping
from quaid.vault import rows
from quaid.vault.leads import Leads


@record
class Written:
    """What a write did."""

    slug: str
    version: int
    created: bool = False
    changed: bool = True
    problems: tuple[Problem, ...] = ()


class Collection:
    """Pages that live in memory.db; a page may have the path of a file that it came from."""

    def __init__(
        self,
        store: Store,
        row: CollectionRow,
        now: Callable[[], str],
        keeping: Keeping | None = None,
        other: Callable[[str], Collection] | None = None,
    ) -> None:
        self.name = row.name
        self._store = store
        self._row = row
        self._now = now
        self._keeping = keeping or Keeping()
        self._other = other or (lambda name: self)

    _has_files = False  # by whose names other programs know the pages

    @property
    def is_read_only(self) -> bool:
        return self._row.read_only

    def put(
        self,
        slug: str,
        text: str,
        encoding: str = "utf-8",
        expected: int | None = None,
        path: str | None = None,
    ) -> Written:
        """Write a page, whether it is there or not. An expected version of 0 means that it must not be.

        `path` is that of the file from which a new page is made.
        """
        check_slug(slug)
        check_text(text)
        with self._writing() as connection:
            page = self._find(connection, slug)
            check_version(slug, page.version if page else 0, expected)
            if page:
                return self._replace(connection, pages.load(connection, page.id), text, encoding)
            path = self._path_for(connection, slug, path)
            content = read_page(text, slug, format_of(path), path)
            page_id = rows.insert(connection, self._row.id, slug, content, encoding, self._now(), path)
            self._keep(connection, page_id, path, encode(text, encoding))
            version = pages.info(connection, page_id).version
            return Written(slug, version, created=True, problems=content.problems)

    def has(self, slug: str) -> bool:
        """Whether there is a page of that slug."""
        return bool(pages.by_slug(self._store.connection, slug, self._row.id))

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
            self._keep_raw(connection, page, source, data)
            return Written(slug, pages.touch(connection, page.id, self._now()))

    def drop_raw(self, slug: str, source: str, expected: int | None = None) -> Written:
        """Keep no longer what a source said about a page."""
        with self._writing() as connection:
            page = self._demand(connection, slug, expected)
            if not raw.remove(connection, page.id, source):
                return Written(slug, page.version, changed=False)
            self._drop_raw(connection, page, source)
            return Written(slug, pages.touch(connection, page.id, self._now()))

    def remove(self, slug: str, expected: int | None = None) -> Written:
        """Quarantine a page."""
        with self._writing() as connection:
            page = self._demand(connection, slug, expected)
            self._discard(connection, page)
            version = rows.hide(connection, page.id, self._now())
            self._settle(connection, page.path)
            return Written(slug, version)

    def restore(self, slug: str, page_id: int | None = None) -> Written:
        """Bring back the page that was last removed under this slug, or a certain one."""
        with self._writing() as connection:
            found = page_id or pages.latest_quarantined(connection, slug, self._row.id)
            if found is None:
                raise NotFound(
                    f"no removed page {slug!r}", hint="`quaid list --removed` shows what can be restored."
                )
            text, encoding, path = pages.quarantined(connection, found)
            occupant = self._find(connection, slug)
            if occupant and (path is None or not self._has_files or occupant.path == path):
                raise Conflict(
                    f"another page is at {slug!r} now",
                    hint="Move it first: quaid mv OLD NEW.",
                    current_version=occupant.version,
                )
            path = self._path_for(connection, slug, path)
            slug = self._slug_for(connection, slug, path)
            content = read_page(text, slug, format_of(path), path)
            pages.relocate(connection, found, slug, content, path)
            version = rows.show(connection, found, slug, content, self._now(), path)
            self._keep(connection, found, path, encode(text, encoding))
            for source, (data, _) in raw.of_page(connection, found).items():
                self._keep_raw(connection, pages.info(connection, found), source, data)
            self._settle(connection, path)
            return Written(pages.info(connection, found).slug, version)

    def erase(self, slug: str, expected: int | None = None) -> None:
        """Remove a page for good, with its past."""
        with self._writing() as connection:
            page = self._demand(connection, slug, expected)
            self._discard(connection, page)
            rows.erase(connection, page.id)
            self._settle(connection, page.path)

    def erase_removed(self, page_id: int) -> None:
        """Let a page that was removed go for good, with its past."""
        with self._writing() as connection:
            rows.erase(connection, page_id)

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
            path = self._moved_path(connection, page.info, new)
            content = read_page(page.text, new, format_of(path), path)
            place, called = place_of(new, path), names_of(new, content, path)
            leads = Leads(connection, page.info, called, place, strict=self._has_files)
            pages.relocate(connection, page.info.id, new, content, path)
            rows.rename(connection, page.info.id, new, content, path)
            text = moves.restated(leads.repointed(page, path or new), old, new, page.info.format)
            content = read_page(text, new, format_of(path), path)
            if text != page.text:
                self._remember(connection, page)
            rows.update(connection, page.info.id, new, content, page.encoding, self._now(), path)
            self._relocate(connection, page.info, path, encode(text, page.encoding))
            rewritten = [self._repoint(connection, leads, origin) for origin in leads.turned()]
            self._settle(connection, page.info.path)
            version = pages.info(connection, page.info.id).version
            written = Written(new, version, problems=content.problems)
            return written, tuple(slug for slug in rewritten if slug)

    def _repoint(self, connection: apsw.Connection, leads: Leads, origin: int) -> str | None:
        """Rewrite the links of one page that a move has turned."""
        page = pages.load(connection, origin)
        home = self if page.info.collection == self.name else self._other(page.info.collection)
        if home.is_read_only:
            return None
        home.rewrite(connection, page, leads.repointed(page, page.info.path or page.info.slug))
        return page.info.slug

    def rewrite(self, connection: apsw.Connection, page: Page, text: str) -> None:
        """Give a page whose links have changed its new text."""
        content = read_page(text, page.info.slug, page.info.format, page.info.path)
        self._remember(connection, page)
        rows.update(
            connection, page.info.id, page.info.slug, content, page.encoding, self._now(), page.info.path
        )
        self._keep(connection, page.info.id, page.info.path, encode(text, page.encoding))

    def _replace(self, connection: apsw.Connection, page: Page, text: str, encoding: str) -> Written:
        slug, version = page.info.slug, page.info.version
        if text == page.text and encoding == page.encoding:
            return Written(slug, version, changed=False, problems=page.problems)
        content = read_page(text, slug, page.info.format, page.info.path)
        self._remember(connection, page)
        version = rows.update(connection, page.info.id, slug, content, encoding, self._now(), page.info.path)
        self._keep(connection, page.info.id, page.info.path, encode(text, encoding))
        return Written(slug, version, problems=content.problems)

    def _remember(self, connection: apsw.Connection, page: Page) -> None:
        data = encode(page.text, page.encoding)
        history.keep(connection, page.info.id, data, page.encoding, self._now(), self._keeping)

    def _find(self, connection: apsw.Connection, slug: str) -> PageInfo | None:
        self._refresh(connection, slug)
        found = pages.by_slug(connection, slug, self._row.id)
        return found[0] if found else None

    def _demand(self, connection: apsw.Connection, slug: str, expected: int | None) -> PageInfo:
        page = self._find(connection, slug)
        if page is None:
            raise NotFound(f"no page {slug!r}", hint="It may have been moved or removed meanwhile.")
        check_version(slug, page.version, expected)
        return page

    def _writing(self) -> AbstractContextManager[apsw.Connection]:
        if self.is_read_only:
            raise ReadOnly(
                f"the collection {self.name!r} is read-only", hint="Write to another: collection::slug."
            )
        return self._store.write()

    # Where pages are kept besides the memory --------------------------------------------------------

    def _refresh(self, connection: apsw.Connection, slug: str) -> None:
        """Bring a page's rows into step with what they are derived from."""

    def _path_for(self, connection: apsw.Connection, slug: str, path: str | None) -> str | None:
        """The path of a new page."""
        return path

    def _slug_for(self, connection: apsw.Connection, slug: str, path: str | None) -> str:
        """The slug of a page that comes back to a path; others may have to give it back."""
        return slug

    def _moved_path(self, connection: apsw.Connection, page: PageInfo, slug: str) -> str | None:
        """The path of a page that gets another slug: none, unless it has to say that the page is org."""
        return slug + page.path[page.path.rindex(".") :] if page.format == "org" and page.path else None

    def _keep(self, connection: apsw.Connection, page_id: int, path: str | None, data: bytes) -> None:
        """Keep a page's bytes."""

    def _keep_raw(self, connection: apsw.Connection, page: PageInfo, source: str, data: Any) -> None:
        """Keep a page's raw data."""

    def _drop_raw(self, connection: apsw.Connection, page: PageInfo, source: str) -> None:
        """Keep the raw data of one source no longer."""

    def _relocate(self, connection: apsw.Connection, page: PageInfo, path: str | None, data: bytes) -> None:
        """Keep a page's bytes at another path; its raw data goes along."""

    def _discard(self, connection: apsw.Connection, page: PageInfo) -> None:
        """Keep a page no longer."""

    def _settle(self, connection: apsw.Connection, path: str | None) -> None:
        """A page has come to a path, or gone from it: others may get other slugs."""


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
