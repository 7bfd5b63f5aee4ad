"""What speaks for a page: the arms of a search, each on its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import apsw

from quaid.index.matrix import Scores, VectorMatrix
from quaid.model.record import record
from quaid.search.question import Question
from quaid.store import candidates, terms
from quaid.store.filters import PageFilter

if TYPE_CHECKING:
    from quaid.index.matrix import Vector

POOL = 200  # candidates of each arm
NEAREST = 2 * POOL  # texts, of which several may stand in one page
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
    best_chunks: dict[int, tuple[float, int]]  # of each page, with its score


@record
class MeaningArm:
    """The nearest pages, with their cosines, and how cosines are spread over all texts."""

    pages: dict[int, float]
    scores: Scores
    mean: float
    deviation: float

    def standing(self, cosine: float) -> float:
        """How far a cosine stands out from those of all texts, in standard deviations."""
        return (cosine - self.mean) / self.deviation if self.deviation else 0.0


def by_words(connection: apsw.Connection, question: Question, chosen: PageFilter) -> WordsArm:
    """Pages and chunks that contain words of the question."""
    page_query = terms.any_of(connection, "page", question.words)
    chunk_query = terms.any_of(connection, "chunk", question.words)
    pages = candidates.pages_by_words(connection, page_query, chosen, POOL) if page_query else []
    chunks = candidates.chunks_by_words(connection, chunk_query, chosen, 2 * POOL) if chunk_query else []
    shares = {chunk: score / chunk_query.ceiling for chunk, _, score in chunks if chunk_query}
    best: dict[int, tuple[float, int]] = {}
    for chunk, page, _ in chunks:
        best[page] = max(best.get(page, (0.0, 0)), (shares[chunk], chunk))
    return WordsArm({page: score / page_query.ceiling for page, score in pages if page_query}, shares, best)


def by_meaning(connection: apsw.Connection, meaning: Meaning, chosen: PageFilter) -> MeaningArm:
    """Pages whose texts are nearest to the question."""
    scores = meaning.matrix.scores(connection, meaning.vector)
    if not len(scores.ids):
        return MeaningArm({}, scores, 0.0, 0.0)
    pages: dict[int, float] = {}
    for cosine, owners in _nearest(connection, meaning, chosen, scores):
        for page in owners:
            pages.setdefault(page, cosine)
    nearest = dict(sorted(pages.items(), key=lambda item: (-item[1], item[0]))[:POOL])
    return MeaningArm(nearest, scores, float(scores.cosines.mean()), float(scores.cosines.std()))


def _nearest(
    connection: apsw.Connection, meaning: Meaning, chosen: PageFilter, scores: Scores
) -> list[tuple[float, list[int]]]:
    """Texts from the nearest on: their cosines, and the chosen pages in which they stand.

    A filter that few texts pass is looked up first; one that many pass is applied to what was found.
    """
    found = _owned(connection, chosen, scores, scores.best(NEAREST))
    if sum(1 for _, owners in found if owners) < POOL // 4 and len(scores.ids) > NEAREST:
        allowed = scores.places_of(candidates.vectors_of_filter(connection, meaning.model_id, chosen))
        found = _owned(connection, chosen, scores, scores.best(NEAREST, allowed[allowed >= 0]))
    return found


def _owned(
    connection: apsw.Connection, chosen: PageFilter, scores: Scores, best: Sequence[tuple[int, float]]
) -> list[tuple[float, list[int]]]:
    hashes = scores.hashes_at([place for place, _ in best])
    owners = candidates.pages_of_texts(connection, hashes, chosen)
    return [(cosine, owners.get(digest, [])) for (_, cosine), digest in zip(best, hashes, strict=True)]
