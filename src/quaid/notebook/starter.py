"""What a new notebook begins with: folders, and small files that say what they are for."""

from __future__ import annotations

from pathlib import Path

from quaid.errors import ReadOnly, StorageFailed
from quaid.files import make_private_directory, write_beside
from quaid.notebook.places import FOLDERS
from quaid.vault import folder

FILES: dict[str, str] = {
    "lists/todos.md": "# To do\n\n## To do\n",
    "lists/shopping.md": "# Shopping\n\n## Shopping list\n",
    "reference/contacts.md": "# Contacts\n\nPeople and firms, one section each.\n",
    "reference/preferences.md": "# Preferences\n\nWhat you like, and how you like it.\n",
    "reference/standing-orders.md": "# Standing orders\n\nRules that hold until you change them.\n",
    "knowledge/facts.md": "# Facts\n\nWhat was learned, by subject.\n",
    "knowledge/patterns.md": "# Patterns\n\nWhat happens again and again.\n",
}


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
