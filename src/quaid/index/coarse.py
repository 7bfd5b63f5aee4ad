"""Searching very many vectors in two stages: all of them coarsely, the best of those exactly.

Vectors of texts lie mostly in few directions. They are turned so that these come first, and the first third
of each turned vector is kept in a file beside the copy of all, in eight bits a number. One product over that
file says which few per cent can be among the nearest; the copy says which of them are. The file may be
deleted at any time.

    header  64 bytes: magic, dimensions, coarse dimensions, number of rows, first and last id
    then    the mean of the vectors, the mean of their products with themselves, the directions: float32
    rows    the coarse vectors as codes (`index/codes.py`), in the order of the copy
"""

from __future__ import annotations

import math
import os
import struct
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from quaid.files import exclusively, open_own
from quaid.index.codes import code, decoded, products, row_type
from quaid.index.matrix import COARSE_ENDING, InFull, Rows, Scores, highest

if TYPE_CHECKING:
    from quaid.index.arms import Vector

MAGIC = b"quaidco2"
HEADER = struct.Struct("<8sIIQqq")
HEADER_SIZE = 64
PART_KEPT = 3  # one of so many dimensions
CANDIDATES = 0.02  # of all vectors, which are compared exactly
LEAST = 4000  # of them
SAMPLED = 20_000  # coarse cosines from which it is judged how high the best are
SPARE = 1.1  # times as many candidates as are wanted, because a sample is judged by
SAMPLE = 50_000  # vectors from which the directions are found
BLOCK = 10_000  # rows that are written at a time


class CoarseScores(Scores):
    """The cosines of a question with very many vectors: none is computed of those that cannot matter."""

    def __init__(self, rows: Rows, query: Vector, in_full: InFull, mapped: _Mapped) -> None:
        super().__init__(rows, query, in_full)
        self._coarse = products(mapped.coarse, query @ mapped.directions)
        self._mean = float(query @ mapped.mean)
        self._deviation = math.sqrt(max(0.0, float(query @ mapped.second @ query) - self._mean**2))

    @property
    def mean(self) -> float:
        """The mean of the cosines, as it was when the directions were found."""
        return self._mean

    @property
    def deviation(self) -> float:
        """Their standard deviation, likewise."""
        return self._deviation

    def _candidates(self, count: int, among: Any) -> Any:
        """The places of those that are best by their codes, among those that are best coarsely."""
        coarse = self._coarse if among is None else self._coarse[among]
        places = _best_of(coarse, max(LEAST, 4 * count, int(CANDIDATES * len(coarse))))
        places = places if among is None else among[places]
        return places[highest(self._nearly(places), count)]


def _best_of(numbers: Any, count: int) -> Any:
    """Where about so many of the highest numbers stand, and hardly fewer, as they come.

    A sample says above which number that is: to put all in order would take longer than the product.
    """
    import numpy as np  # heavy, and only for meaning

    if len(numbers) <= count:
        return np.arange(len(numbers))
    some = numbers[:: max(1, len(numbers) // SAMPLED)]
    kept = min(len(some), int(SPARE * count * len(some) / len(numbers)) + 1)
    return np.flatnonzero(numbers >= np.partition(some, len(some) - kept)[len(some) - kept])


class CoarseScan:
    """The coarse vectors of one copy."""

    def __init__(self, copy: Path) -> None:
        self._path = copy.with_name(f"{copy.name}{COARSE_ENDING}")
        self._known: tuple[Any, _Mapped] | None = None

    def scores(self, rows: Rows, query: Vector, in_full: InFull) -> CoarseScores | None:
        """The cosines of a question; None where the file cannot be written."""
        if self._known is None or self._known[0] is not rows.ids:
            try:
                with open_own(self._path) as file, exclusively(file):
                    self._known = (rows.ids, self._map_of(file, rows))
            except OSError:
                return None
        return CoarseScores(rows, query, in_full, self._known[1])

    def _map_of(self, file: IO[bytes], rows: Rows) -> _Mapped:
        """The file, after what is new was appended; anew if it belongs to other rows."""
        width = _width(rows)
        held = _rows_held(file, rows)
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
            self.coarse = np.memmap(file, row_type(kept), "r", _beginning(width), (count,))


def _beginning(width: int) -> int:
    return HEADER_SIZE + 4 * width * (1 + width + width // PART_KEPT)


def _width(rows: Rows) -> int:
    return int(rows.coded["codes"].shape[1])


def _rows_held(file: IO[bytes], rows: Rows) -> int:
    """How many of the rows the file has, from the first on; 0 if it is not theirs."""
    width = _width(rows)
    file.seek(0)
    data = file.read(HEADER.size)
    if len(data) < HEADER.size:
        return 0
    magic, dimensions, kept, count, first, last = HEADER.unpack(data)
    if (magic, dimensions, kept) != (MAGIC, width, width // PART_KEPT) or not 0 < count <= len(rows.ids):
        return 0
    there = (os.fstat(file.fileno()).st_size - _beginning(width)) // row_type(kept).itemsize
    # Ids never come again: where the first and the last are the same, no row between them is another.
    return count if count <= there and (rows.ids[0], rows.ids[count - 1]) == (first, last) else 0


def _write_directions(file: IO[bytes], rows: Rows) -> None:
    """Find the directions in which most of the vectors lie."""
    import numpy as np

    width = _width(rows)
    some = decoded(rows.coded[:: max(1, len(rows.ids) // SAMPLE)])
    second = some.T @ some / np.float32(len(some))
    directions = np.linalg.eigh(second)[1][:, ::-1][:, : width // PART_KEPT]
    file.truncate(0)
    file.seek(HEADER_SIZE)
    for part in (some.mean(axis=0), second, directions):
        file.write(np.ascontiguousarray(part, np.dtype("<f4")).tobytes())


def _append(file: IO[bytes], rows: Rows, held: int) -> None:
    """Write the rows after those that are there."""
    import numpy as np

    width, count = _width(rows), len(rows.ids)
    kept = width // PART_KEPT
    directions = _Mapped(file, width, 0).directions
    file.seek(_beginning(width) + row_type(kept).itemsize * held)
    for start in range(held, count, BLOCK):
        turned = decoded(rows.coded[start : start + BLOCK]) @ directions
        coded = np.zeros(len(turned), row_type(kept))
        code(coded, turned)
        file.write(coded.tobytes())
    file.flush()
    os.fsync(file.fileno())  # the header must not promise rows that a power cut took
    file.seek(0)
    file.write(HEADER.pack(MAGIC, width, kept, count, int(rows.ids[0]), int(rows.ids[-1])))
    file.flush()
