"""Copying pages into a native collection, all of a batch or nothing.

A page that was made of a file before is found again by what the importer says of the file (an id), else by
the file's place. It takes over what the file has become, unless it was itself changed here.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import apsw

from quaid.errors import InvalidInput
from quaid.foreign.importers.importer import Draft, Importer, Part, Refusal
from quaid.formats.content import read_page
from quaid.formats.slugs import PAGE_EXTENSION, apart, is_slug, slugs_of
from quaid.model.page import PageInfo, format_of
from quaid.model.record import record
from quaid.store import imports, pages, raw
from quaid.store.imports import Kept
from quaid.transfer.sources import MAX_BYTES, Source
from quaid.vault import folder, rows
from quaid.vault.collection import Collection
from quaid.vault.sidecars import Sidecar, read_sidecar

Progress = Callable[[int, int], None]


T = TypeVar("T")


def with_progress(items: Iterable[T], total: int, progress: Progress | None, before: int = 0) -> Iterator[T]:
    """The items, each of which is told of when it is done."""
    for done, item in enumerate(items, start=before + 1):
        yield item
        if progress:
            progress(done, total)


@record
class Note:
    """Something to be said about a file."""

    path: str
    reason: str


@record
class Imported:
    """What an import did, or would do."""

    import_id: str
    importer: str
    source: str
    collection: str
    pages: int
    created: int
    updated: int
    unchanged: int
    types: dict[str, int]
    other_files: int
    conflicts: tuple[Note, ...]
    skipped: tuple[Note, ...]
    problems: tuple[Note, ...]
    dry_run: bool


@record
class Target:
    """Where pages go, and how. A collection that is not there yet has no id."""

    collection: Collection | None
    collection_id: int
    name: str
    force: bool = False
    dry_run: bool = False


class Import:
    """One import. The caller holds the transaction."""

    def __init__(
        self, connection: apsw.Connection, target: Target, importer: Importer, source: Source, now: str
    ) -> None:
        self._connection = connection
        self._target = target
        self._importer = importer
        self._source = source
        self._now = now
        self._id = _new_id(connection, now)
        self._counts: Counter[str] = Counter()
        self._types: Counter[str] = Counter()
        self._hashes: dict[str, str] = {}
        self._pages: dict[str, str] = {}  # slugs by path
        self._unchanged: set[str] = set()
        self._conflicts: list[Note] = []
        self._skipped = [Note(each.path, each.reason) for each in source.skipped]
        self._problems: list[Note] = []
        known = imports.kept_sources(connection, target.collection_id, importer.name)
        self._known: dict[str, Kept] = {self._identity(each.source, each.path): each for each in known}
        self._own = {each.slug for each in known if each.source == source.name and not each.removed}
        self._last = imports.latest(connection, target.collection_id, importer.name, source.name)
        self._before = imports.files_of(connection, self._last) if self._last else {}

    def run(self, progress: Progress | None = None) -> Imported:
        """Import everything."""
        parts = self._distinct(list(self._parts()))
        if not parts:
            raise InvalidInput(
                f"there are no pages in {self._source.name} for the importer {self._importer.name}",
                hint="`--format` names another importer." if not self._skipped else self._skipped[0].reason,
            )
        slugs = slugs_of(part.path for part in parts if part.slug is None)
        others = self._other_files(parts)
        total = len(parts) + len(others)
        for part in with_progress(parts, total, progress):
            self._take(part, part.slug or slugs[part.path])
        for path in with_progress(others, total, progress, len(parts)):
            self._keep_other(path)
        return self._result(self._batch_id(len(parts)))

    def _result(self, import_id: str) -> Imported:
        return Imported(
            import_id=import_id,
            importer=self._importer.name,
            source=self._source.name,
            collection=self._target.name,
            pages=sum(self._counts[name] for name in ("created", "updated", "unchanged")),
            created=self._counts["created"],
            updated=self._counts["updated"],
            unchanged=self._counts["unchanged"],
            types=dict(self._types.most_common()),
            other_files=self._counts["other"],
            conflicts=tuple(self._conflicts),
            skipped=tuple(self._skipped),
            problems=tuple(self._problems),
            dry_run=self._target.dry_run,
        )

    def _batch_id(self, count: int) -> str:
        """The batch's id; where nothing has changed since the last one, that one's."""
        changed = self._counts["created"] or self._counts["updated"] or self._counts["kept"]
        if self._last and not changed and self._before == self._hashes:
            return self._last
        if self._target.dry_run:
            return ""
        imports.record_batch(
            connection=self._connection,
            import_id=self._id,
            collection_id=self._target.collection_id,
            importer=self._importer.name,
            source=self._source.name,
            page_count=count,
            files=self._hashes,
            now=self._now,
        )
        return self._id

    def _parts(self) -> Iterator[Part]:
        """What becomes pages, before anything is written."""
        for path in sorted(self._source.files):
            if self._importer.ignores(path) or folder.RAW in path.split("/")[:-1]:
                continue
            if self._importer.splits(path):
                data = self._read(path, MAX_BYTES)
                for piece in self._importer.pieces(path, data) if data is not None else ():
                    if isinstance(piece, Refusal):
                        self._skipped.append(Note(piece.path, piece.reason))
                    else:
                        yield piece
                continue
            part = self._importer.part(path)
            if part:
                yield part

    def _distinct(self, parts: list[Part]) -> list[Part]:
        """Without parts that are the same page as another one."""
        found: dict[str, Part] = {}
        for part in parts:
            identity = self._identity(self._source.name, part.kept_as)
            rival = found.get(identity)
            # Exports that overlap have a conversation twice; the longer one has what was said since.
            if rival and len(rival.data or b"") >= len(part.data or b""):
                part, rival = rival, part
            if rival:
                self._skipped.append(Note(rival.label, f"the same page as {part.label}"))
            found[identity] = part
        return list(found.values())

    def _other_files(self, parts: list[Part]) -> list[str]:
        whole = {part.file for part in parts if not part.key}
        return [
            path
            for path in sorted(self._source.files)
            if path not in whole and not self._importer.ignores(path)
        ]

    def _take(self, part: Part, slug: str) -> None:
        data = part.data if part.data is not None else self._read(part.file)
        if data is None:
            return
        if not part.key:
            self._hashes[part.file] = imports.digest(data)
        kept = self._known.get(self._identity(self._source.name, part.kept_as))
        if kept and kept.removed and not self._target.force:
            reason = f"its page is removed; `quaid restore {kept.slug}` brings it back"
            self._leave(part, data, reason, self._skipped)
            return
        try:
            # What fails halfway leaves nothing behind.
            with self._connection:
                self._take_data(part, slug, data, None if kept and kept.removed else kept)
        except InvalidInput as error:
            self._leave(part, data, error.message, self._skipped)
        except apsw.ConstraintError as error:
            self._leave(part, data, f"it cannot be stored: {error}", self._skipped)

    def _leave(self, part: Part, data: bytes, reason: str, notes: list[Note]) -> None:
        """Make no page of a part; the bytes of its file belong to the batch all the same."""
        notes.append(Note(part.label, reason))
        known = imports.file_data(self._connection, imports.digest(data)) is not None
        if not part.key and not known and not self._target.dry_run:
            imports.keep_file(self._connection, self._id, data, part.file, self._now)

    def _take_data(self, part: Part, slug: str, data: bytes, kept: Kept | None) -> None:
        if kept and kept.hash == imports.digest(data) and not self._target.force:
            self._count("unchanged", part, kept.slug, kept.type)
            return
        draft = self._importer.draft(part, data)
        slug = self._stated_slug(part, draft) or slug
        page = self._page(kept.slug if kept else slug)
        # The page at a part's slug may be known to be that of something else.
        is_another = page and (page.slug in self._own or self._importer.identity(part.kept_as) is not None)
        if is_another and not kept and part.slug is None:
            slug = apart(slug, part.kept_as)
            page = self._page(slug)
        if page is None:
            self._create(part, slug, data, draft)
        elif self._says(page, draft):
            self._keep(page.id, part, data)
            self._count("unchanged", part, page.slug, page.type)
        elif self._target.force or (kept and self._is_as_imported(page, part)):
            self._update(part, page, data, draft)
        else:
            reason = "was changed here since its import" if kept else "is there already, and is not from here"
            self._leave(part, data, f"the page {page.slug} {reason}", self._conflicts)

    def _stated_slug(self, part: Part, draft: Draft) -> str | None:
        """The slug that a page's frontmatter states, if no other page has it by now.

        A path that is a slug itself comes first: what was exported is then the same page again.
        """
        if part.slug is not None or "slug" not in draft.text or is_slug(PAGE_EXTENSION.sub("", part.path)):
            return None
        stated = read_page(draft.text, "", format_of(part.path)).frontmatter.get("slug")
        valid = isinstance(stated, str) and is_slug(stated) and stated not in self._pages.values()
        return stated if valid else None

    def _create(self, part: Part, slug: str, data: bytes, draft: Draft) -> None:
        path = None if part.path == f"{slug}.md" else part.path
        if self._target.dry_run or self._target.collection is None:
            content = read_page(draft.text, slug, format_of(path), path)
            self._count("created", part, slug, content.type)
            return
        self._target.collection.put(slug, draft.text, draft.encoding, path=path)
        page = self._page(slug)
        assert page is not None  # noqa: S101 (it has just been written)
        for source, value in draft.raw.items():
            raw.put(self._connection, page.id, source, value, draft.fetched.get(source) or self._now)
        self._keep(page.id, part, data)
        self._note_problems(part, page, draft)
        self._count("created", part, slug, page.type)

    def _update(self, part: Part, page: PageInfo, data: bytes, draft: Draft) -> None:
        if self._target.collection is not None and not self._target.dry_run:
            self._target.collection.put(page.slug, draft.text, draft.encoding)
            self._say(page.id, Sidecar(draft.raw, draft.fetched))
            self._keep(page.id, part, data)
            page = pages.info(self._connection, page.id)
            self._note_problems(part, page, draft)
        self._count("updated", part, page.slug, page.type)

    def _keep(self, page_id: int, part: Part, data: bytes) -> None:
        if not self._target.dry_run:
            imports.keep(self._connection, page_id, self._id, data, part.kept_as, self._now)
            self._counts["kept"] += 1

    def _note_problems(self, part: Part, page: PageInfo, draft: Draft) -> None:
        found = [each.message for each in pages.load(self._connection, page.id).problems]
        self._problems += [Note(part.label, message) for message in (*draft.problems, *found)]

    def _says(self, page: PageInfo, draft: Draft) -> bool:
        """Whether a page is what a draft would make of it."""
        if pages.load(self._connection, page.id).text != draft.text:
            return False
        said = {name: value for name, (value, _) in raw.of_page(self._connection, page.id).items()}
        return all(name in said and said[name] == value for name, value in draft.raw.items())

    def _is_as_imported(self, page: PageInfo, part: Part) -> bool:
        """Whether a page's text is what was made of its file."""
        data = imports.data_of(self._connection, page.id)
        if data is None:
            return False
        return self._importer.draft(part, data).text == pages.load(self._connection, page.id).text

    def _keep_other(self, path: str) -> None:
        data = self._read(path)
        if data is None:
            return
        self._hashes[path] = imports.digest(data)
        if folder.is_sidecar(path):
            self._take_sidecar(path, data)
        self._counts["other"] += 1
        if not self._target.dry_run:
            imports.keep_file(self._connection, self._id, data, path, self._now)

    def _take_sidecar(self, path: str, data: bytes) -> None:
        """Give a page its raw data, unless neither has changed since the last import."""
        stem = folder.page_stem(path)
        files = [name for name in _candidates(stem) if name in self._source.files]
        slug = self._pages.get(files[0]) if files else None
        try:
            sidecar = read_sidecar(data)
            if not files:
                raise InvalidInput("there is no page to which this raw data belongs")
            page = self._page(slug) if slug else None
            known = page and page.slug in self._unchanged and self._before.get(path) == self._hashes[path]
            if page and not known and self._say(page.id, sidecar) and page.slug in self._unchanged:
                self._unchanged.remove(page.slug)
                self._counts.update(unchanged=-1, updated=1)
        except InvalidInput as error:
            self._problems.append(Note(path, error.message))

    def _say(self, page_id: int, sidecar: Sidecar) -> bool:
        """Keep what sources say, where it is new; whether any of it is."""
        said = raw.of_page(self._connection, page_id)
        fresh = {
            name: value
            for name, value in sidecar.sources.items()
            if name not in said or said[name][0] != value
        }
        if fresh and not self._target.dry_run:
            for name, value in fresh.items():
                raw.put(self._connection, page_id, name, value, sidecar.fetched.get(name) or self._now)
            rows.touch(self._connection, page_id, self._now)
        return bool(fresh)

    def _page(self, slug: str) -> PageInfo | None:
        found = pages.by_slug(self._connection, slug, self._target.collection_id)
        return found[0] if found else None

    def _count(self, what: str, part: Part, slug: str, type_name: str) -> None:
        self._counts[what] += 1
        self._types[type_name] += 1
        self._pages[part.file] = slug
        if what == "unchanged":
            self._unchanged.add(slug)

    def _identity(self, source: str, kept_as: str) -> str:
        return self._importer.identity(kept_as) or f"{source}\0{kept_as}"

    def _read(self, path: str, limit: int = folder.MAX_BYTES) -> bytes | None:
        """A file's bytes; None, and a word about it, if they cannot be had."""
        if self._source.files[path] > limit:
            self._skipped.append(Note(path, f"larger than {limit // 1024**2:,} MB"))
            return None
        try:
            return self._source.read(path)
        except OSError as error:
            self._skipped.append(Note(path, f"cannot be read: {error.strerror or error}"))
            return None


def _candidates(stem: str) -> Iterator[str]:
    for suffix in folder.PAGE_SUFFIXES:
        yield stem + suffix
    yield stem  # the whole name of a page, where two differ by their suffix alone


def _new_id(connection: apsw.Connection, now: str) -> str:
    """An id that sorts by time and can be read."""
    while True:
        made = f"{now[:19].replace(':', '-')}-{secrets.token_hex(2)}"
        if imports.is_free(connection, made):
            return made
