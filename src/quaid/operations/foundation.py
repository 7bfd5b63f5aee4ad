"""Making a memory: a file of its own, or one in a folder whose files are its pages."""

from __future__ import annotations

from pathlib import Path

from quaid.app import Surroundings, open_app
from quaid.app.discovery import DATABASE, is_memory, trusted
from quaid.errors import Conflict, InvalidInput, ReadOnly, StorageFailed
from quaid.files import make_private_directory
from quaid.formats.slugs import slugify
from quaid.model.record import record
from quaid.operations.collections import attach
from quaid.operations.sync import Synced, sync_collection
from quaid.settings import Settings
from quaid.store.collections import of_files
from quaid.store.connection import Store
from quaid.trust import DIRECTORY, Territory, Trust, confine, real
from quaid.vault.attachments import Attachment

DATABASE_SUFFIXES = (".db", ".sqlite", ".sqlite3")


@record
class Made:
    """A memory's file, whether it is new, and what became of the folder around it."""

    path: Path
    created: bool
    collections: tuple[Synced, ...] = ()


def make_memory(path: Path, settings: Settings, around: Surroundings, profile: str | None = None) -> Made:
    """Make a memory: a file if the path ends as databases do, else in a folder. One that is there stays."""
    path = path.absolute()
    if path.suffix not in DATABASE_SUFFIXES or path.is_dir():
        return _make_folder(path.resolve(), settings, around, profile)
    if profile:
        raise InvalidInput(
            f"{path.name} is a memory whose pages are no files", hint="A profile is for a folder: name one."
        )
    if path.is_symlink():
        path = real(path)
    existed = path.exists() and path.stat().st_size > 0
    Store.create(path, settings.number("store.busy_timeout")).close()
    if not existed:
        note_made(path, around)
    return Made(path, not existed)


def _make_folder(folder: Path, settings: Settings, around: Surroundings, profile: str | None) -> Made:
    """A folder whose files are the pages, with the memory that is derived from them in it."""
    if folder == around.home.resolve():
        raise InvalidInput(
            "your home directory is not a folder of notes", hint="Name one: quaid init ~/notes."
        )
    if folder.is_file():
        raise InvalidInput(
            f"{folder} is neither a folder nor a file that ends in .db", hint=f"Try {folder.parent}."
        )
    try:
        make_private_directory(folder)
    except OSError as error:
        raise StorageFailed(
            f"{folder} cannot be made: {error.strerror}", hint="Choose another folder."
        ) from None
    path = folder / DIRECTORY / DATABASE
    existed = is_memory(path)
    if existed:
        trusted(path, around.home)
    else:
        confine(path, [folder])
        Store.create(path, settings.number("store.busy_timeout")).close()
        note_made(path, around)
    app = open_app(path, settings, around)
    if app.has_files:
        row = app.collection_row()
        if profile and row.profile != profile:
            raise Conflict(
                f"the folder is a memory already, and {row.name!r} is of the profile {row.profile}",
                hint="Choose another folder, or leave --profile out.",
            )
        synced = [sync_collection(app, row) for row in of_files(app.connection)]
    else:
        name = slugify(folder.name).replace("/", "-")
        synced = [attach(app, Attachment(name, "..", profile or "vault", default=True))]
    notice = app.background.begin()
    if notice:
        app.notify(notice)
    app.store.close()
    return Made(path, not existed, tuple(synced))


def note_made(path: Path, around: Surroundings) -> None:
    """Note that a memory is the person's own work; where that cannot be noted, it is used by its name."""
    try:
        Territory(Trust(around.home), path).claim()
    except ReadOnly as error:
        if around.notify:
            around.notify(f"{error.message}: name this memory with --db. {error.hint}")
