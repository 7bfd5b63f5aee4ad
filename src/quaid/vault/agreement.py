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
class Agreement:
    """Whether there is surely nothing to read; else what was seen, unless that was not possible."""

    in_step: bool
    survey: Survey | None = None


def agreement(connection: apsw.Connection, row: CollectionRow, root: Path) -> Agreement:
    """Look at a folder; most of the time, that is all there is to do."""
    if row.state != "active":
        return Agreement(False)
    try:
        walk = folder.walk(root, folder.patterns_of(row.profile, row.settings.get("ignore", ())))
    except StorageFailed:
        return Agreement(False)
    marks = file_state.marks(connection, row.id)
    others = [path for path in walk.files if path not in marks]
    if (
        len(marks) == len(walk.files) - len(others)
        and not any(folder.is_page(path) or folder.is_sidecar(path) for path in others)
        and not any(is_other(walk.files[path][1:4], mark) for path, mark in marks.items())
    ):
        return Agreement(True)  # found out in half the time, since no page is looked at
    found = survey(walk, file_state.known(connection, row.id))
    return Agreement(found.is_settled, found)
