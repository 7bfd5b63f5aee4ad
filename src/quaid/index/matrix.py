"""All vectors of a model as one matrix, mapped into memory from a file beside the memory.

The memory holds the truth, one row for each vector. The file is a copy of it in the order of the ids, which
a process can search without loading it first. New vectors are appended; where the memory has lost some, the
file is made anew. It may be deleted at any time.

    header  256 bytes: magic, dimensions, number of rows, the model's name after its length
    rows    dimensions × float32, the vector's id as int64, the hash of its text (16 bytes)
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal

import apsw

from quaid.files import exclusively, open_own
from quaid.model.record import record
from quaid.store import embeddings
from quaid.store.embeddings import ModelRow
from quaid.store.scope import CONVERSATIONS, ITEMS, PAGES, Units

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

MAGIC = b"quaidve3"
HASH = 16  # bytes
TAIL = 8 + HASH  # bytes of a row after its vector
HEADER = struct.Struct("<8sIQ")
NAME = struct.Struct("<H")
HEADER_SIZE = 256
BATCH = 4096
TURNS_ENDING = "-turns"  # of the name of a copy with the vectors of conversations
ITEMS_ENDING = "-items"  # … of single lines
COARSE_ENDING = "-coarse"  # … of what index/coarse.py keeps of a copy
CHECKED = 32  # rows, from the end and from everywhere


@record
class Rows:
    """All vectors, with their ids, which ascend, and the hashes of their texts."""

    ids: Any
    vectors: Any
    hashes: Any  # rows of HASH bytes

    def hashes_at(self, places: Sequence[int]) -> list[bytes]:
        """The hashes of the texts whose vectors stand there."""
        return _hashes_at(self.hashes, places)


@record
class Scores:
    """The cosine of every vector with a question. Ids ascend."""

    ids: Any
    cosines: Any
    hashes: Any  # rows of HASH bytes

    @property
    def mean(self) -> float:
        """The mean of the cosines."""
        return float(self.cosines.mean()) if len(self.cosines) else 0.0

    @property
    def deviation(self) -> float:
        """Their standard deviation."""
        return float(self.cosines.std()) if len(self.cosines) else 0.0

    def at(self, places: Any) -> Any:
        """The cosines of the vectors at these places."""
        return self.cosines[places]

    def hashes_at(self, places: Sequence[int]) -> list[bytes]:
        """The hashes of the texts whose vectors stand there."""
        return _hashes_at(self.hashes, places)

    def best(self, count: int, among: Any = None) -> list[tuple[int, float]]:
        """Places and cosines of the best vectors, of all or of those at some places, best first."""
        import numpy as np

        cosines = self.cosines if among is None else self.cosines[among]
        count = min(count, len(cosines))
        if not count:
            return []
        top = np.argpartition(cosines, len(cosines) - count)[len(cosines) - count :]
        places = top if among is None else among[top]
        pairs = zip(places.tolist(), self.cosines[places].tolist(), strict=True)
        return sorted(pairs, key=lambda pair: (-pair[1], pair[0]))

    def places_of(self, ids: Sequence[int]) -> Any:
        """Where vectors of these ids stand; -1 for one that does not."""
        return places_among(self.ids, ids)


def _hashes_at(hashes: Any, places: Sequence[int]) -> list[bytes]:
    data = hashes[list(places)].tobytes()
    return [data[start : start + HASH] for start in range(0, len(data), HASH)]


def places_among(known: Any, ids: Sequence[int]) -> Any:
    """Where ids stand among some that ascend; -1 for one that does not."""
    import numpy as np

    wanted = np.asarray(ids, np.int64)
    if not len(known):
        return np.full(len(wanted), -1)
    places = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    return np.where(known[places] == wanted, places, -1)


class VectorMatrix:
    """The vectors of one model and one kind of text, as the memory holds them when they are asked for."""

    def __init__(self, database: Path, model: ModelRow, units: Units = PAGES) -> None:
        self.path = copy_path(database, model, units)
        self._model = model
        self._units = units
        self._state_of_rows = (0, 0)
        self._rows: Rows | None = None
        self._last: tuple[Any, Rows, Scores] | None = None

    def scores(self, connection: apsw.Connection, query: Vector) -> Scores:
        """The cosine of every vector with the query."""
        rows = self.rows(connection)
        # One question is compared several times: by page, by passage, by line.
        if self._last is None or self._last[0] is not query or self._last[1] is not rows:
            self._last = (query, rows, Scores(rows.ids, rows.vectors @ query, rows.hashes))
        return self._last[2]

    def rows(self, connection: apsw.Connection) -> Rows:
        """The vectors as this connection sees them; the same object while they are the same."""
        import numpy as np  # heavy, and only for meaning

        state = embeddings.state(connection, self._model.id, self._units)
        if self._rows is None or state != self._state_of_rows:
            newest, width = state[0], self._model.dimensions
            found = self._refreshed(connection, newest) if newest else np.empty((0, self._stride // 4), "<f4")
            # Another process may have added what this one does not see yet.
            found = found[: int(np.searchsorted(self._ids(found), newest, "right"))]
            ids = np.ascontiguousarray(self._ids(found))
            self._rows = Rows(ids, found[:, :width], found[:, width + 2 :])
            self._state_of_rows = state
        return self._rows

    def _ids(self, rows: Any) -> Any:
        import numpy as np

        width = self._model.dimensions
        return rows[:, width : width + 2].view(np.int64)[:, 0]

    def _refreshed(self, connection: apsw.Connection, newest: int) -> Any:
        """The rows, after the file has been brought up to what this connection sees."""
        try:
            with open_own(self.path) as file, exclusively(file):
                state = self._state(file, connection, newest)
                if state == "behind":
                    self._append(file, connection)
                if state != "foreign":
                    return self._mapped(file)
                return self._renewed(connection)
        except OSError:
            return self._loaded(connection)

    def _state(
        self, file: IO[bytes], connection: apsw.Connection, newest: int
    ) -> Literal["current", "behind", "foreign"]:
        """Whether the file holds the newest vector, can be continued, or copies something else."""
        import numpy as np

        rows = self._count(file)
        if not rows:
            return "behind"
        mapped = self._mapped(file)
        ids = self._ids(mapped)
        seen = int(np.searchsorted(ids, newest, "right"))
        if not seen:
            return "foreign"
        held = embeddings.count(connection, self._model.id, int(ids[seen - 1]), self._units)
        if held != seen:
            return "foreign"
        if not self._agrees(connection, mapped, ids[:seen]):
            return "foreign"
        if ids[seen - 1] == newest:
            return "current"
        return "behind" if seen == rows else "foreign"

    def _agrees(self, connection: apsw.Connection, mapped: Any, ids: Any) -> bool:
        """Whether the last rows of the file, and some from everywhere, are what the memory holds."""
        last = range(max(0, len(ids) - CHECKED), len(ids))
        return all(
            _packed(embeddings.one(connection, int(ids[place]), self._units)) == mapped[place].tobytes()
            for place in {*last, *range(0, len(ids), max(1, len(ids) // CHECKED))}
        )

    def _append(self, file: IO[bytes], connection: apsw.Connection) -> None:
        """Add what came after the last row."""
        rows, last = self._count(file), 0
        if rows:
            file.seek(HEADER_SIZE + rows * self._stride - TAIL)
            last = struct.unpack("<q", file.read(8))[0]
        file.seek(HEADER_SIZE + rows * self._stride)
        fresh = embeddings.after(connection, self._model.id, last, self._units)
        while batch := list(islice(fresh, BATCH)):
            file.write(_packed(batch))
            rows += len(batch)
        file.flush()
        os.fsync(file.fileno())  # the header must not promise rows that a power cut took
        file.seek(0)
        file.write(self._header(rows))
        file.flush()

    def _header(self, rows: int) -> bytes:
        head = HEADER.pack(MAGIC, self._model.dimensions, rows)
        name = self._model.name.encode()
        if len(name) > HEADER_SIZE - len(head) - NAME.size:
            name = b""  # too long to be known again from this file alone
        return (head + NAME.pack(len(name)) + name).ljust(HEADER_SIZE, b"\0")

    def _renewed(self, connection: apsw.Connection) -> Any:
        """The rows of a new file in place of the old one, which others may still be reading."""
        new = self.path.with_name(f"{self.path.name}.{os.getpid()}")
        with open_own(new) as file:
            file.truncate()
            self._append(file, connection)
            new.replace(self.path)
            return self._mapped(file)

    def _mapped(self, file: IO[bytes]) -> Any:
        import numpy as np

        shape = (self._count(file), self._stride // 4)
        return np.memmap(file, np.dtype("<f4"), "r", HEADER_SIZE, shape)

    def _loaded(self, connection: apsw.Connection) -> Any:
        """The rows in memory, where no file can be written."""
        import numpy as np

        data = _packed(embeddings.after(connection, self._model.id, 0, self._units))
        return np.frombuffer(data, np.dtype("<f4")).reshape(-1, self._stride // 4)

    def _count(self, file: IO[bytes]) -> int:
        file.seek(0)
        data = file.read(HEADER.size)
        if len(data) < HEADER.size:
            return 0
        magic, dimensions, rows = HEADER.unpack(data)
        held = (os.fstat(file.fileno()).st_size - HEADER_SIZE) // self._stride
        return int(rows) if (magic, dimensions) == (MAGIC, self._model.dimensions) and rows <= held else 0

    @property
    def _stride(self) -> int:
        return self._model.dimensions * 4 + TAIL


def _packed(vectors: Iterable[tuple[int, bytes, bytes]]) -> bytes:
    return b"".join(vector + struct.pack("<q16s", identity, digest) for identity, digest, vector in vectors)


def copy_path(database: Path, model: ModelRow, units: Units) -> Path:
    """Where the copy of a model's vectors is."""
    ending = {CONVERSATIONS.name: TURNS_ENDING, ITEMS.name: ITEMS_ENDING}.get(units.name, "")
    return database.with_name(f"{database.name}.vectors-{model.id}{ending}")


def remove_files(database: Path, model: ModelRow) -> None:
    """Delete the copies of a model's vectors."""
    for units in (PAGES, ITEMS, CONVERSATIONS):
        copy = copy_path(database, model, units)
        copy.unlink(missing_ok=True)
        copy.with_name(f"{copy.name}{COARSE_ENDING}").unlink(missing_ok=True)


def remove_turn_copies(database: Path) -> None:
    """Delete the copies with the vectors of conversations; the next question makes them anew."""
    for path in database.parent.glob(f"{database.name}.vectors-*{TURNS_ENDING}"):
        path.unlink(missing_ok=True)
