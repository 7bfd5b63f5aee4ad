"""Writing pages to files from which they can be imported again, and a batch's files as they were."""

from __future__ import annotations

import os
import secrets
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

import apsw

from quaid.errors import InvalidInput, NotFound
from quaid.files import PRIVATE_FILE, make_private_directory, write_errors
from quaid.foreign.importers.jsonl import line_of
from quaid.formats import encoding
from quaid.formats.format import page_format
from quaid.formats.slugs import apart, slugs_of
from quaid.model.page import PageInfo
from quaid.model.record import record
from quaid.store import imports, pages, raw
from quaid.store.filters import PageFilter
from quaid.transfer.imports import Note, Progress, with_progress
from quaid.vault import folder
from quaid.vault.sidecars import sidecar_data

MAX_NAME = 255  # bytes of a file's name


@record
class Exported:
    """What an export wrote."""

    directory: str
    pages: int
    files: int
    bytes: int
    renamed: tuple[Note, ...]
    alike: tuple[Note, ...]  # names that another file system may take for one
    skipped: tuple[Note, ...]


class Folder:
    """A directory that is written to: every file at once, none outside of it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.files = self.bytes = 0
        self.renamed: list[Note] = []
        self.alike: list[Note] = []
        self.skipped: list[Note] = []
        self._written: dict[str, str] = {}  # by what file systems may take for the same name

    def write(self, path: str, data: bytes) -> bool:
        """Write a file; where that cannot be done, say why."""
        try:
            place = folder.real(self.root, self._free(path))
            _replace(place, data)
        except InvalidInput as error:
            self.skipped.append(Note(path, error.message))
            return False
        self.files += 1
        self.bytes += len(data)
        return True

    def _free(self, path: str) -> str:
        """The path, or another one where the file system takes it for that of a file just written."""
        if any(len(part.encode("utf-8", "surrogateescape")) > MAX_NAME for part in path.split("/")):
            raise InvalidInput(f"a name is longer than {MAX_NAME} bytes; `quaid mv` gives the page another")
        key = unicodedata.normalize("NFC", path).casefold()
        rival = self._written.setdefault(key, path)
        if rival == path:
            return path
        if not _is_same(self.root / path, self.root / rival):
            self.alike.append(Note(path, f"the same name as {rival} where case does not count"))
            return path
        stem, dot, suffix = path.rpartition(".")
        free = f"{apart(stem, path)}{dot}{suffix}"
        self.renamed.append(Note(path, f"written as {free}: here it is the same name as {rival}"))
        return free

    def result(self, count: int) -> Exported:
        """What was written."""
        notes = {name: tuple(getattr(self, name)) for name in ("renamed", "alike", "skipped")}
        return Exported(str(self.root), count, self.files, self.bytes, **notes)


def open_folder(root: Path, force: bool) -> Folder:
    """The directory of an export: a new or empty one, unless another is insisted upon."""
    if root.exists() and not root.is_dir():
        raise InvalidInput(f"{root} is not a directory", hint="Name a new directory.")
    if not force and root.is_dir() and os.listdir(root):
        raise InvalidInput(
            f"{root} is not empty", hint="Name a new directory, or --force to write among what is there."
        )
    with write_errors(root, "directory"):
        make_private_directory(root)
    return Folder(root)


def export_pages(
    connection: apsw.Connection,
    into: Folder,
    collections: Sequence[str],
    progress: Progress | None = None,
    without: Collection[int] = (),
) -> Exported:
    """Write the pages of collections, each with its raw data beside it; several have a folder each."""
    listed = [(name, _pages_of(connection, name)) for name in collections]
    chosen = [(name, [info for info in infos if info.id not in without]) for name, infos in listed]
    total = sum(len(infos) for _, infos in chosen)
    done = written = 0
    for name, infos in chosen:
        paths = layout(infos, into.renamed)
        beside = _sidecars(paths.values())
        prefix = f"{name}/" if len(chosen) > 1 else ""
        for info in with_progress(infos, total, progress, done):
            path = paths[info.id]
            page = pages.load(connection, info.id)
            written += into.write(prefix + path, encoding.encode(page.text, page.encoding))
            said = raw.of_page(connection, info.id)
            if said:
                into.write(prefix + beside[path], sidecar_data(said))
        done += len(infos)
    return into.result(written)


def export_lines(
    connection: apsw.Connection, into: Folder, collections: Sequence[str], progress: Progress | None = None
) -> Exported:
    """Write the pages of each collection as a file of JSON Lines."""
    chosen = [(name, _pages_of(connection, name)) for name in collections]
    total = sum(len(infos) for _, infos in chosen)
    done = 0
    for name, infos in chosen:
        lines = [_line(connection, info) for info in with_progress(infos, total, progress, done)]
        into.write(f"{name}.jsonl", b"".join(lines))
        done += len(infos)
    return into.result(done)


def export_batch(
    connection: apsw.Connection, into: Folder, import_id: str, progress: Progress | None = None
) -> Exported:
    """Write the files of an import as they were."""
    batch = next((each for each in imports.batches(connection) if each.import_id == import_id), None)
    if batch is None:
        raise NotFound(f"no import {import_id!r}", hint="`quaid imports` lists them.")
    files = imports.files_of(connection, import_id)
    for path, content_hash in with_progress(files.items(), len(files), progress):
        data = imports.file_data(connection, content_hash)
        if data is None:
            into.skipped.append(Note(path, "its bytes are no longer kept"))
        else:
            into.write(path, data)
    return into.result(batch.pages)


def layout(infos: Sequence[PageInfo], renamed: list[Note]) -> dict[int, str]:
    """A path for each page of a collection, such that reading them gives the same slugs.

    A page has that of the file from which it came, as long as the slug follows from it; else its slug's.
    """
    own = {info.id: f"{info.slug}.{page_format(info.format).extension}" for info in infos}
    slugs = {info.id: info.slug for info in infos}
    paths = {info.id: info.path if info.path and _is_usable(info.path) else own[info.id] for info in infos}
    renamed += [
        Note(info.path, f"written as {own[info.id]}: a page cannot have that name")
        for info in infos
        if info.path and not _is_usable(info.path)
    ]
    while True:
        by_path: dict[str, int] = {}
        wrong = {page for page, path in paths.items() if by_path.setdefault(path, page) != page}
        given = slugs_of(by_path)
        wrong |= {page for path, page in by_path.items() if given[path] != slugs[page]}
        wrong = {page for page in wrong if paths[page] != own[page]}
        if not wrong:
            break
        for page in wrong:
            renamed.append(Note(paths[page], f"written as {own[page]}, because its page is {slugs[page]}"))
            paths[page] = own[page]
    return paths


def _pages_of(connection: apsw.Connection, collection: str) -> list[PageInfo]:
    return pages.listing(connection, PageFilter(collection=collection), "slug", -1, 0)


def _line(connection: apsw.Connection, info: PageInfo) -> bytes:
    page = pages.load(connection, info.id)
    said = raw.of_page(connection, info.id)
    return line_of(
        {
            "slug": info.slug,
            "path": info.path,
            "format": info.format if info.format != "markdown" else None,
            "encoding": page.encoding if page.encoding != "utf-8" else None,
            "content": page.text,
            "raw": {name: data for name, (data, _) in said.items()} or None,
            "fetched_at": {name: time for name, (_, time) in said.items()} or None,
        }
    )


def _sidecars(paths: Iterable[str]) -> dict[str, str]:
    """Where the raw data of each page goes; pages of one name but for the suffix have the suffix in it."""
    given: dict[str, str] = {}
    taken: set[str] = set()
    for path in sorted(paths):
        place = folder.sidecar_of(path)
        if place in taken:
            place = folder.sidecar_of(f"{path}.md")
        taken.add(place)
        given[path] = place
    return given


def _is_same(one: Path, other: Path) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False


def _is_usable(path: str) -> bool:
    """Whether an import would take a file at that path for a page, and no other program for its own."""
    if not folder.is_page(path) or "\0" in path or "\\" in path:
        return False
    parts = path.split("/")
    return not any(part in ("", ".", "..", *folder.IGNORED) for part in parts) and not parts[-1].startswith(
        folder.SCRATCH
    )


def _replace(place: Path, data: bytes) -> None:
    """Write a file at once. It need not be durable: the memory still has everything."""
    ready = place.with_name(f"{folder.SCRATCH}{secrets.token_hex(6)}.tmp")
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)
    with write_errors(place, "directory"):
        make_private_directory(place.parent)
        try:
            with os.fdopen(os.open(ready, flags, PRIVATE_FILE), "wb") as file:
                file.write(data)
            ready.replace(place)
        except BaseException:
            ready.unlink(missing_ok=True)
            raise
