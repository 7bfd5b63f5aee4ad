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
from quaid.formats.content import names_of
from quaid.formats.encoding import decode, encode, odd_bytes, page_in_encoding, page_with_text
from quaid.formats.format import page_format
from quaid.model.page import Page, PageInfo, Problem
from quaid.model.record import record
from quaid.store import history, pages, raw, seals
from quaid.store.collections import CollectionRow
from quaid.store.connection import Store
from quaid.store.history import Keeping
from quaid.vault import refusals, rows
from quaid.vault.leads import Leads
from quaid.vault.refusals import check_slug, check_text, check_version


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
        keeping: Callable[[], Keeping] | None = None,
        other: Callable[[str], Collection] | None = None,
    ) -> None:
        self.name = row.name
        self._store = store
        self.row = row
        self._now = now
        self._keeping = keeping or Keeping
        self._other = other or (lambda name: self)

    _has_files = False  # by whose names other programs know the pages

    @property
    def is_read_only(self) -> bool:
        return self.row.read_only

    def put(
        self,
        slug: str,
        text: str,
        encoding: str | None = None,
        expected: int | None = None,
        path: str | None = None,
    ) -> Written:
        """Write a page, whether it is there or not. An expected version of 0 means that it must not be.

        With an encoding, its bytes are all new; otherwise what is there is edited, and a new page is UTF-8.
        `path` is that of the file from which a new page is made.
        """
        check_slug(slug)
        check_text(text)
        with self._writing() as connection:
            page = self._find(connection, slug)
            check_version(slug, page.version if page else 0, expected)
            if page:
                knows_text = encoding is not None or expected is not None
                loaded = self._load(connection, page, sound=not knows_text)
                return self._replace(connection, loaded, text, encoding)
            if encoding is None and odd_bytes(text):
                raise InvalidInput(
                    "the text has characters that stand for bytes of a file, and there is no such file",
                    hint="Leave out U+10F700 to U+10F7FF.",
                )
            path = self._path_for(connection, slug, path)
            data, text, encoding = self._as_kept(text, encoding or "utf-8")
            draft = rows.draft(text, encoding, slug, path, self._now())
            page_id, version = rows.insert(connection, self.row.id, draft)
            self._keep(connection, page_id, path, data)
            return Written(slug, version, created=True, problems=draft.content.problems)

    def page(self, slug: str) -> PageInfo | None:
        """The page of that slug, if there is one."""
        found = pages.by_slug(self._store.connection, slug, self.row.id)
        return found[0] if found else None

    def edit(self, slug: str, change: Callable[[str], str], expected: int | None = None) -> Written:
        """Change a page's text."""
        with self._writing() as connection:
            return self.edit_page(connection, self._demand(connection, slug, expected), change)

    def edit_page(self, connection: apsw.Connection, page: PageInfo, change: Callable[[str], str]) -> Written:
        """Change the text of a page that the caller's transaction has found and looked at."""
        loaded = self._load(connection, page)
        text = change(loaded.text)
        check_text(text)
        return self._replace(connection, loaded, text)

    def recode(self, slug: str, source: str, target: str, expected: int | None = None) -> Written:
        """Convert a page whose bytes are in one encoding to another."""
        with self._writing() as connection:
            page = self._load(connection, self._demand(connection, slug, expected))
            before = self._bytes(page)
            data, text, encoding = page_in_encoding(before, source, target)
            if self._has_files and decode(data)[0] != text:
                raise InvalidInput(
                    f"the file would not be known as {target} when it is read again",
                    hint="Write it in UTF-8: --to utf-8.",
                )
            if (text, encoding) == (page.text, page.encoding):
                return self._written_as_before(page)
            return self._rewritten(connection, page, before, (data, text, encoding))

    def set_raw(self, slug: str, source: str, data: Any, expected: int | None = None) -> Written:
        """Keep what a source said about a page."""
        with self._writing() as connection:
            page = self._demand(connection, slug, expected)
            raw.put(connection, page.id, source, data, self._now())
            self._keep_raw(connection, page, source, data)
            return Written(slug, rows.touch(connection, page.id, self._now()))

    def drop_raw(self, slug: str, source: str) -> Written:
        """Keep no longer what a source said about a page."""
        with self._writing() as connection:
            page = self._demand(connection, slug, None)
            if not raw.remove(connection, page.id, source):
                return Written(slug, page.version, changed=False)
            self._drop_raw(connection, page, source)
            return Written(slug, rows.touch(connection, page.id, self._now()))

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
            found = page_id or pages.latest_quarantined(connection, slug, self.row.id)
            if found is None:
                raise NotFound(
                    f"no removed page {slug!r}", hint="`quaid list --removed` shows what can be restored."
                )
            text, encoding, path = pages.quarantined_text(connection, found)
            occupant = self._find(connection, slug)
            if occupant and (path is None or not self._has_files or occupant.path == path):
                raise Conflict(
                    f"another page is at {slug!r} now",
                    hint="Move it first: quaid mv OLD NEW.",
                    current_version=occupant.version,
                )
            if not seals.is_page_sound(connection, found):
                raise refusals.damage(slug)
            path = self._path_for(connection, slug, path)
            slug = self._slug_for(connection, slug, path)
            data, text, encoding = self._as_kept(text, encoding)
            draft = rows.draft(text, encoding, slug, path, self._now())
            pages.relocate(connection, found, draft)
            version = rows.show(connection, found, draft)
            self._keep(connection, found, path, data)
            for source, (said, _) in raw.of_page(connection, found).items():
                self._keep_raw(connection, pages.info(connection, found), source, said)
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

    def move(
        self, old: str, new: str, expected: int | None = None, path: str | None = None
    ) -> tuple[Written, tuple[str, ...]]:
        """Give a page another slug; the answer also names the pages whose links were rewritten.

        `path` is that of its file, where it is to have a certain one.
        """
        check_slug(new)
        with self._writing() as connection:
            page = self._load(connection, self._demand(connection, old, expected))
            if old == new:
                return Written(new, page.info.version, changed=False), ()
            occupant = self._find(connection, new)
            if occupant:
                raise Conflict(f"a page is already at {new!r}", current_version=occupant.version)
            path = (
                self._path_for(connection, new, path)
                if path
                else self._moved_path(connection, page.info, new)
            )
            draft = rows.draft(page.text, page.encoding, new, path, self._now())
            place, called = place_of(new, path), names_of(new, draft.content, path)
            leads = Leads(connection, page.info, called, place, strict=self._has_files)
            pages.relocate(connection, page.info.id, draft)
            rows.rename(connection, page.info.id, draft)
            text = moves.restated(leads.repointed(page, path or new), old, new, page.info.format)
            before = self._bytes(page)
            data, text, encoding = self._bytes_with_text(page, before, text)
            if text != page.text:
                history.keep(connection, page.info.id, before, page.encoding, self._now(), self._keeping())
            draft = rows.draft(text, encoding, new, path, draft.now)
            rows.move(connection, page.info, draft, rewrites=text != page.text)
            self._relocate(connection, page.info, path, data)
            rewritten = [self._repoint(connection, leads, origin) for origin in leads.turned_pages()]
            self._settle(connection, page.info.path)
            version = pages.info(connection, page.info.id).version
            written = Written(new, version, problems=draft.content.problems)
            return written, tuple(slug for slug in rewritten if slug)

    def _repoint(self, connection: apsw.Connection, leads: Leads, origin: int) -> str | None:
        """Rewrite the links of one page that a move has turned."""
        info = pages.info(connection, origin)
        home = self if info.collection == self.name else self._other(info.collection)
        if home.is_read_only:
            return None
        page = home.current(connection, info.slug)
        home.rewrite(connection, page, leads.repointed(page, page.info.path or page.info.slug))
        return page.info.slug

    def current(self, connection: apsw.Connection, slug: str) -> Page:
        """A page as it is where it is kept, proven to be so."""
        return self._load(connection, self._demand(connection, slug, None))

    def rewrite(self, connection: apsw.Connection, page: Page, text: str) -> None:
        """Give a page whose links have changed its new text, even if that is the same."""
        before = self._bytes(page)
        self._rewritten(connection, page, before, self._bytes_with_text(page, before, text))

    def _replace(
        self, connection: apsw.Connection, page: Page, text: str, encoding: str | None = None
    ) -> Written:
        if encoding is None and text == page.text:
            return self._written_as_before(page)
        if encoding is None:
            before = self._bytes(page)
            return self._rewritten(
                connection, page, before, self._bytes_with_text(page, before, self.amended(text))
            )
        if self._as_kept(text, encoding)[1:] == (page.text, page.encoding):
            return self._written_as_before(page)
        after = self._as_kept(self.amended(text), encoding)
        return self._rewritten(connection, page, self._bytes(page), after)

    def _written_as_before(self, page: Page) -> Written:
        return Written(page.info.slug, page.info.version, changed=False, problems=page.problems)

    def _bytes_with_text(self, page: Page, before: bytes, text: str) -> tuple[bytes, str, str]:
        """Bytes, text and encoding of a page with another text: outside of what differs, the bytes stay."""
        return page_with_text(before, page.text, text, page.encoding, pinned=not self._has_files)

    def _as_kept(self, text: str, encoding: str) -> tuple[bytes, str, str]:
        """Bytes of a text, and the text and the encoding that they have when they are read again.

        Where there is a file, its bytes say in which encoding they are.
        """
        data = encode(text, encoding)
        return (data, *decode(data)) if self._has_files else (data, text, encoding)

    def _rewritten(
        self, connection: apsw.Connection, page: Page, before: bytes, after: tuple[bytes, str, str]
    ) -> Written:
        data, text, encoding = after
        slug, path = page.info.slug, page.info.path
        draft = rows.draft(text, encoding, slug, path, self._now())
        history.keep(connection, page.info.id, before, page.encoding, self._now(), self._keeping())
        version = rows.update(connection, page.info.id, draft)
        self._keep(connection, page.info.id, path, data)
        return Written(slug, version, problems=draft.content.problems)

    def _load(self, connection: apsw.Connection, page: PageInfo, *, sound: bool = True) -> Page:
        """A page with its text, from a row that holds what was written into it."""
        if sound and not seals.is_page_sound(connection, page.id):
            raise refusals.damage(page.slug)
        return pages.load(connection, page.id)

    def _find(self, connection: apsw.Connection, slug: str) -> PageInfo | None:
        found = pages.by_slug(connection, slug, self.row.id)
        if found and self._refresh(connection, found[0]):
            found = pages.by_slug(connection, slug, self.row.id)
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

    def amended(self, text: str) -> str:
        """A page's new text, with what the collection adds to every change."""
        return text

    def _bytes(self, page: Page) -> bytes:
        """The bytes of a page, which an edit is made of."""
        return encode(page.text, page.encoding)

    def _refresh(self, connection: apsw.Connection, page: PageInfo) -> bool:
        """Bring a page's rows into step with what they are derived from; whether they have changed."""
        return False

    def _path_for(self, connection: apsw.Connection, slug: str, path: str | None) -> str | None:
        """The path of a new page."""
        return path

    def _slug_for(self, connection: apsw.Connection, slug: str, path: str | None) -> str:
        """The slug of a page that comes back to a path; others may have to give it back."""
        return slug

    def _moved_path(self, connection: apsw.Connection, page: PageInfo, slug: str) -> str | None:
        """The path of a page that gets another slug: none, unless it has to say its format."""
        if page_format(page.format).by_default or not page.path:
            return None
        return slug + page.path[page.path.rindex(".") :]

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
