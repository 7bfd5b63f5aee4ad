"""Whether the rows of a folder say what its files say, as far as a look at the files shows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType

import apsw

from quaid.errors import Busy, ReadOnly, StorageFailed
from quaid.model.record import record
from quaid.store import file_state
from quaid.store.collections import CollectionRow
from quaid.store.connection import Store
from quaid.store.file_state import Mark
from quaid.vault import folder
from quaid.vault.folder import RAW, Round, Seen
from quaid.vault.plan import Survey, is_other, survey

FEW = 500  # files that are compared one by one as quickly as anything about them could be noted
Prints = Mapping[str, tuple[bytes, int]]


@record
class Agreement:
    """Whether there is surely nothing to read; else what was seen, unless that was not possible."""

    in_step: bool
    survey: Survey | None = None
    prints: Prints = MappingProxyType({})  # of all directories, where it would pay to note them
    as_of: int = 0  # the state of the memory of which this is said


def agreement(connection: apsw.Connection, row: CollectionRow, root: Path, count: int) -> Agreement:
    """Look at a folder of which so many files are known; most of the time, that is all there is to do.

    Directories whose hash is known are as they were. The others are compared file by file.
    """
    if row.state != "active":
        return Agreement(False)
    try:
        seen = Round(root, folder.left_out_of(row))
    except StorageFailed:
        return Agreement(False)
    as_of = int(connection.pragma("data_version"))
    noted = file_state.prints(connection, row.id)
    prints = seen.prints() if noted or len(seen) >= FEW else {}
    same = {each: files for each, (print_, files) in noted.items() if prints.get(each) == print_}
    others = prints.keys() - same.keys()
    if prints and not others and sum(same.values()) == count:
        return Agreement(True)
    # Raw data is read with its page, which is in the directory above.
    others |= {each.removesuffix(f"{RAW}/") for each in others if each.endswith(f"{RAW}/")}
    same = {each: files for each, files in same.items() if each not in others}
    walk = seen.walk(others if same else None)
    marks = (
        file_state.marks_of(connection, row.id, walk.files) if same else file_state.marks(connection, row.id)
    )
    if sum(same.values()) + len(marks) != count:
        walk, same = seen.walk(), {}
    elif _is_in_step(walk.files, marks):
        worthwhile = _prints_to_note(prints, same, marks) if len(marks) >= FEW else {}
        return Agreement(True, None, worthwhile, as_of)
    known = (
        file_state.known_of(connection, row.id, walk.files)
        if same
        else file_state.known_files(connection, row.id)
    )
    found = survey(walk, known)
    return Agreement(found.is_settled, found)


def _prints_to_note(prints: Mapping[str, bytes], same: Mapping[str, int], marks: Iterable[str]) -> Prints:
    """What to note of all directories, now that their files are known to be the same."""
    counts = Counter(path[: path.rfind("/") + 1] for path in marks)
    return {each: (print_, same.get(each, counts[each])) for each, print_ in prints.items()}


def note(store: Store, row: CollectionRow, found: Agreement) -> None:
    """Note which directories are as the memory has them, so that the next look is short; if nobody minds."""
    with suppress(Busy, ReadOnly), store.impatient(0), store.hasty(), store.write() as connection:
        if connection.pragma("data_version") == found.as_of:
            file_state.put_prints(connection, row.id, found.prints)


def _is_in_step(files: Mapping[str, Seen], marks: Mapping[str, Mark]) -> bool:
    """Whether each file that matters is surely what it was when it was read, and none is missing."""
    others = [path for path in files if path not in marks]
    return (
        len(marks) == len(files) - len(others)
        and not any(folder.is_page(path) or folder.is_sidecar(path) for path in others)
        and not any(is_other(files[path][1:4], mark) for path, mark in marks.items())
    )
