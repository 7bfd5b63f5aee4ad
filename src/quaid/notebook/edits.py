"""Writing to the files of a notebook: every edit is made of what a file holds at that moment.

An addition needs no version from its caller. It is computed under the write lock of the memory from the
bytes on disk, and made only if they are still the same when the new file takes the old one's place; else it
is computed again. So it is always a change of the current version, whoever wrote that. What replaces a text
is made for a certain version of it, and carries that version's etag.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from functools import cached_property
from hashlib import sha256
from random import random

import apsw

from quaid.errors import Conflict, InvalidInput, NotFound, ReadOnly
from quaid.formats.encoding import decode
from quaid.formats.markdown import sections
from quaid.formats.slugs import slugify
from quaid.model.record import record
from quaid.notebook import places
from quaid.store import file_state, pages
from quaid.store.connection import Store
from quaid.vault import folder
from quaid.vault.filed import FileCollection

ETAG = 16  # characters of a hash: enough to tell versions of one file apart
MAX_FILE = 4 * 1024 * 1024  # characters of a file of a notebook
PATIENCE, PAUSE = 20.0, 0.02  # seconds to go on trying while others save the file, and between attempts
Edit = Callable[[str], str]


@record
class Note:
    """A file of a notebook as it is."""

    path: str
    text: str
    etag: str


@record
class Kept:
    """What a write made of a file."""

    path: str
    text: str
    etag: str
    created: bool = False
    changed: bool = True
    slug: str = ""
    replaced: int = 0  # the version that it was before


class Leaf:
    """The text of a file, cut into its sections once, when somebody asks for them."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def sections(self) -> tuple[sections.Section, ...]:
        """Its sections, in order."""
        return sections.sections(self.text)

    def section_at(self, place: int) -> str:
        """The title of the section in which a character stands."""
        return next((each.title for each in self.sections if each.start <= place < each.end), "")


class Notebook:
    """One notebook, for reading and writing."""

    def __init__(self, store: Store, collection: FileCollection) -> None:
        self.name = collection.name
        self.row = collection.row
        self.root = collection.root
        self.mirror = collection.mirror
        self._store = store
        self._collection = collection
        self._leaves: dict[str, Leaf] = {}  # until something is written

    def read(self, path: str) -> Note:
        """A file as it is on disk."""
        path = places.checked(self.root, self.row, places.page_path(path))
        try:
            data = folder.read(self.root, path)
        except FileNotFoundError:
            raise NotFound(
                f"there is no {path} in {self.name}", hint="`quaid notebook list` shows the files."
            ) from None
        except OSError as error:
            raise InvalidInput(
                f"{path} cannot be read: {error.strerror}", hint="Check its permissions."
            ) from None
        if len(data) > folder.MAX_BYTES:
            raise InvalidInput(f"{path} is larger than 32 MB", hint="Split it.")
        return Note(path, decode(data)[0], etag_of(data))

    def peek(self, path: str) -> Leaf:
        """A file as it was when it was first asked for; without a text if there is none to be read."""
        if path not in self._leaves:
            try:
                self._leaves[path] = Leaf(decode(folder.read(self.root, path))[0])
            except (OSError, InvalidInput):
                self._leaves[path] = Leaf("")
        return self._leaves[path]

    def know(self, texts: Iterable[tuple[str, str]]) -> None:
        """Take the texts of files from whoever has just read them."""
        self._leaves |= {path: Leaf(text) for path, text in texts}

    def write(self, path: str, edit: Edit, etag: str | None = None) -> Kept:
        """Change a file, or make it, from what it holds now; with an etag, only that version of it."""
        return self.write_all({path: edit}, {path: etag} if etag is not None else {})[0]

    def write_all(self, edits: dict[str, Edit], etags: dict[str, str] | None = None) -> list[Kept]:
        """Change several files, all or none."""
        if self._collection.is_read_only:
            raise ReadOnly(f"the notebook {self.name!r} is read-only", hint="Name another notebook.")
        self._leaves.clear()
        checked = {places.checked(self.root, self.row, places.page_path(path)): path for path in edits}
        until = time.monotonic() + PATIENCE
        while True:
            try:
                with self._store.write() as connection:
                    return [
                        self._write(connection, path, edits[given], (etags or {}).get(given))
                        for path, given in checked.items()
                    ]
            except Conflict as conflict:
                if "current_etag" in conflict.data or time.monotonic() > until:
                    raise
                time.sleep(PAUSE * random())  # noqa: S311 - two who wait must part

    def _write(self, connection: apsw.Connection, path: str, edit: Edit, etag: str | None) -> Kept:
        self._collection.look(connection, path)
        state = file_state.one(connection, self.row.id, path)
        current = state.hash[:ETAG] if state else ""
        if etag is not None and etag != current:
            raise _stale(path, etag, current)
        texts: list[str] = []

        def change(text: str) -> str:
            texts.append(edit(text))
            if len(texts[0]) > MAX_FILE:
                raise InvalidInput(
                    f"{path} would have more than {MAX_FILE // 1024 // 1024} million characters",
                    hint="Write to another file.",
                )
            return texts[0]

        if state is None:
            text = change("")
            slug = slugify(path)
            occupant = pages.by_slug(connection, slug, self.row.id)
            if occupant:
                raise InvalidInput(
                    f"{path} would be confused with {occupant[0].path}",
                    hint="Use that file, or another name.",
                )
            self._collection.put(slug, text, expected=0, path=path)
            return Kept(path, text, self._etag(path), created=True)
        page = pages.info(connection, state.page_id)
        written = self._collection.edit_page(connection, page, change)
        etag = self._etag(path) if written.changed else current
        return Kept(path, texts[0], etag, changed=written.changed, slug=page.slug, replaced=page.version)

    def _etag(self, path: str) -> str:
        """The etag that a file has once the transaction ends."""
        data = self._collection.changes.read(folder.real(self.root, path))
        return etag_of(data) if data is not None else ""


def etag_of(data: bytes) -> str:
    """What tells one version of a file from another."""
    return sha256(data).hexdigest()[:ETAG]


def _stale(path: str, etag: str, current: str) -> Conflict:
    if not current:
        message, hint = f"{path} is not there (any more)", "Write it with an empty etag to make it."
    elif not etag:
        message, hint = f"{path} is there already", "Read it, and write with its etag."
    else:
        message = f"{path} was changed since it was read"
        hint = "Read it again, merge your change, and write with the current etag."
    return Conflict(message, hint=hint, current_etag=current, expected_etag=etag)
