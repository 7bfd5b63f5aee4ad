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


def agreement(connection: apsw.Connection, row: CollectionRow, root: Path) -> Agreement:
    """Look at a folder; most of the time, that is all there is to do."""
    if row.state != "active":
        return Agreement(False)
    try:
        seen = Round(root, folder.patterns_of(row.profile, row.settings.get("ignore", ())))
    except StorageFailed:
        return Agreement(False)
    return _Comparison(connection, row.id, seen).agreement()


def note(store: Store, row: CollectionRow, found: Agreement) -> None:
    """Note which directories are as the memory has them, so that the next look is short; if nobody minds."""
    with suppress(Busy, ReadOnly), store.impatient(0), store.hasty(), store.write() as connection:
        if connection.pragma("data_version") == found.as_of:
            file_state.put_prints(connection, row.id, found.prints)


class _Comparison:
    """What was seen of a folder beside what is known of it.

    Directories whose hash is known are as they were. The others are compared file by file.
    """

    def __init__(self, connection: apsw.Connection, collection_id: int, seen: Round) -> None:
        self._connection = connection
        self._id = collection_id
        self._seen = seen
        self._as_of = int(connection.pragma("data_version"))
        self._noted = file_state.prints(connection, collection_id)
        self._prints = seen.prints() if self._noted or len(seen) >= FEW else {}
        self._same = {
            each: self._noted[each]
            for each, print_ in self._prints.items()
            if each in self._noted and self._noted[each][0] == print_
        }

    def agreement(self) -> Agreement:
        """See the function of that name."""
        others = self._prints.keys() - self._same.keys()
        if self._prints and not others and self._are_all(0):
            return Agreement(True)
        # Raw data is read with its page, which is in the directory above.
        others |= {each.removesuffix(f"{RAW}/") for each in others if each.endswith(f"{RAW}/")}
        self._same = {each: noted for each, noted in self._same.items() if each not in others}
        walk = self._seen.walk(others if self._same else None)
        marks = self._marks(walk.files)
        if not self._are_all(len(marks)):
            whole = survey(self._seen.walk(), file_state.known_files(self._connection, self._id))
            return Agreement(whole.is_settled, whole)
        if _is_in_step(walk.files, marks):
            return Agreement(True, None, self._worthwhile(marks), self._as_of)
        known = (
            file_state.known_of(self._connection, self._id, walk.files)
            if self._same
            else file_state.known_files(self._connection, self._id)
        )
        found = survey(walk, known)
        return Agreement(found.is_settled, found)

    def _marks(self, paths: Iterable[str]) -> dict[str, Mark]:
        if not self._same:
            return file_state.marks(self._connection, self._id)
        return file_state.marks_of(self._connection, self._id, paths)

    def _are_all(self, compared: int) -> bool:
        """Whether no other file is known than those that are compared, and those that are the same."""
        alike = sum(files for _, files in self._same.values())
        return alike + compared == file_state.count(self._connection, self._id)

    def _worthwhile(self, marks: Mapping[str, Mark]) -> Prints:
        """What to note of all directories, now that their files are known to be the same."""
        if len(marks) < FEW:
            return {}
        counts = Counter(path[: path.rfind("/") + 1] for path in marks)
        fresh = {each: (print_, counts[each]) for each, print_ in self._prints.items()}
        return {**fresh, **self._same}


def _is_in_step(files: Mapping[str, Seen], marks: Mapping[str, Mark]) -> bool:
    """Whether each file that matters is surely what it was when it was read, and none is missing."""
    others = [path for path in files if path not in marks]
    return (
        len(marks) == len(files) - len(others)
        and not any(folder.is_page(path) or folder.is_sidecar(path) for path in others)
        and not any(is_other(files[path][1:4], mark) for path, mark in marks.items())
    )
