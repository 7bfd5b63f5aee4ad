"""All vectors of a model as one matrix of small numbers, mapped into memory from a file beside the memory.

The memory holds the truth, one row for each vector. The file has each of them in eight bits a number
(`index/codes.py`), in the order of the ids; a process can search it without loading it first, and asks the
memory for the few that matter. New vectors are appended; where the memory has lost some, the file is made
anew. It may be deleted at any time.

    header  256 bytes: magic, dimensions, number of rows, the model's name after its length
    rows    dimensions × int8, their scale as float32, the vector's id as int64, its text's hash (16 bytes)
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal

import apsw

from quaid.files import exclusively, open_own
from quaid.index.codes import code, products, row_type
from quaid.model.record import record
from quaid.store import embeddings
from quaid.store.embeddings import ModelRow
from quaid.store.scope import CONVERSATIONS, ITEMS, PAGES, Units

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

MAGIC = b"quaidve4"
HASH = 16  # bytes
HEADER = struct.Struct("<8sIQ")
NAME = struct.Struct("<H")
HEADER_SIZE = 256
BATCH = 4096
TURNS_ENDING = "-turns"  # of the name of a copy with the vectors of conversations
ITEMS_ENDING = "-items"  # … of single lines
COARSE_ENDING = "-coarse"  # … of what index/coarse.py keeps of a copy
CHECKED = 32  # rows, from the end and from everywhere
FEW = 256  # vectors that are looked up in full, whatever they are wanted for
MARGIN = 32  # vectors beyond those wanted that are looked at in full: some of them may be nearer

InFull = Callable[[Any], Any]  # of ids that ascend: their vectors as float32, NaN where there is none


@record
class Rows:
    """All vectors as codes, with their ids, which ascend, and the hashes of their texts."""

    ids: Any
    coded: Any

    def hashes_at(self, places: Sequence[int]) -> list[bytes]:
        """The hashes of the texts whose vectors stand there."""
        data = self.coded["hash"][list(places)].tobytes()
        return [data[start : start + HASH] for start in range(0, len(data), HASH)]


class Scores:
    """The cosine of every vector with a question: of all nearly, of those that matter exactly."""

    def __init__(self, rows: Rows, query: Vector, in_full: InFull) -> None:
        self.ids = rows.ids
        self._rows = rows
        self._query = query
        self._in_full = in_full
        self._best: dict[int, float] = {}  # places and exact cosines of those that were among the best

    @cached_property
    def cosines(self) -> Any:
        """Of all vectors, off by about a thousandth if they are many."""
        import numpy as np  # heavy, and only for meaning

        few = len(self.ids) <= FEW
        return self._looked_up(np.arange(len(self.ids))) if few else products(self._rows.coded, self._query)

    @property
    def mean(self) -> float:
        """The mean of the cosines."""
        return float(self.cosines.mean()) if len(self.ids) else 0.0

    @property
    def deviation(self) -> float:
        """Their standard deviation."""
        return float(self.cosines.std()) if len(self.ids) else 0.0

    def at(self, places: Any) -> Any:
        """The cosines of the vectors at these places, which ascend: exact ones of few, or of the best."""
        if len(places) <= FEW:
            return self._exactly(places)
        nearly = self._nearly(places)
        for place, cosine in enumerate(map(self._best.get, places.tolist())):
            if cosine is not None:
                nearly[place] = cosine
        return nearly

    def hashes_at(self, places: Sequence[int]) -> list[bytes]:
        """The hashes of the texts whose vectors stand there."""
        return self._rows.hashes_at(places)

    def best(self, count: int, among: Any = None) -> list[tuple[int, float]]:
        """Places and cosines of the best vectors, of all or of those at some places, best first."""
        import numpy as np

        if not count:
            return []
        places = np.sort(self._candidates(count + MARGIN, among))
        found = dict(zip(places.tolist(), self._exactly(places).tolist(), strict=True))
        self._best |= found
        return sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))[:count]

    def _candidates(self, count: int, among: Any) -> Any:
        """The places of those that are best by their codes."""
        places = highest(self.cosines if among is None else self.cosines[among], count)
        return places if among is None else among[places]

    def _exactly(self, places: Any) -> Any:
        return self.cosines[places] if len(self.ids) <= FEW else self._looked_up(places)

    def _looked_up(self, places: Any) -> Any:
        import numpy as np

        # Row by row, so that a cosine does not depend on what else is asked for.
        exact = np.einsum("ij,j->i", self._in_full(self.ids[places]), self._query)
        gone = np.isnan(exact)  # meanwhile, by another process
        if gone.any():
            exact[gone] = self._nearly(places[gone])
        return exact

    def _nearly(self, places: Any) -> Any:
        return products(self._rows.coded[places], self._query)


def highest(numbers: Any, count: int) -> Any:
    """Where the highest numbers stand, in no order."""
    import numpy as np

    count = min(count, len(numbers))
    return (
        np.argpartition(numbers, len(numbers) - count)[len(numbers) - count :] if count else np.empty(0, int)
    )


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
            self._last = (query, rows, Scores(rows, query, self.in_full(connection)))
        return self._last[2]

    def in_full(self, connection: apsw.Connection) -> InFull:
        """The vectors as the memory has them."""
        return lambda ids: embeddings.in_order(connection, self._model, ids, self._units)

    def rows(self, connection: apsw.Connection) -> Rows:
        """The vectors as this connection sees them; the same object while they are the same."""
        import numpy as np  # heavy, and only for meaning

        state = embeddings.state(connection, self._model.id, self._units)
        if self._rows is None or state != self._state_of_rows:
            newest = state[0]
            found = self._fresh_rows(connection, newest) if newest else np.empty(0, self._type)
            # Another process may have added what this one does not see yet.
            found = found[: int(np.searchsorted(found["id"], newest, "right"))]
            self._rows = Rows(np.ascontiguousarray(found["id"]), found)
            self._state_of_rows = state
        return self._rows

    def _fresh_rows(self, connection: apsw.Connection, newest: int) -> Any:
        """The rows, after the file has been brought up to what this connection sees."""
        try:
            with open_own(self.path) as file, exclusively(file):
                mapped = self._map_of(file)
                state = self._state(file, mapped, connection, newest)
                if state == "behind":
                    self._append(file, mapped, connection)
                    return self._map_of(file)
                return mapped if state == "current" else self._new_file(connection)
        except OSError:
            return self._rows_in_memory(connection)

    def _state(
        self, file: IO[bytes], mapped: Any, connection: apsw.Connection, newest: int
    ) -> Literal["current", "behind", "foreign"]:
        """Whether the file holds the newest vector, can be continued, or copies something else."""
        import numpy as np

        ids = mapped["id"]
        if not len(ids):
            return "foreign" if os.fstat(file.fileno()).st_size else "behind"
        seen = int(np.searchsorted(ids, newest, "right"))
        if not seen:
            return "foreign"
        held = embeddings.count(connection, self._model.id, int(ids[seen - 1]), self._units)
        if held != seen or not self._agrees(connection, mapped, ids[:seen]):
            return "foreign"
        if ids[seen - 1] == newest:
            return "current"
        return "behind" if seen == len(ids) else "foreign"

    def _agrees(self, connection: apsw.Connection, mapped: Any, ids: Any) -> bool:
        """Whether the last rows of the file, and some from everywhere, are what the memory holds."""
        last = range(max(0, len(ids) - CHECKED), len(ids))
        places = sorted({*last, *range(0, len(ids), max(1, len(ids) // CHECKED))})
        held = embeddings.some(connection, ids[places].tolist(), self._units)
        return bool(self._row_bytes(held) == mapped[places].tobytes())

    def _append(self, file: IO[bytes], mapped: Any, connection: apsw.Connection) -> None:
        """Add what came after the last row."""
        rows = len(mapped)
        last = int(mapped["id"][-1]) if rows else 0
        file.seek(HEADER_SIZE + rows * self._type.itemsize)
        fresh = embeddings.after(connection, self._model.id, last, self._units)
        while batch := list(islice(fresh, BATCH)):
            file.write(self._row_bytes(batch))
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

    def _new_file(self, connection: apsw.Connection) -> Any:
        """The rows of a new file in place of the old one, which others may still be reading."""
        new = self.path.with_name(f"{self.path.name}.{os.getpid()}")
        with open_own(new) as file:
            file.truncate()
            self._append(file, self._map_of(file), connection)
            new.replace(self.path)
            return self._map_of(file)

    def _map_of(self, file: IO[bytes]) -> Any:
        import numpy as np

        rows = self._count(file)
        return np.memmap(file, self._type, "r", HEADER_SIZE, (rows,)) if rows else np.empty(0, self._type)

    def _rows_in_memory(self, connection: apsw.Connection) -> Any:
        """The rows in memory, where no file can be written."""
        import numpy as np

        found = embeddings.after(connection, self._model.id, 0, self._units)
        data = b"".join(iter(lambda: self._row_bytes(list(islice(found, BATCH))), b""))
        return np.frombuffer(data, self._type)

    def _row_bytes(self, vectors: Sequence[tuple[int, bytes, bytes]]) -> bytes:
        """Ids, hashes and vectors as rows of the file."""
        import numpy as np

        rows = np.zeros(len(vectors), self._type)
        whole = np.frombuffer(b"".join(vector for *_, vector in vectors), np.dtype("<f4"))
        code(rows, whole.reshape(len(vectors), self._model.dimensions))
        rows["id"] = [identity for identity, *_ in vectors]
        rows["hash"] = np.frombuffer(b"".join(digest for _, digest, _ in vectors), f"V{HASH}")
        return rows.tobytes()

    def _count(self, file: IO[bytes]) -> int:
        file.seek(0)
        data = file.read(HEADER.size)
        if len(data) < HEADER.size:
            return 0
        magic, dimensions, rows = HEADER.unpack(data)
        held = (os.fstat(file.fileno()).st_size - HEADER_SIZE) // self._type.itemsize
        return int(rows) if (magic, dimensions) == (MAGIC, self._model.dimensions) and rows <= held else 0

    @cached_property
    def _type(self) -> Any:
        return type_of(self._model.dimensions)


def type_of(dimensions: int) -> Any:
    """The type of a file's rows."""
    return row_type(dimensions, ("id", "<i8"), ("hash", f"V{HASH}"))


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
