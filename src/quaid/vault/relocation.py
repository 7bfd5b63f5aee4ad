"""Pages that live in the memory become files, with all that belongs to them.

The files are written first, then the rows change in one transaction. Killed before that, the pages still
live in the memory, and the next run finds the files that it would write. Pages keep their identity:
versions, history, and links to them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import apsw

from quaid.errors import Conflict
from quaid.files import make_private_directory, replace_file
from quaid.formats.encoding import decode, encode
from quaid.formats.slugs import slugify
from quaid.model.record import record
from quaid.store import bare_pages, collections, pages, raw
from quaid.store.bare_pages import BarePage
from quaid.store.collections import CollectionRow
from quaid.store.names import Doubts
from quaid.vault import folder, rows
from quaid.vault.mirror import Mirror
from quaid.vault.sidecars import sidecar_data

SUFFIXES = {"markdown": ".md", "org": ".org"}


@record
class Filed:
    """A page with the file that it becomes; `files` are that and the one of its raw data."""

    page: BarePage
    path: str
    data: bytes
    files: Mapping[str, bytes]


def files_of(connection: apsw.Connection, row: CollectionRow) -> list[Filed]:
    """What the pages of a collection become."""
    found = []
    for page_id in collections.page_ids(connection, row.id):
        page = bare_pages.one(connection, page_id)
        path, data = _path(connection, page), encode(page.text, page.encoding)
        said = raw.of_page(connection, page_id)
        beside = {folder.sidecar_of(path): sidecar_data(said)} if said else {}
        found.append(Filed(page, path, data, {path: data, **beside}))
    return found


def _path(connection: apsw.Connection, page: BarePage) -> str:
    """The path of a page's file: that from which it came, if its slug follows from it."""
    if page.path and folder.is_page(page.path) and slugify(page.path) == page.slug:
        return page.path
    return page.slug + SUFFIXES[pages.info(connection, page.id).format]


def refuse_others(root: Path, files: list[Filed]) -> None:
    """Refuse a folder that has, or leaves out, other files than those that are to be written."""
    wanted = {each.path: each.data for each in files}
    for path in wanted:
        if folder.leaves_out(root, path):
            raise Conflict(
                f"{path} would be left out of the folder", hint=f"Move the page first: quaid mv {path}."
            )
    for path in folder.walk(root).files if root.is_dir() else ():
        if folder.is_page(path) and (path not in wanted or folder.read(root, path) != wanted[path]):
            raise Conflict(
                f"there is a file {path} in {root}, which is none of these pages",
                hint="Choose an empty folder.",
            )


def write_files(root: Path, files: list[Filed]) -> None:
    """Write the files that are not there yet."""
    make_private_directory(root)
    for each in files:
        for path, data in each.files.items():
            place = folder.real(root, path)
            if not (place.is_file() and folder.read(root, path) == data):
                replace_file(place, data)


def adopt_files(
    connection: apsw.Connection, row: CollectionRow, root: Path, files: list[Filed], now: Callable[[], str]
) -> None:
    """Let the pages be those of a folder, in the transaction of the caller."""
    collections.give_root(connection, row.id, str(root))
    mirror = Mirror(row, root, now)
    doubts = Doubts()
    for each in files:
        text, encoding = decode(each.data)
        draft = rows.draft(text, encoding, each.page.slug, each.path, now())
        if (text, encoding) == (each.page.text, each.page.encoding):
            pages.relocate(connection, each.page.id, draft)
            rows.derive(connection, each.page.id, draft, doubts)
        else:  # an encoding that the bytes alone do not tell
            rows.update(connection, each.page.id, draft, doubts)
        for path, data in each.files.items():
            seen = folder.look(root, path)
            if seen:
                mirror.note(connection, seen, data, each.page.id)
    doubts.settle(connection)
