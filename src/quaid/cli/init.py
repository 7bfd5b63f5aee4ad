"""The command that makes a memory."""

from __future__ import annotations

import os
from pathlib import Path

from quaid.app import open_app, user_memory
from quaid.app.discovery import DATABASE, is_memory, trusted
from quaid.cli.parser import Given
from quaid.cli.session import Session
from quaid.errors import Conflict, InvalidInput, ReadOnly, StorageFailed
from quaid.files import make_private_directory
from quaid.formats.slugs import slugify
from quaid.operations.collections import attach
from quaid.operations.results import as_data
from quaid.operations.sync import sync_collection, synced_text
from quaid.store.collections import CollectionRow, of_files
from quaid.store.connection import Store
from quaid.trust import DIRECTORY, Territory, Trust, confine, real
from quaid.vault.attachments import Attachment

DATABASE_SUFFIXES = (".db", ".sqlite", ".sqlite3")


def init(session: Session, given: Given) -> int:
    """Make a memory."""
    wanted = given.values.get("path") or session.db or session.environment.get("QUAID_DB")
    path = Path(os.path.expanduser(wanted)).absolute() if wanted else user_memory(session.home)
    if path.suffix not in DATABASE_SUFFIXES or path.is_dir():
        return _init_folder(session, path.resolve(), given.values.get("profile"))
    if given.values.get("profile"):
        raise InvalidInput(
            f"{path.name} is a memory whose pages are no files", hint="A profile is for a folder: name one."
        )
    if path.is_symlink():
        path = real(path)
    existed = path.exists() and path.stat().st_size > 0
    Store.create(path, session.settings.number("store.busy_timeout")).close()
    if not existed:
        note_made(session, path)
    return session.console.answer(
        {"path": str(path), "created": not existed},
        f"{path} is a memory already; nothing changed" if existed else f"Made a memory: {path}",
    )


def _init_folder(session: Session, folder: Path, profile: str | None) -> int:
    """A folder whose files are the pages, with the memory that is derived from them in it."""
    if folder == session.home.resolve():
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
        trusted(path, session.home)
    else:
        confine(path, [folder])
        Store.create(path, session.settings.number("store.busy_timeout")).close()
        note_made(session, path)
    app = open_app(path, session.settings, session.surroundings)
    if app.has_files:
        _check_profile(app.collection_row(), profile)
        synced = [sync_collection(app, row) for row in of_files(app.connection)]
    else:
        name = slugify(folder.name).replace("/", "-")
        synced = [attach(app, Attachment(name, "..", profile or "vault", default=True))]
    notice = app.background.begin()
    if notice:
        app.notify(notice)
    style = session.console.style()
    first = f"{path} is a memory already" if existed else f"Made a memory: {path}"
    return session.console.answer(
        {"path": str(path), "created": not existed, "collections": as_data(tuple(synced))},
        "\n".join([first, *(synced_text(each, style) for each in synced)]),
    )


def note_made(session: Session, path: Path) -> None:
    """Note that a memory is the person's own work; where that cannot be noted, it is used by its name."""
    try:
        Territory(Trust(session.home), path).claim()
    except ReadOnly as error:
        session.console.notify(f"{error.message}: name this memory with --db. {error.hint}")


def _check_profile(row: CollectionRow, profile: str | None) -> None:
    """Refuse to make something else of a folder than it is."""
    if profile and row.profile != profile:
        raise Conflict(
            f"the folder is a memory already, and {row.name!r} is of the profile {row.profile}",
            hint="Choose another folder, or leave --profile out.",
        )
