"""Searching very many vectors in two stages: all of them coarsely, the best of those exactly.

Vectors of texts lie mostly in few directions. They are turned so that these come first, and the first third
of each turned vector is kept in a file beside the copy of all. One product over that file says which few per
cent can be among the nearest; their cosines are computed in full. The file may be deleted at any time.

    header  64 bytes: magic, dimensions, coarse dimensions, number of rows, first and last id
    then    the mean of the vectors, the mean of their products with themselves, the directions: float32
    rows    the coarse vectors, float32, in the order of the copy
"""

from __future__ import annotations

import os
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from quaid.files import exclusively, open_own
from quaid.index.matrix import COARSE_ENDING, Rows, places_among

if TYPE_CHECKING:
    from quaid.index.arms import Vector

MAGIC = b"quaidco1"
HEADER = struct.Struct("<8sIIQqq")
HEADER_SIZE = 64
PART_KEPT = 3  # one of so many dimensions
CANDIDATES = 0.02  # of all vectors, which are compared exactly
LEAST = 4000  # of them
SAMPLE = 50_000  # vectors from which the directions are found
BLOCK = 50_000  # rows that are written at a time


class CoarseScores:
    """The cosines of a question: coarse ones of all vectors, exact ones of those that matter."""

    def __init__(self, rows: Rows, query: Vector, coarse: Any, mean: float, deviation: float) -> None:
        self.ids = rows.ids
        self.mean = mean
        self.deviation = deviation
        self._rows = rows
        self._query = query
        self._coarse = coarse

    def hashes_at(self, places: Sequence[int]) -> list[bytes]:
        """The hashes of the texts whose vectors stand there."""
        return self._rows.hashes_at(places)

    def places_of(self, ids: Sequence[int]) -> Any:
        """Where vectors of these ids stand; -1 for one that does not."""
        return places_among(self.ids, ids)

    def at(self, places: Any) -> Any:
        """The cosines of the vectors at these places."""
        return self._rows.vectors[places] @ self._query

    def best(self, count: int, among: Any = None) -> list[tuple[int, float]]:
        """Places and cosines of the best vectors, of all or of those at some places, best first."""
        import numpy as np  # heavy, and only for meaning

        coarse = self._coarse if among is None else self._coarse[among]
        looked_at = min(len(coarse), max(LEAST, 4 * count, int(CANDIDATES * len(coarse))))
        if not looked_at:
            return []
        places = np.argpartition(coarse, len(coarse) - looked_at)[len(coarse) - looked_at :]
        places = np.sort(places if among is None else among[places])  # in the order in which they are stored
        exact = self.at(places)
        top = np.argsort(-exact, kind="stable")[:count]
        return list(zip(places[top].tolist(), exact[top].tolist(), strict=True))


class CoarseScan:
    """The coarse vectors of one copy."""

    def __init__(self, copy: Path) -> None:
        self._path = copy.with_name(f"{copy.name}{COARSE_ENDING}")
        self._known: tuple[Any, _Mapped] | None = None

    def scores(self, rows: Rows, query: Vector) -> CoarseScores | None:
        """The cosines of a question; None where the file cannot be written."""
        if self._known is None or self._known[0] is not rows.ids:
            try:
                with open_own(self._path) as file, exclusively(file):
                    self._known = (rows.ids, self._mapped(file, rows))
            except OSError:
                return None
        mapped = self._known[1]
        mean = float(query @ mapped.mean)
        deviation = max(0.0, float(query @ mapped.second @ query) - mean * mean) ** 0.5
        return CoarseScores(rows, query, mapped.coarse @ (query @ mapped.directions), mean, deviation)

    def _mapped(self, file: IO[bytes], rows: Rows) -> _Mapped:
        """The file, after what is new was appended; anew if it belongs to other rows."""
        width = rows.vectors.shape[1]
        held = _held(file, rows)
        mapped = _Mapped(file, width, held) if held else None
        # Directions that were found in half as many vectors may not be those of all.
        if mapped is None or held < len(rows.ids) // 2:
            self._path.unlink(missing_ok=True)  # others may be reading it
            with open_own(self._path) as new:
                _write_directions(new, rows)
                _append(new, rows, 0)
                return _Mapped(new, width, len(rows.ids))
        if held < len(rows.ids):
            _append(file, rows, held)
            mapped = _Mapped(file, width, len(rows.ids))
        return mapped


class _Mapped:
    """The parts of the file, its rows after how many it has."""

    def __init__(self, file: IO[bytes], width: int, count: int) -> None:
        import numpy as np

        kept = width // PART_KEPT
        file.seek(HEADER_SIZE)
        data = np.frombuffer(file.read(_beginning(width) - HEADER_SIZE), np.dtype("<f4"))
        self.mean = data[:width]
        self.second = data[width : width * (1 + width)].reshape(width, width)
        self.directions = data[width * (1 + width) :].reshape(width, kept)
        self.coarse: Any = None
        if count:
            self.coarse = np.memmap(file, np.dtype("<f4"), "r", _beginning(width), (count, kept))


def _beginning(width: int) -> int:
    return HEADER_SIZE + 4 * width * (1 + width + width // PART_KEPT)


def _held(file: IO[bytes], rows: Rows) -> int:
    """How many of the rows the file has, from the first on; 0 if it is not theirs."""
    width = rows.vectors.shape[1]
    file.seek(0)
    data = file.read(HEADER.size)
    if len(data) < HEADER.size:
        return 0
    magic, dimensions, kept, count, first, last = HEADER.unpack(data)
    if (magic, dimensions, kept) != (MAGIC, width, width // PART_KEPT) or not 0 < count <= len(rows.ids):
        return 0
    there = (os.fstat(file.fileno()).st_size - _beginning(width)) // (4 * kept)
    # Ids never come again: where the first and the last are the same, no row between them is another.
    return count if count <= there and (rows.ids[0], rows.ids[count - 1]) == (first, last) else 0


def _write_directions(file: IO[bytes], rows: Rows) -> None:
    """Find the directions in which most of the vectors lie."""
    import numpy as np

    width = rows.vectors.shape[1]
    some = np.ascontiguousarray(rows.vectors[:: max(1, len(rows.ids) // SAMPLE)])
    second = some.T @ some / np.float32(len(some))
    directions = np.linalg.eigh(second)[1][:, ::-1][:, : width // PART_KEPT]
    file.truncate(0)
    file.seek(HEADER_SIZE)
    for part in (some.mean(axis=0), second, directions):
        file.write(np.ascontiguousarray(part, np.dtype("<f4")).tobytes())


def _append(file: IO[bytes], rows: Rows, held: int) -> None:
    """Write the rows after those that are there."""
    width, count = rows.vectors.shape[1], len(rows.ids)
    kept = width // PART_KEPT
    directions = _Mapped(file, width, 0).directions
    file.seek(_beginning(width) + 4 * kept * held)
    for start in range(held, count, BLOCK):
        file.write((rows.vectors[start : start + BLOCK] @ directions).astype("<f4").tobytes())
    file.flush()
    os.fsync(file.fileno())  # the header must not promise rows that a power cut took
    file.seek(0)
    file.write(HEADER.pack(MAGIC, width, kept, count, int(rows.ids[0]), int(rows.ids[-1])))
    file.flush()
