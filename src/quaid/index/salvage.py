"""Vectors of a lost memory, from the copies that lay beside it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO

from quaid.files import open_own
from quaid.index.codes import decoded
from quaid.index.matrix import BATCH, HEADER, HEADER_SIZE, ITEMS_ENDING, MAGIC, NAME, TURNS_ENDING, type_of
from quaid.store import embeddings, units
from quaid.store.connection import Store
from quaid.store.scope import CONVERSATIONS, ITEMS, PAGES, Units

TOLERANCE = 0.01  # of a vector's length, which should be 1


def adopt_vectors(store: Store, now: str) -> int:
    """Take over the vectors of texts that the memory has again; the answer is how many.

    A vector belongs to the hash of its text and to its model, whatever memory it was made for. What a copy
    has is rounded: the cosine with the vector that was lost is above 0.999.
    """
    done = 0
    for path in sorted(copies(store.path), key=lambda path: -path.lstat().st_mtime_ns):
        with suppress(OSError):  # a link or a device is no copy of ours
            done += _adopt(store, path, now)
        path.unlink(missing_ok=True)
    return done


def copies(database: Path) -> list[Path]:
    """The copies of vectors beside a memory."""
    prefix = f"{database.name}.vectors-"
    return [database.with_name(name) for name in os.listdir(database.parent) if name.startswith(prefix)]


def _adopt(store: Store, path: Path, now: str) -> int:
    """The vectors of one model; what is damaged is left."""
    with open_own(path) as file:
        head = file.read(HEADER_SIZE)
        if len(head) < HEADER_SIZE:
            return 0
        magic, dimensions, count = HEADER.unpack(head[: HEADER.size])
        (length,) = NAME.unpack_from(head, HEADER.size)
        name = head[HEADER.size + NAME.size :][:length].decode("utf-8", "replace")
        if magic != MAGIC or not name or not 0 < dimensions < 100_000:
            return 0
        kind = _kind(path)
        with store.write() as connection:
            wanted = units.hashes(connection, kind)
            model = embeddings.register(connection, name, dimensions, now)
            vectors = list(_sound(file, dimensions, count, wanted))
            embeddings.put(connection, model.id, vectors, kind)
    return len(vectors)


def _sound(file: IO[bytes], dimensions: int, count: int, wanted: set[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """Hashes and vectors of wanted texts; a vector's length is 1 if nothing happened to it."""
    import numpy as np  # heavy, and only for meaning

    kind = type_of(dimensions)
    for start in range(0, count, BATCH):
        data = file.read(min(BATCH, count - start) * kind.itemsize)
        rows = np.frombuffer(data[: len(data) - len(data) % kind.itemsize], kind)
        vectors = decoded(rows)
        lengths = np.linalg.norm(vectors, axis=1)
        for row, vector, length in zip(rows, vectors, lengths, strict=True):
            digest = row["hash"].tobytes()
            if digest in wanted and abs(length - 1) < TOLERANCE:
                yield digest, (vector / length).tobytes()


def _kind(path: Path) -> Units:
    """The kind of text of which a copy has the vectors."""
    if path.name.endswith(TURNS_ENDING):
        return CONVERSATIONS
    return ITEMS if path.name.endswith(ITEMS_ENDING) else PAGES
