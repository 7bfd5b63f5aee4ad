"""Copies that programs for synchronising folders have left beside pages: found, and merged into them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from quaid.app import App
from quaid.formats.meld.clash import Side
from quaid.model.page import PageInfo
from quaid.model.record import record
from quaid.operations.fields import IN_COLLECTION
from quaid.operations.operation import Operation, flag
from quaid.operations.text import Style, count_of, shown
from quaid.store import bare_pages, collections, pages
from quaid.store.collections import CollectionRow
from quaid.sync.conflicts import note_clashes
from quaid.sync.copies import Copy, copies, is_copy_of, numbered_copies, union_of
from quaid.vault import folder


@record
class Consent:
    collection: str | None = IN_COLLECTION
    yes: bool = flag("Do not ask.")


@record
class CopyLine:
    """A copy, and the page into which it goes."""

    collection: str
    path: str
    original: str
    conflicts: tuple[str, ...] = ()  # that are new


@record
class Merged:
    """The copies that were found, and whether they were merged."""

    copies: tuple[CopyLine, ...]
    merged: bool


def merge_copies(app: App, args: Consent) -> Merged:
    """Merge copies that Syncthing, Dropbox or iCloud have left into their pages.

    What both say differently is a conflict. A copy that was merged goes into quarantine: `restore` brings
    it back.
    """
    found = [
        (row, root, copy)
        for row, root in folders_meant(app, args.collection)
        for copy in (() if row.read_only else copies_in(app, row, root))
    ]
    lines = tuple(CopyLine(row.name, copy.path, copy.original) for row, _, copy in found)
    if not found or not (args.yes or app.ask(_question(lines))):
        return Merged(lines, False)
    return Merged(tuple(_merge(app, *each) for each in found), True)


def _question(lines: tuple[CopyLine, ...]) -> str:
    named = "\n".join(f"  {shown(each.path)}" for each in lines)
    return f"{named}\nMerge {count_of(len(lines), 'copy', 'copies')} into the pages?"


def _merge(app: App, row: CollectionRow, root: Path, copy: Copy) -> CopyLine:
    page, other = page_at(app, row, copy.original), page_at(app, row, copy.path)
    if page is None or other is None:  # it has gone meanwhile
        return CopyLine(row.name, copy.path, copy.original)
    collection = app.collection(row.name)
    sides = [Side(text_at(app, row, path), _text_at(root, path)) for path in (copy.original, copy.path)]
    melded = union_of(copy.original, *sides)
    noted = note_clashes(root, folder.spelt(copy.original), melded.clashes)
    collection.edit(page.slug, lambda text: melded.text, page.version)
    collection.remove(other.slug, other.version)
    return CopyLine(row.name, copy.path, copy.original, tuple(each.id for each in noted))


def _text_at(root: Path, path: str) -> str:
    seen = folder.look(root, path)
    return datetime.fromtimestamp(seen.mtime_ns / 1e9, UTC).isoformat() if seen else ""


def _text_of(result: Merged, style: Style) -> str:
    if not result.copies:
        return "No copies of other programs."
    lines = [f"{style.name(shown(each.path))} → {shown(each.original)}" for each in result.copies]
    said = count_of(len(result.copies), "copy", "copies")
    left = sum(len(each.conflicts) for each in result.copies)
    more = f"; {count_of(left, 'conflict')}: quaid conflicts" if left else ""
    return "\n".join([*lines, f"{said} merged{more}" if result.merged else f"{said}: --yes merges"])


CONFLICTS_MERGE_COPIES = Operation(
    "conflicts merge-copies",
    merge_copies,
    render=_text_of,
    effect="write",
    transaction="none",
    looks="pages",
    idempotent=False,
    examples=("conflicts merge-copies",),
)


def folders_meant(app: App, collection: str | None) -> list[tuple[CollectionRow, Path]]:
    """The collection that is named, or all, with their folders; those that are files, and belong here."""
    rows = [app.collection_row(collection)] if collection else collections.of_files(app.connection)
    return app.folders([row for row in rows if row.kind == "files"])


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
