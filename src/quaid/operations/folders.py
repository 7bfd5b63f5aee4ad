"""The folders of pages, level by level."""

from __future__ import annotations

from quaid.app import App
from quaid.model.record import record, replace
from quaid.operations.fields import IN_COLLECTION
from quaid.operations.operation import Operation, arg
from quaid.operations.text import Style, columns, counted
from quaid.store import pages


@record
class Folders:
    """Arguments of `folders`."""

    under: str | None = arg("The folder; otherwise the top.", positional=True, default=None)
    collection: str | None = IN_COLLECTION


@record
class Folder:
    """A folder, and how many pages are in it and below."""

    folder: str
    pages: int


@record
class FolderList:
    """The folders right below one."""

    folders: tuple[Folder, ...]


def folders(app: App, args: Folders) -> FolderList:
    """List the folders of pages below a folder, with the number of pages in each."""
    under = (args.under or "").strip("/") or None
    chosen = replace(app.chosen(None, None, None, args.collection, None), under=under)
    found = pages.folders(app.connection, chosen)
    return FolderList(tuple(Folder(f"{under}/{name}" if under else name, count) for name, count in found))


def _text(result: FolderList, style: Style) -> str:
    rows = [(style.name(each.folder), counted(each.pages, "page")) for each in result.folders]
    return columns(rows) or "No folders."


FOLDERS = Operation(
    "folders", folders, render=_text, examples=("folders", "folders people --collection notes")
)
