"""Embedding models, and one vector for each text and model."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import Any

import apsw

from quaid.model.record import record
from quaid.store.rows import row, rows
from quaid.store.scope import PAGES, Units


@record
class ModelRow:
    """A model that this memory has vectors of, or is to have."""

    id: int
    name: str
    dimensions: int
    active: bool


def models(connection: apsw.Connection) -> list[ModelRow]:
    """All models, oldest first."""
    found = rows(connection, "SELECT id, name, dimensions, active FROM embedding_models ORDER BY id")
    return [ModelRow(id_, name, dimensions, bool(active)) for id_, name, dimensions, active in found]


def model(connection: apsw.Connection, name: str) -> ModelRow | None:
    """The model of that name."""
    return next((each for each in models(connection) if each.name == name), None)


def active(connection: apsw.Connection) -> ModelRow | None:
    """The model whose vectors are searched."""
    return next((each for each in models(connection) if each.active), None)


def register(connection: apsw.Connection, name: str, dimensions: int, now: str) -> ModelRow:
    """A model, made known if it is new. The first one is active at once."""
    connection.execute(
        """INSERT INTO embedding_models (name, dimensions, active, created_at)
           VALUES (?, ?, NOT EXISTS (SELECT 1 FROM embedding_models WHERE active = 1), ?)
           ON CONFLICT (name) DO NOTHING""",
        (name, dimensions, now),
    )
    found = row(
        connection, "SELECT id, name, dimensions, active FROM embedding_models WHERE name = ?", (name,)
    )
    return ModelRow(found[0], found[1], found[2], bool(found[3]))


def activate(connection: apsw.Connection, model_id: int) -> None:
    """Search this model's vectors from now on."""
    connection.execute("UPDATE embedding_models SET active = 0 WHERE active = 1")
    connection.execute("UPDATE embedding_models SET active = 1 WHERE id = ?", (model_id,))


def forget(connection: apsw.Connection, model_id: int) -> None:
    """Remove a model and its vectors."""
    connection.execute("DELETE FROM embedding_models WHERE id = ?", (model_id,))


def missing(
    connection: apsw.Connection, model_id: int, page_id: int | None = None, limit: int = -1
) -> list[tuple[int, bytes]]:
    """Pages and hashes of the texts that the model has not embedded yet, in the order in which they came."""
    found = rows(
        connection,
        """SELECT c.page_id, c.hash FROM chunks c
           WHERE c.id > iif(?2 IS NULL, (SELECT done_to FROM embedding_models WHERE id = ?1), 0)
             AND (?2 IS NULL OR c.page_id = ?2)
             AND NOT EXISTS (SELECT 1 FROM embeddings e WHERE e.model_id = ?1 AND e.hash = c.hash)
           ORDER BY c.id LIMIT ?3""",
        (model_id, page_id, limit),
    )
    unique = {bytes(digest): page for page, digest in found}
    return [(page, digest) for digest, page in unique.items()]


def is_behind(connection: apsw.Connection, model_id: int) -> bool:
    """Whether there are chunks that the model has not been seen to have embedded."""
    sql = "SELECT done_to < (SELECT coalesce(max(id), 0) FROM chunks) FROM embedding_models WHERE id = ?"
    return bool(row(connection, sql, (model_id,))[0])


def note_done(connection: apsw.Connection, model_id: int) -> None:
    """Remember that every text there is now is embedded, so that it need not be looked for again."""
    connection.execute(
        "UPDATE embedding_models SET done_to = (SELECT coalesce(max(id), 0) FROM chunks) WHERE id = ?",
        (model_id,),
    )


def counts(connection: apsw.Connection, model_id: int) -> tuple[int, int]:
    """How many different texts there are, and how many of them the model has embedded."""
    found = row(
        connection,
        """SELECT count(*), count(e.id) FROM (SELECT DISTINCT hash FROM chunks) c
           LEFT JOIN embeddings e ON e.model_id = ? AND e.hash = c.hash""",
        (model_id,),
    )
    return int(found[0]), int(found[1])


def put(
    connection: apsw.Connection, model_id: int, vectors: Iterable[tuple[bytes, bytes]], units: Units = PAGES
) -> None:
    """Keep vectors by the hash of their text.

    An id never comes again, not even after a backup was copied back: so the copy of the vectors in a file can
    tell from the ids alone whether it is one of this memory.
    """
    last = int(row(connection, f"SELECT coalesce(max(id), 0) FROM {units.vectors}")[0])
    first = max(last + 1, time.time_ns() // 1000)
    connection.executemany(
        f"""INSERT INTO {units.vectors} (id, model_id, hash, vector) VALUES (?, ?, ?, ?)
           ON CONFLICT (model_id, hash) DO NOTHING""",
        ((first + place, model_id, digest, vector) for place, (digest, vector) in enumerate(vectors)),
    )


def clear(connection: apsw.Connection, model_id: int, page_id: int | None = None) -> None:
    """Forget vectors, of all texts or of one page's, so that they are embedded anew."""
    connection.execute(
        """DELETE FROM embeddings WHERE model_id = ?1
           AND (?2 IS NULL OR hash IN (SELECT hash FROM chunks WHERE page_id = ?2))""",
        (model_id, page_id),
    )
    connection.execute(
        "UPDATE embedding_models SET done_to = 0, removals = removals + 1 WHERE id = ?", (model_id,)
    )


def after(
    connection: apsw.Connection, model_id: int, last: int, units: Units = PAGES
) -> Iterator[tuple[int, bytes, bytes]]:
    """Ids, hashes and vectors of a model, in the order in which they came, above an id."""
    found: Iterator[tuple[Any, ...]] = connection.execute(
        f"SELECT id, hash, vector FROM {units.vectors} WHERE model_id = ? AND id > ? ORDER BY id",
        (model_id, last),
    )
    for identity, digest, stored in found:
        yield identity, bytes(digest), bytes(stored)


def state(connection: apsw.Connection, model_id: int, units: Units = PAGES) -> tuple[int, int]:
    """The id of the vector that a model got last (0 if it has none), and how often some were taken away."""
    found = row(
        connection,
        f"""SELECT coalesce((SELECT max(id) FROM {units.vectors} INDEXED BY {units.vectors}_of_model
                             WHERE model_id = ?1), 0),
                  coalesce((SELECT removals FROM embedding_models WHERE id = ?1), 0)""",
        (model_id,),
    )
    return int(found[0]), int(found[1])


def one(
    connection: apsw.Connection, embedding_id: int, units: Units = PAGES
) -> list[tuple[int, bytes, bytes]]:
    """Id, hash and vector of one, if it is there."""
    found = rows(connection, f"SELECT id, hash, vector FROM {units.vectors} WHERE id = ?", (embedding_id,))
    return [(identity, bytes(digest), bytes(vector)) for identity, digest, vector in found]


def count(connection: apsw.Connection, model_id: int, last: int, units: Units = PAGES) -> int:
    """How many vectors a model has up to an id."""
    indexed = f"{units.vectors} INDEXED BY {units.vectors}_of_model"
    sql = f"SELECT count(*) FROM {indexed} WHERE model_id = ? AND id <= ?"
    return int(row(connection, sql, (model_id, last))[0])


def collect(connection: apsw.Connection, units: Units = PAGES) -> int:
    """Remove the vectors of texts that stand nowhere any more; the answer is how many went."""
    connection.execute(f"DELETE FROM {units.vectors} WHERE hash NOT IN (SELECT hash FROM {units.table})")
    gone = connection.changes()
    if gone:
        connection.execute("UPDATE embedding_models SET removals = removals + 1")
    return gone
