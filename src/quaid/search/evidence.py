"""What speaks for a document, a page or a conversation: the arms of a search, each on its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import apsw

from quaid.index.matrix import Scores, VectorMatrix
from quaid.model.record import record
from quaid.search.question import Question
from quaid.store import candidates, embeddings, passages, terms, units
from quaid.store import scope as scopes
from quaid.store.filters import PageFilter
from quaid.store.scope import ITEMS, Scope

if TYPE_CHECKING:
    from quaid.index.matrix import Vector

POOL = 200  # candidates of each arm
MOST_DATED = 500
FEW = 20  # texts, among which standing out means nothing
MEASURED = "snowflake-arctic-embed-s"  # the model on whose cosines confidence was measured
TYPICAL = 0.5  # its cosine of a question with any text


@record
class Meaning:
    """A question's vector, and the vectors that it is compared with: of texts, and of lines in them."""

    model_id: int
    matrix: VectorMatrix
    vector: Vector
    coverage: float = 1.0  # the share of all texts that have a vector
    lines: VectorMatrix | None = None


@record
class WordsArm:
    """Scores by words, as a share of what the question's words could give at most."""

    documents: dict[int, float]  # as wholes
    units: dict[int, float]
    best_units: dict[int, tuple[float, int]]  # of each document, with its score
    known: float = 1.0  # the share of the question's words that stand anywhere, by their weight


@record
class MeaningArm:
    """The nearest documents, with their cosines, and how cosines are spread over all texts."""

    documents: dict[int, float]
    scores: Scores
    mean: float
    deviation: float
    coverage: float = 1.0  # the share of the scope's texts that have a vector
    measured: bool = True  # whether its cosines are those of the model that was measured

    def nearness(self, cosine: float) -> float:
        """A cosine as the measured model would have it: other models have other ones."""
        if self.measured:
            return cosine
        middle = min(0.99, self.mean)
        return TYPICAL + (cosine - middle) * (1 - TYPICAL) / (1 - middle)

    def standing(self, cosine: float) -> float:
        """How far a cosine stands out from those of all texts, in standard deviations."""
        return (cosine - self.mean) / self.deviation if self.deviation else 0.0


@record
class NearLine:
    """A single line that is near a question, the unit in which it stands, and how far it stands out."""

    line: int
    document: int
    unit: int
    standing: float


def by_words(connection: apsw.Connection, question: Question, scope: Scope) -> WordsArm:
    """Documents and units that contain words of the question."""
    query = terms.any_of(connection, scope.units.index, question.words)
    found = units.by_words(connection, query, scope, 2 * POOL) if query else []
    shares = {unit: score / query.ceiling for unit, _, score in found if query}
    best: dict[int, tuple[float, int]] = {}
    for unit, document, _ in found:
        best[document] = max(best.get(document, (0.0, 0)), (shares[unit], unit))
    known = _known(connection, question, scope)
    return WordsArm(_wholes(connection, question, scope), shares, best, known)


def _known(connection: apsw.Connection, question: Question, scope: Scope) -> float:
    """The share of a question's words that stand anywhere. One that does not is the rarest of all."""
    total = terms.size(connection, scope.units.index)
    counts = terms.frequencies(connection, scope.units.index, question.words).values()
    weights = [(count, terms.weight(count, total)) for count in counts]
    whole = sum(weight for _, weight in weights)
    return sum(weight for count, weight in weights if count) / whole if whole else 0.0


def _wholes(connection: apsw.Connection, question: Question, scope: Scope) -> dict[int, float]:
    """Scores of documents as wholes: a page is about something, and a conversation about many things."""
    if not isinstance(scope.chosen, PageFilter):
        return {}
    query = terms.any_of(connection, "page", question.words)
    found = candidates.pages_by_words(connection, query, scope.chosen, POOL) if query else []
    return {page: score / query.ceiling for page, score in found if query}


def by_meaning(connection: apsw.Connection, meaning: Meaning, scope: Scope) -> MeaningArm:
    """Documents whose texts are nearest to the question."""
    scores = meaning.matrix.scores(connection, meaning.vector)
    if not len(scores.ids):
        return MeaningArm({}, scores, 0.0, 0.0, 0.0)
    documents: dict[int, float] = {}
    owners: Owners = lambda hashes: units.documents_of_texts(connection, hashes, scope)  # noqa: E731
    for cosine, owned in Nearest(connection, meaning, scope, scores).texts(owners, POOL):
        for document in owned:
            documents.setdefault(document, cosine)
    nearest = dict(sorted(documents.items(), key=lambda item: (-item[1], item[0]))[:POOL])
    model = embeddings.active(connection)
    return MeaningArm(
        documents=nearest,
        scores=scores,
        mean=float(scores.cosines.mean()),
        deviation=float(scores.cosines.std()),
        coverage=_coverage(connection, meaning, scope),
        measured=model is None or model.name == MEASURED,
    )


def by_lines(connection: apsw.Connection, meaning: Meaning, scope: Scope) -> dict[int, list[NearLine]]:
    """The lines that are nearest to the question, of each page from the nearest on; conversations have none.

    None, too, before all lines are embedded, or where they are so few that something always stands out.
    """
    if meaning.lines is None or meaning.coverage < 1.0 or not isinstance(scope.chosen, PageFilter):
        return {}
    if embeddings.is_behind(connection, meaning.model_id, ITEMS):
        return {}
    scores = meaning.lines.scores(connection, meaning.vector)
    if len(scores.ids) < FEW:
        return {}
    cosines = nearest_units(connection, meaning, scopes.items(scope.chosen), scores, POOL)
    mean, deviation = float(scores.cosines.mean()), float(scores.cosines.std()) or 1.0
    found: dict[int, list[NearLine]] = {}
    for line, page, chunk in passages.places_of(connection, cosines):
        near = NearLine(line, page, chunk, (cosines[line] - mean) / deviation)
        found.setdefault(page, []).append(near)
    for lines in found.values():
        lines.sort(key=lambda each: (-each.standing, each.line))
    return found


def _coverage(connection: apsw.Connection, meaning: Meaning, scope: Scope) -> float:
    if meaning.coverage == 1.0 or not scope.chosen.any:
        return meaning.coverage
    return embeddings.coverage(connection, meaning.model_id, scope)


def nearest_units(
    connection: apsw.Connection, meaning: Meaning, scope: Scope, scores: Scores, count: int
) -> dict[int, float]:
    """The units of a scope that are nearest to the question, with their cosines, best first."""
    owners: Owners = lambda hashes: units.units_of_texts(connection, hashes, scope)  # noqa: E731
    nearest = Nearest(connection, meaning, scope, scores).texts(owners, count)
    found = {unit: cosine for cosine, owned in nearest for unit in owned}
    return dict(islice(found.items(), count))


Owners = Callable[[Sequence[bytes]], Mapping[bytes, Sequence[int]]]


@record
class Nearest:
    """The texts that are nearest to a question, of those that a scope holds."""

    connection: apsw.Connection
    meaning: Meaning
    scope: Scope
    scores: Scores

    def texts(self, owners: Owners, count: int) -> list[tuple[float, Sequence[int]]]:
        """Texts from the nearest on: their cosines, and whose they are.

        A filter that few texts pass is looked up first; one that many pass is applied to what was found.
        """
        most = 2 * count
        found = self._owned(owners, self.scores.best(most))
        if sum(1 for _, owned in found if owned) < count // 4 and len(self.scores.ids) > most:
            vectors = units.vectors_of_scope(self.connection, self.meaning.model_id, self.scope)
            allowed = self.scores.places_of(vectors)
            found = self._owned(owners, self.scores.best(most, allowed[allowed >= 0]))
        return found

    def _owned(self, owners: Owners, best: Sequence[tuple[int, float]]) -> list[tuple[float, Sequence[int]]]:
        hashes = self.scores.hashes_at([place for place, _ in best])
        owned = owners(hashes)
        return [(cosine, owned.get(digest, ())) for (_, cosine), digest in zip(best, hashes, strict=True)]
