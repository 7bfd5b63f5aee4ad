"""All vectors of a model as one matrix, mapped into memory from a file beside the memory.

The memory holds the truth, one row for each vector. The file is a copy of it in the order of the ids, which a
process can search without loading it first. It only grows: new vectors are appended, and those whose text has
gone are passed over until the file is made anew. It may be deleted at any time.

    header  64 bytes: magic, dimensions, number of rows
    rows    dimensions × float32, then the vector's id as int64
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal

import apsw

from quaid.files import exclusively, make_private_file
from quaid.store import embeddings
from quaid.store.embeddings import ModelRow

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

MAGIC = b"quaidvec"
HEADER = struct.Struct("<8sIQ")
HEADER_SIZE = 64
BATCH = 4096
WASTE = 2  # times as many rows as vectors make the file due for renewal


class VectorMatrix:
    """The vectors of one model, as the memory holds them when they are asked for."""

    def __init__(self, database: Path, model: ModelRow) -> None:
        self._path = database.with_name(f"{database.name}.vectors-{model.id}")
        self._model = model
        self._newest = -1
        self._rows: Any = None

    def scores(self, connection: apsw.Connection, query: Vector) -> tuple[Any, Vector]:
        """The ids of all vectors, and the cosine of each with the query."""
        import numpy as np  # heavy, and only for meaning

        newest = embeddings.newest(connection, self._model.id)
        if newest is None:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        if newest[0] != self._newest:
            self._rows = self._refreshed(connection, newest)
            self._newest = newest[0]
        width = self._model.dimensions
        return self._rows[:, width:].view(np.int64)[:, 0], self._rows[:, :width] @ query

    def _refreshed(self, connection: apsw.Connection, newest: tuple[int, bytes]) -> Any:
        """The rows, after the file has been brought up to what this connection sees."""
        try:
            make_private_file(self._path)
            with self._path.open("r+b") as file, exclusively(file):
                state = self._state(file, connection, newest)
                if state == "behind":
                    self._append(file, connection)
                if state != "foreign":
                    return self._mapped(file)
                return self._renewed(connection)
        except PermissionError:
            return self._loaded(connection)

    def _state(
        self, file: IO[bytes], connection: apsw.Connection, newest: tuple[int, bytes]
    ) -> Literal["current", "behind", "foreign"]:
        """Whether the file holds the newest vector, can be continued, or copies something else."""
        import numpy as np

        rows = self._count(file)
        if not rows:
            return "behind"
        mapped = self._mapped(file)
        ids = mapped[:, self._model.dimensions :].view(np.int64)[:, 0]
        place = int(np.searchsorted(ids, newest[0]))
        if place < rows:
            same = ids[place] == newest[0] and self._vector(mapped, place) == newest[1]
            return "current" if same else "foreign"
        wasteful = rows > WASTE * embeddings.count(connection, self._model.id) + BATCH
        continued = embeddings.vector(connection, int(ids[-1])) == self._vector(mapped, -1)
        return "behind" if continued and not wasteful else "foreign"

    def _append(self, file: IO[bytes], connection: apsw.Connection) -> None:
        """Add what came after the last row."""
        rows, last = self._count(file), 0
        if rows:
            file.seek(HEADER_SIZE + rows * self._stride - 8)
            last = struct.unpack("<q", file.read(8))[0]
        file.seek(HEADER_SIZE + rows * self._stride)
        fresh = embeddings.after(connection, self._model.id, last)
        while batch := list(islice(fresh, BATCH)):
            file.write(_packed(batch))
            rows += len(batch)
        file.flush()
        file.seek(0)
        file.write(HEADER.pack(MAGIC, self._model.dimensions, rows).ljust(HEADER_SIZE, b"\0"))
        file.flush()

    def _renewed(self, connection: apsw.Connection) -> Any:
        """The rows of a new file in place of the old one, which others may still be reading."""
        new = self._path.with_name(f"{self._path.name}.{os.getpid()}")
        make_private_file(new)
        with new.open("r+b") as file:
            self._append(file, connection)
            new.replace(self._path)
            return self._mapped(file)

    def _vector(self, mapped: Any, place: int) -> bytes:
        return bytes(mapped[place, : self._model.dimensions].tobytes())

    def _mapped(self, file: IO[bytes]) -> Any:
        import numpy as np

        shape = (self._count(file), self._stride // 4)
        return np.memmap(file, np.dtype("<f4"), "r", HEADER_SIZE, shape)

    def _loaded(self, connection: apsw.Connection) -> Any:
        """The rows in memory, where no file can be written."""
        import numpy as np

        data = _packed(embeddings.after(connection, self._model.id, 0))
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
        return self._model.dimensions * 4 + 8


def _packed(vectors: Iterable[tuple[int, bytes]]) -> bytes:
    return b"".join(vector + struct.pack("<q", identity) for identity, vector in vectors)


def remove_files(database: Path, model: ModelRow) -> None:
    """Delete the copy of a model's vectors."""
    database.with_name(f"{database.name}.vectors-{model.id}").unlink(missing_ok=True)


def best(ids: Any, scores: Any, count: int) -> Iterator[tuple[int, float]]:
    """Ids and cosines of the best vectors, best first."""
    import numpy as np

    count = min(count, len(scores))
    if not count:
        return
    places = np.argpartition(scores, len(scores) - count)[len(scores) - count :]
    for place in sorted(places.tolist(), key=lambda each: (-scores[each], each)):
        yield int(ids[place]), float(scores[place])
