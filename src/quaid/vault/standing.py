"""Whether the rows of a folder say what its files say, as far as a look at the files shows it."""

from __future__ import annotations

from pathlib import Path

import apsw

from quaid.errors import StorageFailed
from quaid.model.record import record
from quaid.store import file_state
from quaid.store.collections import CollectionRow
from quaid.vault import folder
from quaid.vault.plan import Survey, is_other, survey


@record
class Standing:
    """Whether there is surely nothing to read; else what was seen, unless that was not possible."""

    in_step: bool
    survey: Survey | None = None


def standing(connection: apsw.Connection, row: CollectionRow, root: Path) -> Standing:
    """Look at a folder; most of the time, that is all there is to do."""
    if row.state != "active":
        return Standing(False)
    try:
        walk = folder.walk(root, folder.patterns_of(row.profile, row.settings.get("ignore", ())))
    except StorageFailed:
        return Standing(False)
    marks = file_state.marks(connection, row.id)
    if len(marks) == len(walk.files) and all(
        path in marks and not is_other(seen[1:4], marks[path]) for path, seen in walk.files.items()
    ):
        return Standing(True)  # found out in half the time, since no page is looked at
    found = survey(walk, file_state.known(connection, row.id))
    return Standing(found.is_settled, found)
