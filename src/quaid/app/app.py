"""One opened memory, with all that operations need."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import apsw

from quaid.errors import Ambiguous, InvalidInput, NotFound, Untrusted
from quaid.model.page import PageInfo, split_target
from quaid.model.record import field, record
from quaid.settings import Layer, Settings
from quaid.store import collections, config, pages
from quaid.store.connection import Store
from quaid.store.filters import PageFilter
from quaid.trust import Territory, Trust

if TYPE_CHECKING:
    from quaid.app.background import Background
    from quaid.app.days import Days
    from quaid.app.freshness import Freshness
    from quaid.app.models import Models
    from quaid.embed.embedder import Embedder
    from quaid.model.actor import Actor
    from quaid.store.collections import CollectionRow
    from quaid.store.history import Keeping
    from quaid.vault.changes import FileChanges
    from quaid.vault.collection import Collection
    from quaid.vault.filed import FileCollection
    from quaid.vault.mirror import Mirror
    from quaid.vault.sync import Sync
    from quaid.vault.tripwire import Tripwires


def utc_now() -> str:
    """This moment, as it is stored."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def _refuse(question: str) -> bool:
    return False


@record
class Surroundings:
    """Where the program runs: what a person can be told and asked, and what is theirs."""

    environment: Mapping[str, str] = field(default=MappingProxyType({}))
    home: Path = field(default=Path("~"))
    progress: Callable[[int, int], None] | None = None
    ask: Callable[[str], bool] = field(default=_refuse)
    notify: Callable[[str], None] | None = None
    embedders: dict[str, Embedder] | None = None  # those that are open, where several threads share them
    tripwires: Tripwires | None = None  # of a process that goes on living
    here: Path | None = None  # the directory in which a person stands
    spelled: Callable[[Any, Any], str] | None = None  # an operation's result, as whoever asks gets it
    worker: tuple[str, ...] = ()  # what embeds a memory in the background, before its name; empty: nothing


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
        self.spelled = self._surroundings.spelled
        self._has_files = False
        self.writable: frozenset[str] | None = None  # the collections that can be written; None: all
        store.companion = self._companion

    @cached_property
    def settings(self) -> Settings:
        """The settings, with those that this memory carries."""
        values = config.values(self.store.connection)
        return self._settings.adding(Layer("memory", "memory", values)) if values else self._settings

    def reread(self) -> App:
        """This memory with the settings that it has now."""
        return App(self.store, self._settings, self.now, self._surroundings)

    @property
    def is_at_hand(self) -> bool:
        """Whether a person's shell asks, and no client of a server."""
        return self._surroundings.here is not None

    @property
    def here(self) -> Path | None:
        """The directory in which a person stands; None for a client of a server."""
        return self._surroundings.here

    @property
    def home(self) -> Path:
        """The person's home directory."""
        return Path(os.path.expanduser(self._surroundings.home))

    @property
    def environment(self) -> Mapping[str, str]:
        """The environment in which the program runs."""
        return self._surroundings.environment

    @cached_property
    def models(self) -> Models:
        """The embedding models of this memory."""
        from quaid.app.models import Models  # only for meaning

        around = self._surroundings
        models = Models(
            self.store, self.settings, around.environment, around.home, self.now, around.embedders
        )
        models.later = lambda: self.background.begin()
        return models

    @cached_property
    def background(self) -> Background:
        """What embeds new texts while people do something else."""
        from quaid.app.background import Background  # only where texts come in, or are asked for

        worker = self._surroundings.worker
        return Background(self.store, self.settings, lambda: self.models, self.territory, worker)

    @property
    def connection(self) -> apsw.Connection:
        """This thread's connection, for reading."""
        return self.store.connection

    @cached_property
    def days(self) -> Days:
        """The days of the person."""
        from quaid.app.days import Days  # only for those who name one

        return Days(self.settings.text("time.zone"))

    def today(self) -> str:
        """The person's day."""
        return self.days.day_of(self.now())

    def page_filter(
        self,
        type: str | None = None,
        tag: str | None = None,
        wing: str | None = None,
        collection: str | None = None,
        since: str | None = None,
        until: str | None = None,
    ) -> PageFilter:
        """The pages that a list or a search is about, from what a person says."""
        if collection and collections.by_name(self.store.connection, collection) is None:
            raise self._no_collection(collection)
        first, last = self.days.span(since, until) if since or until else (None, None)
        chosen = PageFilter(type or None, tag or None, wing or None, collection or None, first, last)
        if not (type or tag or wing):
            return chosen
        from quaid.app.meant import settled  # only for those who name one

        return settled(self.store.connection, chosen, self.notify)

    def collection(self, name: str | None = None) -> Collection:
        """A collection, for writing; the default one if none is named."""
        return self._for_writing(self.collection_row(name))

    def _for_writing(self, row: CollectionRow) -> Collection:
        if self.writable is not None and row.name not in self.writable:
            raise NotFound("there is no such thing in the collections that you may use")
        from quaid.vault.collection import Collection  # reading does without

        if row.kind == "native":
            return Collection(self.store, row, self.now, lambda: self.keeping, self.collection)
        return self.file_collection(row)

    def file_collection(self, row: CollectionRow) -> FileCollection:
        """A collection whose pages are files, for writing."""
        from quaid.vault.filed import FileCollection  # only for those who have files

        root = self.root_of(row)
        keeper = None
        if row.profile == "kb":
            from quaid.app.gates import gatekeeper  # only for those who have one

            keeper = gatekeeper(self, row)
        return FileCollection(
            store=self.store,
            row=row,
            root=root,
            changes=self.changes,
            now=self.now,
            keeping=lambda: self.keeping,
            other=self.collection,
            gatekeeper=keeper,
        )

    def collection_row(self, name: str | None = None) -> CollectionRow:
        """What is known of a collection; of the default one if none is named."""
        if name is None:
            return collections.default(self.store.connection)
        row = collections.by_name(self.store.connection, name)
        if row is None:
            raise self._no_collection(name)
        return row

    def new_collection(self, name: str) -> Collection:
        """A collection whose pages live in the memory; made if there is none of that name."""
        if collections.by_name(self.store.connection, name) is None:
            with self.store.write() as connection:
                collections.insert(connection, name)
        return self.collection(name)

    def stated_root(self, row: CollectionRow) -> Path:
        """The folder that a collection of files names, whether it belongs to the memory or not."""
        return (self.store.path.parent / (row.root or "")).resolve()

    def root_of(self, row: CollectionRow) -> Path:
        """The folder of a collection of files; refused unless it belongs to this memory on this machine."""
        return self.territory.demand(self.stated_root(row))

    def folders(self, rows: Sequence[CollectionRow]) -> list[tuple[CollectionRow, Path]]:
        """Collections with their folders; of one whose folder does not belong here, a person is told."""
        found = []
        for row in rows:
            try:
                found.append((row, self.root_of(row)))
            except Untrusted as error:
                self.notify(f"{row.name} is left alone: {error.message}. {error.hint}")
        return found

    @cached_property
    def territory(self) -> Territory:
        """The folders that belong to this memory on this machine."""
        return Territory(Trust(self.home), self.store.path)

    def sync(
        self, row: CollectionRow, mirror: Mirror | None = None, writer: Callable[[str], Actor] | None = None
    ) -> Sync:
        """What brings a collection into step with its files; `writer` knows who wrote some of them."""
        from quaid.vault.sync import Sync  # only for those who have files

        return Sync(self.store, mirror or self.mirror(row), self.now, writer)

    def mirror(self, row: CollectionRow, root: Path | None = None) -> Mirror:
        """What lets the rows of a collection say what its files say; `root` is its folder, once demanded."""
        from quaid.vault.mirror import Mirror  # only for those who have files

        return Mirror(row, root or self.root_of(row), self.now, lambda: self.keeping)

    @cached_property
    def freshness(self) -> Freshness:
        """What sees the changes of files before a command answers."""
        from quaid.app.freshness import Freshness  # only for those who have files

        return Freshness(
            store=self.store,
            settings=self.settings,
            root=self.root_of,
            sync=lambda row, root: self.sync(row, self.mirror(row, root)),
            now=self.now,
            tripwires=self._surroundings.tripwires,
        )

    def freshen(self, names: Sequence[str] | None = None) -> None:
        """See what was done to files: to those of some pages, or to all."""
        if self.has_files:
            fresh = self.freshness
            for notice in fresh.of_everything() if names is None else fresh.of_pages(names):
                self.notify(notice)

    def notify(self, notice: str) -> None:
        """Tell a person what they should know besides the answer."""
        if self._surroundings.notify:
            self._surroundings.notify(notice)

    @cached_property
    def changes(self) -> FileChanges:
        """The changes of files that belong to transactions."""
        from quaid.vault.changes import FileChanges  # only for those who have files

        return FileChanges(self.store.path, self.territory)

    def _companion(self) -> FileChanges | None:
        """What changes together with the memory: the files, if there are any."""
        return self.changes if self.has_files else None

    @property
    def has_files(self) -> bool:
        """Whether some collection's pages are files; once there were some, it is no longer asked."""
        self._has_files = self._has_files or collections.has_files(self.store.connection)
        return self._has_files

    @cached_property
    def keeping(self) -> Keeping:
        """How much of the past of pages is kept."""
        from quaid.store.history import Keeping  # only for writing

        return Keeping(self.settings.integer("history.versions"), self.settings.integer("history.days"))

    def place_for(self, reference: str) -> tuple[Collection, str, PageInfo | None]:
        """The collection and slug at which a page is to be written, and the page that is there, if one is.

        A slug, `collection::slug` or the name of a file says which; a title may be that of another page.
        """
        collection, name = split_target(reference.strip())
        where = self.collection_row(collection).id if collection else None
        found = pages.by_slug(self.store.connection, name, where) or self._file_called(name, where)
        if found:
            page = _only(name, found)
            return self.collection(page.collection), page.slug, page
        return *self.place_of_new(reference), None

    def place_of_new(self, reference: str) -> tuple[Collection, str]:
        """The collection and slug of a page that is not there yet."""
        collection, name = split_target(reference.strip())
        row = self.collection_row(collection) if collection else self._place_of_new_pages()
        return self._for_writing(row), name

    def _file_called(self, name: str, collection_id: int | None) -> list[PageInfo]:
        """The page whose file is called so. What could be the slug of a new page is no name of another."""
        from quaid.formats.slugs import is_slug  # a slug that is known does without
        from quaid.store import lookup

        if is_slug(name):
            return []
        found = lookup.by_file(self.store.connection, name, collection_id)
        other = [] if found else lookup.pages_called(self.store.connection, name, collection_id)
        if other:
            raise InvalidInput(
                f"{name!r} is no slug, but another name of {other[0].slug}",
                hint=f"Write to {other[0].collection}::{other[0].slug}, or choose a slug for a new page.",
            )
        return found

    def _place_of_new_pages(self) -> CollectionRow:
        """The collection that the person chose, or in whose folder they stand; else the default one."""
        chosen = self.settings.text("put.collection")
        if chosen:
            return self.collection_row(chosen)
        known = collections.everything(self.store.connection)
        default, here = known[0], self._surroundings.here
        rows = [row for row in known if row.kind == "files"]
        if here is None or not rows:
            return default
        around = {self.stated_root(row): row for row in rows if self.territory.admits(self.stated_root(row))}
        roots = [root for root in (here.resolve(), *here.resolve().parents) if root in around]
        nearest = around[roots[0]] if roots else None
        return nearest if nearest and not self._for_writing(nearest).is_read_only else default

    def page(self, reference: str) -> PageInfo:
        """The page that a slug, `collection::slug`, file name, title or alias means."""
        found, name = self.pages_called(reference), split_target(reference.strip())[1]
        if found:
            return _only(name, found)
        from quaid.app.meant import no_page  # a page that there is does without

        raise no_page(self.store.connection, name)

    def pages_called(self, reference: str) -> list[PageInfo]:
        """The pages that a name fits: one, several equally well, or none."""
        collection, name = split_target(reference.strip())
        if not name:
            raise InvalidInput("no page is named", hint="Give a slug such as people/alice.")
        where = self.collection_row(collection).id if collection else None
        connection = self.store.connection
        found = pages.by_slug(connection, name, where)
        if found:
            return found
        from quaid.store import lookup  # a slug that is right does without

        return lookup.otherwise_called(connection, name, where)

    def _no_collection(self, name: str) -> NotFound:
        from quaid.model import spelling  # one that there is does without

        known = collections.names(self.store.connection)
        hint = spelling.hint(name, known, f"There are: {', '.join(known)}.")
        return NotFound(f"no collection {name!r}", hint=hint)


def _only(name: str, found: Sequence[PageInfo]) -> PageInfo:
    if len(found) > 1:
        candidates = [f"{page.collection}::{page.slug}" for page in found]
        raise Ambiguous(
            f"{name!r} fits {len(found)} pages",
            hint=f"Name one of them: {', '.join(candidates)}.",
            candidates=candidates,
        )
    return found[0]
