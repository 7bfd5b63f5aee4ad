"""Whether the rows of a folder say what its files say, as far as a look at the files shows it."""

from __future__ import annotations

from pathlib import Path

import apsw

from quaid.errors import StorageFailed
from quaid.store import file_state
from quaid.store.collections import CollectionRow
from quaid.vault import folder
from quaid.vault.plan import is_other, is_settled


def is_in_step(connection: apsw.Connection, row: CollectionRow, root: Path) -> bool:
    """Whether there is surely nothing to read; most of the time, that is all there is to do."""
    if row.state != "active":
        return False
    try:
        walked = folder.walk(root, folder.patterns_of(row.profile, row.settings.get("ignore", ())))
    except StorageFailed:
        return False
    marks = file_state.marks(connection, row.id)
    if len(marks) == len(walked.files) and all(
        path in marks and not is_other(seen[1:4], marks[path]) for path, seen in walked.files.items()
    ):
        return True  # found out in half the time, since no page is looked at
    return is_settled(walked.files, file_state.known(connection, row.id))
