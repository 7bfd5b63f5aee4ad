"""Pages by the paths of their files, and files that are copies of others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from quaid.app import App
from quaid.model.page import PageInfo
from quaid.store import bare_pages, pages
from quaid.store.collections import CollectionRow
from quaid.sync.copies import Copy, copies, is_copy_of, numbered_copies
from quaid.vault import folder


def page_at(app: App, row: CollectionRow, path: str) -> PageInfo | None:
    """The page whose file has a path."""
    found = bare_pages.at_path(app.connection, row.id, folder.stored(path))
    return pages.info(app.connection, found) if found else None


def text_at(app: App, row: CollectionRow, path: str) -> str:
    """The text of the page whose file has a path; "" if there is none."""
    page = page_at(app, row, path)
    return pages.load(app.connection, page.id).text if page else ""


def copies_in(app: App, row: CollectionRow, root: Path) -> Iterator[Copy]:
    """The copies that Syncthing, Dropbox, iCloud and the like have left in a folder."""
    if not root.is_dir():
        return
    paths = folder.walk(root, folder.left_out_of(row)).files
    yield from copies(paths)
    for copy in numbered_copies(paths):
        texts = [text_at(app, row, path) for path in (copy.path, copy.original)]
        if all(texts) and is_copy_of(copy.path, *texts):
            yield copy
