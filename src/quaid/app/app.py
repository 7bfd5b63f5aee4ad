"""One opened memory, with all that operations need."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, tzinfo
from functools import cached_property
from pathlib import Path

import apsw

from quaid.errors import Ambiguous, InvalidInput, NotFound
from quaid.formats.content import split_target
from quaid.formats.slugs import fold, slugify
from quaid.model.page import PageInfo
from quaid.settings import Layer, Settings, file_layer
from quaid.store import collections, config, pages
from quaid.store.connection import Store
from quaid.vault.native import NativeCollection

DEFAULT_COLLECTION = "default"


def utc_now() -> str:
    """This moment, as it is stored."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class App:
    """What an operation is given."""

    def __init__(self, store: Store, settings: Settings, now: Callable[[], str] = utc_now) -> None:
        self.store = store
        self.now = now
        self._settings = settings

    @cached_property
    def settings(self) -> Settings:
        """The settings, with those that this memory carries."""
        values = config.values(self.store.connection)
        return self._settings.adding(Layer("memory", "memory", values))

    def reread(self) -> App:
        """This memory with the settings that it has now."""
        return App(self.store, self._settings, self.now)

    @property
    def connection(self) -> apsw.Connection:
        """This thread's connection, for reading."""
        return self.store.connection

    def today(self) -> str:
        """The person's day."""
        moment = datetime.strptime(self.now(), "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
        return moment.astimezone(self._zone()).date().isoformat()

    def collection(self, name: str = DEFAULT_COLLECTION) -> NativeCollection:
        """A collection, for writing."""
        row = collections.by_name(self.connection, name)
        if row is None:
            known = ", ".join(collections.names(self.connection))
            raise NotFound(f"no collection {name!r}", hint=f"There are: {known}.")
        return NativeCollection(self.store, row, self.now)

    def place_for(self, reference: str) -> tuple[NativeCollection, str]:
        """The collection and slug at which a page is to be written."""
        collection, slug = split_target(reference)
        return self.collection(collection or DEFAULT_COLLECTION), slug

    def page(self, reference: str) -> PageInfo:
        """The page that a slug, `collection::slug`, title or alias means."""
        collection, name = split_target(reference.strip())
        collection_id = None
        if collection:
            row = collections.by_name(self.connection, collection)
            if row is None:
                raise NotFound(f"no collection {collection!r}")
            collection_id = row.id
        if not name:
            raise InvalidInput("no page is named", hint="Give a slug such as people/alice.")
        found = pages.by_slug(self.connection, name, collection_id) or pages.by_name(
            self.connection, fold(name), collection_id
        )
        found = found or pages.by_slug(self.connection, slugify(name), collection_id)
        if len(found) > 1:
            candidates = [f"{page.collection}::{page.slug}" for page in found]
            raise Ambiguous(
                f"{name!r} fits {len(found)} pages",
                hint=f"Name one of them: {', '.join(candidates)}.",
                candidates=candidates,
            )
        if not found:
            raise self._missing(name)
        return found[0]

    def _missing(self, name: str) -> NotFound:
        similar = pages.similar_slugs(self.connection, slugify(name).rsplit("/", 1)[-1])
        hint = (
            f"Did you mean {' or '.join(similar)}?"
            if similar
            else "`quaid search` finds pages by their words."
        )
        return NotFound(f"no page {name!r}", hint=hint)

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


def open_app(path: Path, settings: Settings) -> App:
    """Open a memory."""
    settings = settings.adding(file_layer(path.with_name("config.toml")))
    return App(Store.open(path, settings.number("store.busy_timeout")), settings)
