"""Where links lead, kept through the move of a page: every link leads afterwards where it led before."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable

import apsw

from quaid.errors import InvalidInput
from quaid.formats import moves
from quaid.formats.addresses import Address, Place, address_of, meaning_of, place_of, split_extension
from quaid.formats.moves import Destination
from quaid.model.page import Page, PageInfo, Reference, split_target
from quaid.store import links, names, pages
from quaid.store.links import Lead

_BY_FILE, _BESIDE = 1, 2  # how sure a link is, beyond a title or an alias


class Leads:
    """The links that the move of a page may turn, as they led before it.

    `strict`: the page is a file, which other programs know by its name alone.
    """

    def __init__(
        self,
        connection: apsw.Connection,
        page: PageInfo,
        names_after: Iterable[str],
        place_after: Place,
        strict: bool,
    ) -> None:
        self._connection = connection
        self._page = page
        self._strict = strict
        self._before = place_of(page.slug, page.path)
        called = {*names.of_page(connection, page.id), *names_after}
        called_files = (self._before.name, place_after.name)
        files = {*called_files, *(split_extension(name)[0] for name in called_files)}
        self._known: dict[int, list[Lead]] = {}
        for each in links.in_doubt(connection, page.id, called, files):
            self._known.setdefault(each.origin, []).append(each)

    def turned_pages(self) -> list[int]:
        """The other pages with links that lead elsewhere now, or are worse than they were."""
        others = {origin: known for origin, known in self._known.items() if origin != self._page.id}
        now = links.leading(self._connection, [each.id for known in others.values() for each in known])
        return [
            origin
            for origin, known in others.items()
            if any(self._is_turned(each, now.get(each.id)) for each in known)
        ]

    def repointed(self, page: Page, place: str) -> str:
        """A page's text with its links leading where they led, when the page is at this place now."""
        known = self._known.get(page.info.id, [])
        # Of several spellings of one link, one is known.
        goals = {meaning_of(each.target, each.written): each.page for each in known}
        old_place = page.info.path or page.info.slug

        def form(written: Reference) -> str | None:
            goal = goals.get(meaning_of(written.target, written.written))
            if goal is None:
                return _still_nowhere(written, old_place, place)
            return self._form(page.info, written, goal, place)

        fields: dict[str, str] = {}
        for each in known:
            written = _reference(each)
            new = self._form(page.info, written, each.page, place) if each.page is not None else None
            if new is not None:
                stated = moves.reread(new, written, place, page.info.format)
                links.retarget(self._connection, each.id, stated.target, stated.written)
                fields |= {each.target: new} if each.source == "frontmatter" else {}
        return moves.repointed(page.text, old_place, page.info.format, form, fields)

    def _is_turned(self, link: Lead, now: int | None) -> bool:
        if link.page is None:
            return False
        address = address_of(_reference(link))
        return now != link.page or self._is_worse(address, address, link.page)

    def _form(self, origin: PageInfo, written: Reference, goal: int, place: str) -> str | None:
        """How a link is to be written; None if it can stay as it is."""
        now = moves.address_from(written, place)
        stays = self._leads(origin.id, written.target, now) == goal and moves.is_inside(written, place)
        if stays and not self._is_worse(address_of(written), now, goal):
            return None
        info = pages.info(self._connection, goal)
        was = (self._page.path or self._page.slug) if goal == self._page.id else ""
        destination = Destination(info.collection, info.path or info.slug, was)
        for form in moves.forms(written, place, destination):
            stated = moves.reread(form, written, place, origin.format)
            leads = moves.is_writable(form, written.source) and self._leads(
                origin.id, stated.target, address_of(stated)
            )
            if leads == goal:
                return form
        raise InvalidInput(
            f"no link on {origin.slug} could lead to {destination.path} any more",
            hint="Rename that page or its folder first: links cannot have [, ], | and # in them.",
        )

    def _leads(self, origin: int, target: str, address: Address) -> int | None:
        return names.lead(self._connection, origin, (split_target(target)[0], address))

    def _is_worse(self, before: Address, now: Address, goal: int) -> bool:
        """Whether a link was a relative path, or a file's name, and is none any more.

        Programs that follow paths alone, or that know no titles, would not find the page.
        """
        after = names.place_of_page(self._connection, goal)
        had = _sureness(before, self._before if goal == self._page.id else after)
        return _sureness(now, after) < had and (had == _BESIDE or self._strict)


def _sureness(address: Address, place: Place | None) -> int:
    if place is None or not address.fits(place):
        return 0
    return _BESIDE if place.folder == address.beside else _BY_FILE


def _reference(link: Lead) -> Reference:
    return Reference(link.target, source=link.source, written=link.written)


def _still_nowhere(written: Reference, old_place: str, place: str) -> str | None:
    """A relative link to a page that is not there yet means the same path from the page's new place."""
    same = posixpath.dirname(old_place) == posixpath.dirname(place)
    if same or not written.written or written.written.startswith("/"):
        return None
    return next(moves.forms(written, place, Destination("", written.target, written.target)))
