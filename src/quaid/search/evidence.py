"""What speaks for a page: the arms of a search, each on its own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import apsw

from quaid.index.matrix import VectorMatrix, best
from quaid.model.record import record
from quaid.search.question import Question
from quaid.store import candidates, terms
from quaid.store.filters import PageFilter

if TYPE_CHECKING:
    from quaid.index.matrix import Vector

POOL = 200  # candidates of each arm
MOST_DATED = 500


@record
class Meaning:
    """A question's vector, and the vectors that it is compared with."""

    model_id: int
    matrix: VectorMatrix
    vector: Vector


@record
class WordsArm:
    """Scores by words, as a share of what the question's words could give at most."""

    pages: dict[int, float]
    chunks: dict[int, float]
    owners: dict[int, int]  # the page of each chunk

    @property
    def best_chunks(self) -> dict[int, tuple[float, int]]:
        """The best chunk of each page, with its score."""
        found: dict[int, tuple[float, int]] = {}
        for chunk, score in self.chunks.items():
            page = self.owners[chunk]
            found[page] = max(found.get(page, (0.0, 0)), (score, chunk))
        return found


@record
class MeaningArm:
    """Cosines: of the best pages, and of every chunk of the pages that were looked at."""

    pages: dict[int, float]
    mean: float
    deviation: float
    ids: Any
    scores: Any

    def standing(self, cosine: float) -> float:
        """How far a cosine stands out from those of all texts, in standard deviations."""
        return (cosine - self.mean) / self.deviation if self.deviation else 0.0

    def cosine(self, embedding_id: int) -> float | None:
        """The cosine of one vector."""
        import numpy as np  # heavy, and only for meaning

        place = int(np.searchsorted(self.ids, embedding_id))
        return (
            float(self.scores[place]) if place < len(self.ids) and self.ids[place] == embedding_id else None
        )


def by_words(connection: apsw.Connection, question: Question, chosen: PageFilter) -> WordsArm:
    """Pages and chunks that contain words of the question."""
    page_query = terms.any_of(connection, "page", question.words)
    chunk_query = terms.any_of(connection, "chunk", question.words)
    pages = candidates.pages_by_words(connection, page_query, chosen, POOL) if page_query else []
    chunks = candidates.chunks_by_words(connection, chunk_query, chosen, 2 * POOL) if chunk_query else []
    return WordsArm(
        {page: score / page_query.ceiling for page, score in pages if page_query},
        {chunk: score / chunk_query.ceiling for chunk, _, score in chunks if chunk_query},
        {chunk: page for chunk, page, _ in chunks},
    )


def by_meaning(connection: apsw.Connection, meaning: Meaning, chosen: PageFilter) -> MeaningArm:
    """Pages whose texts are nearest to the question."""
    ids, scores = meaning.matrix.scores(connection, meaning.vector)
    if not len(scores):
        return MeaningArm({}, 0.0, 0.0, ids, scores)
    pages: dict[int, float] = {}
    for embedding, cosine, owners in _nearest(connection, meaning, chosen, ids, scores):
        for page in owners.get(embedding, ()):
            pages.setdefault(page, cosine)
    nearest = dict(sorted(pages.items(), key=lambda item: -item[1])[:POOL])
    return MeaningArm(nearest, float(scores.mean()), float(scores.std()), ids, scores)


def _nearest(
    connection: apsw.Connection, meaning: Meaning, chosen: PageFilter, ids: Any, scores: Any
) -> Iterable[tuple[int, float, dict[int, list[int]]]]:
    """Vectors from the nearest on, with the chosen pages that they stand for.

    A filter that few texts pass is looked up first; one that many pass is applied to what was found.
    """
    import numpy as np

    found = list(best(ids, scores, 3 * POOL))
    owners = candidates.pages_of_vectors(connection, [embedding for embedding, _ in found], chosen)
    if len(owners) < POOL // 4 and len(ids) > len(found):
        allowed = np.array(
            sorted(candidates.vectors_of_filter(connection, meaning.model_id, chosen)), np.int64
        )
        places = np.searchsorted(ids, allowed)
        places = places[(places < len(ids)) & (ids[np.minimum(places, len(ids) - 1)] == allowed)]
        found = list(best(ids[places], scores[places], 3 * POOL))
        owners = candidates.pages_of_vectors(connection, [embedding for embedding, _ in found], chosen)
    return [(embedding, cosine, owners) for embedding, cosine in found]
