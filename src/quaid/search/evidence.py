"""What speaks for a document, a page or a conversation: the arms of a search, each on its own."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import apsw

from quaid.index.arms import Near, Vectors, Words
from quaid.index.own_words import OwnWords
from quaid.model.record import record, replace
from quaid.search.question import Question
from quaid.search.scores import comparable
from quaid.store import candidates, passages, terms, units
from quaid.store import scope as scopes
from quaid.store.filters import PageFilter
from quaid.store.scope import Scope

if TYPE_CHECKING:
    from quaid.index.arms import Vector

POOL = 200  # candidates of each arm
MOST_DATED = 500
FEW = 20  # texts, among which standing out means nothing
CHANCE = 0.3  # standard deviations by which the best of e times as many lines stands out more
OWN_WORDS = OwnWords()


@record
class Meaning:
    """A question's vector, and what is asked about it: texts, single lines in them, and words."""

    texts: Vectors
    vector: Vector
    coverage: float = 1.0  # the share of all texts that have a vector
    lines: Vectors | None = None
    all_lines: bool = False  # whether every line has one
    words: Words = OWN_WORDS
    measured: bool = True  # whether its cosines are those of the model that was measured


@record
class WordsArm:
    """Scores by words, as a share of what the question's words could give at most."""

    documents: dict[int, float]  # as wholes
    units: dict[int, float]
    best_units: dict[int, tuple[float, int]]  # of each document, with its score
    known: float = 1.0  # the share of the question's words that stand anywhere, by their weight


@record
class MeaningArm:
    """The nearest documents, with their cosines, and how near everything else is."""

    documents: dict[int, float]
    near: Near
    coverage: float = 1.0  # the share of the scope's texts that have a vector
    measured: bool = True  # whether its cosines are those of the model that was measured

    def nearness(self, cosine: float) -> float:
        """A cosine as the measured model would have it."""
        return cosine if self.measured else comparable(cosine, self.near.mean)


@record
class NearLine:
    """A single line that is near a question, the unit in which it stands, and how far it stands out."""

    line: int
    document: int
    unit: int
    standing: float


def by_words(
    connection: apsw.Connection, question: Question, scope: Scope, words: Words = OWN_WORDS
) -> WordsArm:
    """Documents and units that contain words of the question."""
    found = words.units(connection, question.words, scope, 2 * POOL)
    best: dict[int, tuple[float, int]] = {}
    for unit, document, share in found:
        best[document] = max(best.get(document, (0.0, 0)), (share, unit))
    shares = {unit: share for unit, _, share in found}
    known = _known_share(connection, question, scope)
    return WordsArm(_wholes(connection, question, scope), shares, best, known)


def still_there(connection: apsw.Connection, arm: WordsArm, scope: Scope) -> WordsArm:
    """What words found through another connection, as far as this one sees it: somebody may have written."""
    there = units.documents_there(connection, scope, {*arm.documents, *arm.best_units})
    return replace(
        arm,
        documents={page: score for page, score in arm.documents.items() if page in there},
        best_units={page: best for page, best in arm.best_units.items() if page in there},
    )


def _known_share(connection: apsw.Connection, question: Question, scope: Scope) -> float:
    """The share of a question's words that stand anywhere. One that does not is the rarest of all."""
    weights = terms.weights(connection, scope.units.index, question.words).values()
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
    near = meaning.texts.near(connection, meaning.vector)
    if not near.size:
        return MeaningArm({}, near, 0.0)
    whole = meaning.coverage == 1.0 or not scope.chosen.any
    return MeaningArm(
        documents=near.nearest_documents(scope, POOL),
        near=near,
        coverage=meaning.coverage if whole else near.coverage(scope),
        measured=meaning.measured,
    )


def by_lines(connection: apsw.Connection, meaning: Meaning, scope: Scope) -> dict[int, list[NearLine]]:
    """The lines that are nearest to the question, of each page from the nearest on; conversations have none.

    None, too, before all lines are embedded, or where they are so few that something always stands out. Of
    very many lines of a page one stands out by chance, so that each counts for less.
    """
    whole = meaning.coverage == 1.0 and meaning.all_lines
    if meaning.lines is None or not whole or not isinstance(scope.chosen, PageFilter):
        return {}
    near = meaning.lines.near(connection, meaning.vector)
    if near.size < FEW:
        return {}
    cosines = near.nearest_units(scopes.items(scope.chosen), POOL)
    places = passages.places_of(connection, cosines)
    numbers = passages.numbers_of_lines(connection, {page for _, page, _ in places})
    found: dict[int, list[NearLine]] = {}
    for line, page, chunk in places:
        standing = near.standing(cosines[line]) - CHANCE * math.log(numbers.get(page, 1))
        found.setdefault(page, []).append(NearLine(line, page, chunk, standing))
    for lines in found.values():
        lines.sort(key=lambda each: (-each.standing, each.line))
    return found
