"""One opened memory, with all that operations need."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, tzinfo
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import apsw

from quaid.errors import Ambiguous, InvalidInput, NotFound
from quaid.model.interval import day_after, parse_day
from quaid.model.page import PageInfo, split_target
from quaid.model.record import field, record
from quaid.settings import Layer, Settings, file_layer
from quaid.store import collections, config, pages
from quaid.store.connection import Store
from quaid.store.filters import PageFilter

if TYPE_CHECKING:
    from quaid.app.meaning import Models
    from quaid.vault.native import NativeCollection

DEFAULT_COLLECTION = "default"
_STORED = "%Y-%m-%dT%H:%M:%SZ"


def utc_now() -> str:
    """This moment, as it is stored."""
    return datetime.now(UTC).strftime(_STORED)


def _refuse(question: str) -> bool:
    return False


@record
class Surroundings:
    """Where the program runs: what a person can be told and asked, and what is theirs."""

    environment: Mapping[str, str] = field(default=MappingProxyType({}))
    home: Path = field(default=Path("~"))
    progress: Callable[[int, int], None] | None = None
    ask: Callable[[str], bool] = field(default=_refuse)


class App:
    """What an operation is given."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        now: Callable[[], str] = utc_now,
        surroundings: Surroundings | None = None,
    ) -> None:
        self.store = store
        self.now = now
        self._settings = settings
        self._surroundings = surroundings or Surroundings()
        self.progress = self._surroundings.progress
        self.ask = self._surroundings.ask

    @cached_property
    def settings(self) -> Settings:
        """The settings, with those that this memory carries."""
        values = config.values(self.store.connection)
        return self._settings.adding(Layer("memory", "memory", values))

    def reread(self) -> App:
        """This memory with the settings that it has now."""
        return App(self.store, self._settings, self.now, self._surroundings)

    @cached_property
    def models(self) -> Models:
        """The embedding models of this memory."""
        from quaid.app.meaning import Models  # only for meaning

        around = self._surroundings
        return Models(self.store, self.settings, around.environment, around.home, self.now)

    @property
    def connection(self) -> apsw.Connection:
        """This thread's connection, for reading."""
        return self.store.connection

    def today(self) -> str:
        """The person's day."""
        moment = datetime.strptime(self.now(), _STORED).replace(tzinfo=UTC)
        return moment.astimezone(self._zone()).date().isoformat()

    def start_of(self, day: str) -> str:
        """The moment at which a day of the person begins, as it is stored."""
        start = datetime.fromisoformat(day).replace(tzinfo=self._zone())
        try:
            return start.astimezone(UTC).strftime(_STORED)
        except (ValueError, OverflowError):  # the first and the last day that there are
            return f"{day}T00:00:00Z"

    def chosen(
        self,
        type: str | None = None,
        tag: str | None = None,
        wing: str | None = None,
        collection: str | None = None,
        since: str | None = None,
        until: str | None = None,
    ) -> PageFilter:
        """The pages that a list or a search is about, from what a person says."""
        if collection and collections.by_name(self.connection, collection) is None:
            raise self._no_collection(collection)
        first = self.start_of(parse_day(since, "since")) if since else None
        last = self.start_of(day_after(parse_day(until, "until"))) if until else None
        return PageFilter(type or None, tag or None, wing or None, collection or None, first, last)

    def collection(self, name: str = DEFAULT_COLLECTION) -> NativeCollection:
        """A collection, for writing."""
        row = collections.by_name(self.connection, name)
        if row is None:
            raise self._no_collection(name)
        from quaid.vault.native import NativeCollection  # reading does without

        return NativeCollection(self.store, row, self.now)

    def place_for(self, reference: str) -> tuple[NativeCollection, str]:
        """The collection and slug at which a page is to be written."""
        collection, slug = split_target(reference)
        return self.collection(collection or DEFAULT_COLLECTION), slug

    def page(self, reference: str) -> PageInfo:
        """The page that a slug, `collection::slug`, title or alias means."""
        collection, name = split_target(reference.strip())
        if not name:
            raise InvalidInput("no page is named", hint="Give a slug such as people/alice.")
        row = collections.by_name(self.connection, collection) if collection else None
        if collection and row is None:
            raise self._no_collection(collection)
        where = row.id if row else None
        found = pages.by_slug(self.connection, name, where) or self._by_name(name, where)
        if len(found) > 1:
            candidates = [f"{page.collection}::{page.slug}" for page in found]
            raise Ambiguous(
                f"{name!r} fits {len(found)} pages",
                hint=f"Name one of them: {', '.join(candidates)}.",
                candidates=candidates,
            )
        return found[0]

    def _by_name(self, name: str, collection_id: int | None) -> list[PageInfo]:
        from quaid.formats.slugs import fold, slugify  # a slug that is right does without

        slug = slugify(name)
        found = pages.by_name(self.connection, fold(name), collection_id)
        found = found or pages.by_slug(self.connection, slug, collection_id)
        if not found and pages.is_quarantined(self.connection, slug):
            raise NotFound(f"the page {slug!r} is removed", hint=f"`quaid restore {slug}` brings it back.")
        if not found:
            similar = pages.similar_slugs(self.connection, slug.rsplit("/", 1)[-1])
            hint = (
                f"Did you mean {' or '.join(similar)}?" if similar else "`quaid search` finds pages by words."
            )
            raise NotFound(f"no page {name!r}", hint=hint)
        return found

    def _no_collection(self, name: str) -> NotFound:
        known = ", ".join(collections.names(self.connection))
        return NotFound(f"no collection {name!r}", hint=f"There are: {known}.")

    def _zone(self) -> tzinfo | None:
        name = self.settings.text("time.zone")
        if not name:
            return None
        from zoneinfo import ZoneInfo  # only for those who set it

        try:
            return ZoneInfo(name)
        except (KeyError, ValueError, OSError):
            raise InvalidInput(
                f"time.zone {name!r} is not a known zone", hint="Such as Europe/Berlin."
            ) from None


def open_app(path: Path, settings: Settings, surroundings: Surroundings | None = None) -> App:
    """Open a memory."""
    settings = settings.adding(file_layer(path.with_name("config.toml")))
    app = App(Store.open(path, settings.number("store.busy_timeout")), settings, utc_now, surroundings)
    app.store.wait_for_others(app.settings.number("store.busy_timeout"))
    return app
