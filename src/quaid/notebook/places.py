"""Which notebook is meant, which of its files, and with which folders and files a new one begins."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import apsw

from quaid.errors import InvalidInput, NotFound, ReadOnly, StorageFailed
from quaid.files import make_private_directory, write_beside
from quaid.settings import Settings
from quaid.store import collections
from quaid.store.collections import CollectionRow
from quaid.vault import folder

PROFILE = "notebook"
FOLDERS = ("lists", "reference", "knowledge", "daily")
FILES: dict[str, str] = {
    "lists/todos.md": "# To do\n\n## To do\n",
    "lists/shopping.md": "# Shopping\n\n## Shopping list\n",
    "reference/contacts.md": "# Contacts\n\nPeople and firms, one section each.\n",
    "reference/preferences.md": "# Preferences\n\nWhat you like, and how you like it.\n",
    "reference/standing-orders.md": "# Standing orders\n\nRules that hold until you change them.\n",
    "knowledge/facts.md": "# Facts\n\nWhat was learned, by subject.\n",
    "knowledge/patterns.md": "# Patterns\n\nWhat happens again and again.\n",
}
DEFAULT = "notebook.default"
MAX_PATH = 240
HOW_TO_MAKE = (
    "Attach a folder as one: `quaid collection add NAME DIR --profile notebook`. "
    "One with a memory of its own: `quaid init DIR --profile notebook`."
)


def notebooks(connection: apsw.Connection) -> list[CollectionRow]:
    """All notebooks that are attached, the oldest first."""
    return [row for row in collections.of_files(connection) if row.profile == PROFILE]


def notebook_row(connection: apsw.Connection, settings: Settings, name: str | None = None) -> CollectionRow:
    """The notebook of that name; without a name, the one that the settings say, or the first."""
    known = notebooks(connection)
    wanted = name or settings.text(DEFAULT)
    if wanted:
        found = next((row for row in known if row.name == wanted), None)
        if found is None:
            said = f"no notebook {name!r}" if name else f"{DEFAULT} names {wanted!r}, which is no notebook"
            there = f"There are: {', '.join(row.name for row in known)}." if known else HOW_TO_MAKE
            raise NotFound(said, hint=there)
        return found
    if not known:
        raise NotFound("there is no notebook in this memory", hint=HOW_TO_MAKE)
    return known[0]  # the default collection is the oldest, so it comes first if it is a notebook


def page_path(given: str) -> str:
    """The path of a file of a notebook as a caller may name it; the suffix may be left out."""
    path = given.strip().removeprefix("./")
    if not path:
        raise InvalidInput("no file is named", hint="Such as lists/shopping.md.")
    if path.startswith(("/", "~")) or (len(path) > 1 and path[1] == ":"):
        raise InvalidInput(
            f"{given!r} is not a path within the notebook",
            hint="Give it from the notebook's folder on, such as lists/shopping.md.",
        )
    if "\\" in path:
        raise InvalidInput(f"{given!r} has a backslash in it", hint="Folders are separated by /.")
    parts = path.split("/")
    if any(part in ("", ".", "..") for part in parts):
        raise InvalidInput(
            f"{given!r} is not a path within the notebook", hint="No empty parts, and no .. in it."
        )
    if any(part.startswith(".") for part in parts):
        raise InvalidInput(f"{given!r} is hidden", hint="Names of notes do not begin with a dot.")
    if len(path) > MAX_PATH or any(not character.isprintable() for character in path):
        raise InvalidInput("the path is too long, or has control characters in it", hint="Use a short name.")
    suffix = os.path.splitext(parts[-1])[1]
    if suffix.lower() == ".md":
        return path
    if suffix and suffix[1:].isalnum() and not suffix[1:].isdigit() and len(suffix) <= 9:
        raise InvalidInput(
            f"{given!r} is not a Markdown file",
            hint="The files of a notebook end in .md; leave the suffix out.",
        )
    return f"{path}.md"


def checked(root: Path, row: CollectionRow, path: str) -> str:
    """A path whose file, if there is one, is a regular file of the notebook."""
    place = folder.real(root, path)
    try:
        facts = os.lstat(place)
    except FileNotFoundError:
        pass
    except NotADirectoryError:
        raise InvalidInput(f"{path} leads through a file", hint="Choose another folder.") from None
    except OSError as error:
        raise InvalidInput(
            f"{path} cannot be looked at: {error.strerror}", hint="Use a shorter name."
        ) from None
    else:
        if stat.S_ISLNK(facts.st_mode):
            raise InvalidInput(
                f"{path} is a symbolic link", hint="Links are not followed: name the file itself."
            )
        if not stat.S_ISREG(facts.st_mode):
            raise InvalidInput(f"{path} is not a file", hint="`quaid notebook list` shows the files.")
    if folder.leaves_out(root, path, folder.left_out_of(row)):
        raise InvalidInput(
            f"{path} is left out of the notebook", hint=f"See `quaid collection ignore {row.name}`."
        )
    return path


def furnish(root: Path) -> tuple[str, ...]:
    """Make the folders that are missing; in a folder without pages, also the first files.

    Nothing is replaced. The answer is the files that were made.
    """
    is_empty = not any(folder.is_page(path) for path in folder.walk(root).files)
    made: list[str] = []
    try:
        for name in FOLDERS:
            make_private_directory(folder.real(root, f"{name}/-").parent)
        for path, text in FILES.items() if is_empty else ():
            place = folder.real(root, path)
            beside = write_beside(place, text.encode(), folder.SCRATCH)
            try:
                place.hardlink_to(beside)  # which refuses to take the place of anything
                made.append(path)
            except FileExistsError:
                pass
            finally:
                beside.unlink(missing_ok=True)
    except PermissionError as error:
        raise ReadOnly(
            f"{error.filename} cannot be written", hint="Check the permissions of the folder."
        ) from error
    except OSError as error:
        raise StorageFailed(
            f"{error.filename} cannot be made: {error.strerror}", hint="Look what is at that place."
        ) from error
    return tuple(made)
