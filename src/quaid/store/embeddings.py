"""Embedding models, and one vector for each text and model."""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

import apsw

from quaid.model.record import record
from quaid.store.rows import column, row, rows
from quaid.store.scope import ITEMS, PAGES, Scope, Units

SAMPLE = 1000  # texts
_WIDTH = "(SELECT dimensions FROM embedding_models m WHERE m.id = e.model_id)"
_STORED = f"e.vector, {_WIDTH}"  # what `whole` is given
_VECTOR = f"id, hash, {_STORED}"


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
    return next(each for each in models(connection) if each.name == name)


def activate(connection: apsw.Connection, model_id: int) -> None:
    """Search this model's vectors from now on."""
    connection.execute("UPDATE embedding_models SET active = 0 WHERE active = 1")
    connection.execute("UPDATE embedding_models SET active = 1 WHERE id = ?", (model_id,))


def forget(connection: apsw.Connection, model_id: int) -> None:
    """Remove a model and its vectors."""
    connection.execute("DELETE FROM embedding_models WHERE id = ?", (model_id,))


def missing(
    connection: apsw.Connection,
    model_id: int,
    page_id: int | None = None,
    limit: int = -1,
    units: Units = PAGES,
) -> list[tuple[int, bytes]]:
    """Pages and hashes of the texts that the model has not embedded yet, in the order in which they came."""
    found = connection.execute(
        f"""SELECT c.page_id, c.hash FROM {units.table} c
           WHERE c.id > iif(?2 IS NULL, (SELECT {units.done} FROM embedding_models WHERE id = ?1), 0)
             AND (?2 IS NULL OR c.page_id = ?2) AND c.hash IS NOT NULL
             AND NOT EXISTS (SELECT 1 FROM {units.vectors} e WHERE e.model_id = ?1 AND e.hash = c.hash)
           ORDER BY c.id""",
        (model_id, page_id),
    )
    return _unique(found, limit)


def most_useful(connection: apsw.Connection, model_id: int, limit: int = -1) -> list[tuple[int, bytes]]:
    """Pages and hashes of the texts that the model has not embedded yet, those first that help soonest.

    A page's beginning comes before its depths, a notebook before a library, what others link to, what is
    new and what has a name before the rest.
    """
    found = rows(
        connection,
        """WITH ages AS (
               SELECT p.id, percent_rank() OVER (ORDER BY coalesce(
                   (SELECT f.mtime_ns / 1000000000 FROM file_state f
                    WHERE f.collection_id = p.collection_id AND f.path = p.path),
                   unixepoch(p.updated_at)) DESC) AS age
               FROM live_pages p),
           linked AS (
               SELECT to_page_id AS id, count(*) AS times FROM links WHERE to_page_id IS NOT NULL GROUP BY 1)
           SELECT c.page_id, c.hash FROM chunks c
           JOIN pages p ON p.id = c.page_id JOIN collections k ON k.id = p.collection_id
           JOIN ages a ON a.id = p.id LEFT JOIN linked l ON l.id = p.id
           WHERE c.id > (SELECT done_to FROM embedding_models WHERE id = ?1)
             AND NOT EXISTS (SELECT 1 FROM embeddings e WHERE e.model_id = ?1 AND e.hash = c.hash)
           ORDER BY min(c.ordinal, 6) + 2 * a.age - min(3, log2(1 + coalesce(l.times, 0)))
               - 4 * (k.profile = 'notebook')
               - (p.type IN ('person', 'company', 'project', 'decision')), c.page_id, c.id LIMIT ?2""",
        (model_id, limit),
    )
    return _unique(found)


def _unique(found: Iterable[tuple[Any, ...]], limit: int = -1) -> list[tuple[int, bytes]]:
    """Each text once, with the first page that has it; no more is read than is wanted."""
    pages: dict[bytes, int] = {}
    for page, digest in found:
        if len(pages) == limit:
            break
        pages.setdefault(bytes(digest), page)
    return [(page, digest) for digest, page in pages.items()]


def coverage(connection: apsw.Connection, model_id: int, scope: Scope) -> float:
    """Which share of the texts of a scope the model has embedded, judged by a sample.

    Hashes are as good as random: those that come first stand for all.
    """
    where, parameters = scope.where()
    units = scope.units
    narrowed = f"{scope.join} WHERE {where}" if scope.chosen.any else ""
    found = row(
        connection,
        f"""SELECT count(*), count(e.id) FROM (
                SELECT DISTINCT u.hash FROM {units.table} u {narrowed} ORDER BY u.hash LIMIT {SAMPLE}) t
            LEFT JOIN {units.vectors} e ON e.model_id = ? AND e.hash = t.hash""",
        (*(parameters if scope.chosen.any else ()), model_id),
    )
    return int(found[1]) / int(found[0]) if found[0] else 1.0


def sample(connection: apsw.Connection, units: Units) -> list[bytes]:
    """Some of all texts: those whose hashes come first."""
    sql = f"SELECT DISTINCT hash FROM {units.table} WHERE hash IS NOT NULL ORDER BY hash LIMIT {SAMPLE}"
    return column(connection, sql)


def behind(
    connection: apsw.Connection, model_id: int, kinds: Sequence[Units] = (PAGES, ITEMS)
) -> list[Units]:
    """The kinds of text of which the model has not been seen to have embedded all."""
    newest = ", ".join(f"{units.done} < (SELECT coalesce(max(id), 0) FROM {units.table})" for units in kinds)
    found = row(connection, f"SELECT {newest} FROM embedding_models WHERE id = ?", (model_id,))
    return [units for units, lacks in zip(kinds, found, strict=True) if lacks]


def note_done(connection: apsw.Connection, model_id: int, units: Units = PAGES) -> None:
    """Remember that every text there is now is embedded, so that it need not be looked for again."""
    newest = f"(SELECT coalesce(max(id), 0) FROM {units.table})"
    connection.execute(f"UPDATE embedding_models SET {units.done} = {newest} WHERE id = ?", (model_id,))


def counts(
    connection: apsw.Connection, model_id: int, kinds: Sequence[Units] = (PAGES, ITEMS)
) -> tuple[int, int]:
    """How many different texts of pages there are, and how many of them the model has embedded."""
    total = done = 0
    for units in kinds:
        found = row(
            connection,
            f"""SELECT count(*), count(e.id)
                FROM (SELECT DISTINCT hash FROM {units.table} WHERE hash IS NOT NULL) c
                LEFT JOIN {units.vectors} e ON e.model_id = ? AND e.hash = c.hash""",
            (model_id,),
        )
        total, done = total + int(found[0]), done + int(found[1])
    return total, done


def put(
    connection: apsw.Connection, model_id: int, vectors: Iterable[tuple[bytes, bytes]], units: Units = PAGES
) -> None:
    """Keep vectors of float32 by the hash of their text, as float16: the rest tells no text from another.

    An id never comes again, not even after a backup was copied back: so the copy of the vectors in a file can
    tell from the ids alone whether it is one of this memory.
    """
    last = int(row(connection, f"SELECT coalesce(max(id), 0) FROM {units.vectors}")[0])
    first = max(last + 1, time.time_ns() // 1000)
    connection.executemany(
        f"""INSERT INTO {units.vectors} (id, model_id, hash, vector) VALUES (?, ?, ?, ?)
           ON CONFLICT (model_id, hash) DO NOTHING""",
        ((first + place, model_id, digest, _half(vector)) for place, (digest, vector) in enumerate(vectors)),
    )


def whole(stored: bytes, dimensions: int) -> bytes:
    """A vector as float32, however it is stored: an older Quaid kept it so."""
    import numpy as np  # heavy, and only for meaning

    data = bytes(stored)
    return np.frombuffer(data, "<f2").astype("<f4").tobytes() if len(data) == 2 * dimensions else data


def _half(vector: bytes) -> bytes:
    import numpy as np  # heavy, and only for meaning

    return np.frombuffer(vector, "<f4").astype("<f2").tobytes()


def in_full(connection: apsw.Connection, units: Units) -> list[int]:
    """The vectors of an older Quaid, which take twice the space."""
    sql = f"SELECT e.id FROM {units.vectors} e WHERE length(e.vector) = 4 * {_WIDTH} ORDER BY e.id"
    return column(connection, sql)


def halve(connection: apsw.Connection, units: Units, ids: Sequence[int]) -> None:
    """Write vectors of an older Quaid as today's are written; the copies of them are made anew."""
    halved = [(_half(vector), identity) for identity, _, vector in some(connection, ids, units)]
    connection.executemany(f"UPDATE {units.vectors} SET vector = ? WHERE id = ?", halved)
    connection.execute("UPDATE embedding_models SET removals = removals + 1")


def clear(connection: apsw.Connection, model_id: int, page_id: int | None = None) -> None:
    """Forget vectors, of all texts or of one page's, so that they are embedded anew."""
    for units in (PAGES, ITEMS):
        connection.execute(
            f"""DELETE FROM {units.vectors} WHERE model_id = ?1
               AND (?2 IS NULL OR hash IN (SELECT hash FROM {units.table} WHERE page_id = ?2))""",
            (model_id, page_id),
        )
    connection.execute(
        "UPDATE embedding_models SET done_to = 0, items_to = 0, removals = removals + 1 WHERE id = ?",
        (model_id,),
    )


def after(
    connection: apsw.Connection, model_id: int, last: int, units: Units = PAGES
) -> Iterator[tuple[int, bytes, bytes]]:
    """Ids, hashes and vectors of a model, in the order in which they came, above an id."""
    found: Iterator[tuple[Any, ...]] = connection.execute(
        f"SELECT {_VECTOR} FROM {units.vectors} e WHERE model_id = ? AND id > ? ORDER BY id", (model_id, last)
    )
    for identity, digest, *stored in found:
        yield identity, bytes(digest), whole(*stored)


def in_order(connection: apsw.Connection, model: ModelRow, ids: Any, units: Units = PAGES) -> Any:
    """Vectors by their ids, which ascend, as rows of float32; NaN for one that is not there."""
    import numpy as np  # heavy, and only for meaning

    sql = f"SELECT id, vector FROM {units.vectors} WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id"
    found = rows(connection, sql, (json.dumps(ids.tolist()),))
    stored, kind = [bytes(vector) for _, vector in found], "<f2"
    if any(len(vector) != 2 * model.dimensions for vector in stored):
        stored, kind = [whole(vector, model.dimensions) for vector in stored], "<f4"
    vectors = np.full((len(ids), model.dimensions), np.nan, np.float32)
    places = np.searchsorted(ids, [identity for identity, _ in found])
    vectors[places] = np.frombuffer(b"".join(stored), kind).reshape(len(stored), model.dimensions)
    return vectors


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


def some(connection: apsw.Connection, ids: Sequence[int], units: Units) -> list[tuple[int, bytes, bytes]]:
    """Ids, hashes and vectors of some, of those that are there."""
    sql = f"""SELECT {_VECTOR} FROM {units.vectors} e WHERE id IN (SELECT value FROM json_each(?))
        ORDER BY id"""
    found = rows(connection, sql, (json.dumps(ids),))
    return [(identity, digest, whole(*stored)) for identity, digest, *stored in found]


def of_truth(connection: apsw.Connection, model_id: int, page_id: int) -> list[bytes]:
    """The vectors of a page's compiled truth, as far as it is embedded."""
    sql = f"""SELECT {_STORED} FROM chunks c CROSS JOIN embeddings e ON e.model_id = ?1 AND e.hash = c.hash
        WHERE c.page_id = ?2 AND c.kind = 'truth_section' ORDER BY c.ordinal"""
    return [whole(*stored) for stored in rows(connection, sql, (model_id, page_id))]


@record
class SharedText:
    """What a shared index is given of a text: its hash, where it stands first, and its vector as float32."""

    digest: bytes
    title: str
    heading: str
    text: str
    vector: bytes


def shared_texts(
    connection: apsw.Connection, model_id: int, units: Units, hashes: Collection[bytes]
) -> list[SharedText]:
    """Those of these texts that a model has embedded."""
    found = rows(
        connection,
        f"""SELECT u.hash, p.title, u.heading, iif(u.kind = 'fields', p.fields,
                part(p.packed, u.start, u.start + u.length)), {_STORED}
            FROM (SELECT min(id) AS id FROM {units.table}
                  WHERE hash IN (SELECT unhex(value) FROM json_each(?)) GROUP BY hash) f
            CROSS JOIN {units.table} u ON u.id = f.id CROSS JOIN pages p ON p.id = u.page_id
            CROSS JOIN {units.vectors} e ON e.model_id = ? AND e.hash = u.hash""",
        (json.dumps([digest.hex() for digest in hashes]), model_id),
    )
    return [SharedText(*(*each[:4], whole(*each[4:]))) for each in found]


def count(connection: apsw.Connection, model_id: int, last: int, units: Units = PAGES) -> int:
    """How many vectors a model has up to an id."""
    indexed = f"{units.vectors} INDEXED BY {units.vectors}_of_model"
    sql = f"SELECT count(*) FROM {indexed} WHERE model_id = ? AND id <= ?"
    return int(row(connection, sql, (model_id, last))[0])


def collect(connection: apsw.Connection, *kinds: Units) -> int:
    """Remove the vectors of texts that stand nowhere any more, of pages by default; how many went."""
    gone = 0
    for units in kinds or (PAGES, ITEMS):
        known = f"SELECT hash FROM {units.table} WHERE hash IS NOT NULL"
        connection.execute(f"DELETE FROM {units.vectors} WHERE hash NOT IN ({known})")
        gone += connection.changes()
    if gone:
        connection.execute("UPDATE embedding_models SET removals = removals + 1")
    return gone
