"""The arm of meaning over the vectors of the memory itself."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw

from quaid.index.arms import Near
from quaid.index.coarse import CoarseScan
from quaid.index.matrix import Rows, Scores, VectorMatrix, places_among
from quaid.store import embeddings, units
from quaid.store.embeddings import ModelRow
from quaid.store.scope import PAGES, Scope, Units

if TYPE_CHECKING:
    from quaid.index.arms import Vector

LARGE = 200_000  # vectors, from which on two stages are quicker than one


class OwnVectors:
    """The vectors of one model and one kind of text."""

    def __init__(self, database: Path, model: ModelRow, kind: Units = PAGES) -> None:
        self._matrix = VectorMatrix(database, model, kind)
        self._scan = CoarseScan(self._matrix.path)
        self._model = model.id
        self._kind = kind
        self._last: tuple[Vector, Rows, OwnNear] | None = None

    def near(self, connection: apsw.Connection, query: Vector) -> OwnNear:
        """How near the texts are to a question, as the memory has them now."""
        rows = self._matrix.rows(connection)
        last = self._last
        # One question is compared several times: by page, by passage, by line.
        if last is None or last[0] is not query or last[1] is not rows or not last[2].is_of(connection):
            in_full = self._matrix.in_full(connection)
            coarse = self._scan.scores(rows, query, in_full) if len(rows.ids) >= LARGE else None
            scores = coarse or Scores(rows, query, in_full)
            last = self._last = (query, rows, OwnNear(connection, self._model, self._kind, scores))
        return last[2]


class OwnNear(Near):
    """A question's cosines with all vectors of a model."""

    def __init__(self, connection: apsw.Connection, model_id: int, kind: Units, scores: Scores) -> None:
        super().__init__(connection)
        self._model = model_id
        self._kind = kind
        self._scores = scores

    def is_of(self, connection: apsw.Connection) -> bool:
        """Whether it asks through this connection."""
        return connection is self._connection

    @property
    def size(self) -> int:
        return len(self._scores.ids)

    @cached_property
    def mean(self) -> float:
        return self._scores.mean

    @cached_property
    def deviation(self) -> float:
        return self._scores.deviation

    def nearest(self, count: int, scope: Scope | None = None) -> Sequence[tuple[bytes, float]]:
        among = None
        if scope:
            held = units.vectors_of_scope(self._connection, self._model, scope)
            places = places_among(self._scores.ids, held)
            among = places[places >= 0]
        best = self._scores.best(count, among)
        hashes = self._scores.hashes_at([place for place, _ in best])
        return [(digest, cosine) for digest, (_, cosine) in zip(hashes, best, strict=True)]

    def of_documents(self, documents: Collection[int]) -> list[tuple[int, int, float]]:
        found = units.vectors_of_documents(self._connection, self._model, self._kind, documents)
        cosines = self._cosines({(document, unit): vector for document, unit, vector in found})
        return [(document, unit, cosine) for (document, unit), cosine in cosines.items()]

    def of_units(self, ids: Collection[int]) -> dict[int, float]:
        return self._cosines(units.vectors_of_units(self._connection, self._model, self._kind, ids))

    def of_texts(self, hashes: Collection[bytes]) -> dict[bytes, float]:
        return self._cosines(units.vectors_of_texts(self._connection, self._model, self._kind, hashes))

    def coverage(self, scope: Scope) -> float:
        return embeddings.coverage(self._connection, self._model, scope)

    def _cosines(self, vectors: Mapping[Any, int]) -> dict[Any, float]:
        """The cosine of each, by the id of its vector."""
        ids = sorted({*vectors.values()})
        places = places_among(self._scores.ids, ids)
        known = places >= 0
        cosines = self._scores.at(places[known]).tolist()
        found = dict(
            zip((each for each, there in zip(ids, known, strict=True) if there), cosines, strict=True)
        )
        return {each: found[vector] for each, vector in vectors.items() if vector in found}
