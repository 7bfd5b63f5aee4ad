"""Finding pages by name, by words and by meaning at once."""

from __future__ import annotations

import apsw

from quaid.model.record import record
from quaid.search import evidence
from quaid.search.evidence import Meaning, MeaningArm, WordsArm
from quaid.search.merge import STANDING_WEIGHT, Arms, Strategy, merged, ranks
from quaid.search.question import Question, read_question
from quaid.store import candidates
from quaid.store.filters import PageFilter

EXACT = 10.0  # above everything that evidence can add up to
NAMED_LIFT = 0.25  # a page whose name stands in the question
DATED_LIFT = 0.2  # a page with an entry of the days that the question speaks of
WING_LIFT = 0.05  # a page of a wing or type that the question speaks of
LINKED_LIFT = 0.05  # a page that is linked with one whose name stands in the question
MOST_NAMED = 20
FEW = 20  # texts, among which standing out means nothing
MOST_NEIGHBOURS = 500


@record
class Hit:
    """A page that was found, its best chunk (0 if it has none), and why."""

    page_id: int
    chunk_id: int
    score: float
    why: tuple[str, ...]
    arms: dict[str, tuple[int, float]]  # rank and score in each arm that found it


def find(
    connection: apsw.Connection,
    text: str,
    chosen: PageFilter,
    limit: int,
    meaning: Meaning | None = None,
    strategy: Strategy = "balanced",
    rrf_k: int = 60,
) -> list[Hit]:
    """The best pages for a question."""
    return _Search(connection, read_question(text), chosen, meaning).hits(limit, strategy, rrf_k)


class _Search:
    """One search: its arms, and what they say of each page."""

    def __init__(
        self, connection: apsw.Connection, question: Question, chosen: PageFilter, meaning: Meaning | None
    ) -> None:
        self._connection = connection
        self._question = question
        self._chosen = chosen
        self._meaning = meaning
        self._exact, self._named = self._by_name()
        self._words: WordsArm = evidence.by_words(connection, question, chosen)
        self._near: MeaningArm | None = evidence.by_meaning(connection, meaning, chosen) if meaning else None
        self._near_pages = self._near.pages if self._near else {}
        self._found = {*self._words.pages, *self._words.best_chunks, *self._near_pages}
        self._dated = self._by_days()
        self._best = dict(self._words.best_chunks)
        self._standing: dict[int, float] = {}
        self._weigh_chunks()
        self._linked = self._by_links()

    def hits(self, limit: int, strategy: Strategy, rrf_k: int) -> list[Hit]:
        """The best pages, exact matches of the whole question first."""
        arms = self._arms()
        scores = merged(arms, strategy, rrf_k)
        if strategy == "balanced":
            for page, lift in self._lifts().items():
                scores[page] = scores.get(page, 0.0) + lift
        for place, page in enumerate(self._exact, start=1):
            scores[page] = EXACT + 1.0 / place
        order = sorted(self._telling(scores), key=lambda page: (-scores[page], page))[:limit]
        placed = {
            "words": ranks(arms.pages),
            "sections": ranks(arms.sections),
            "meaning": ranks(arms.meaning),
        }
        by_arm = {"words": arms.pages, "sections": arms.sections, "meaning": arms.meaning}
        return [
            Hit(
                page_id=page,
                chunk_id=self._shown(page),
                score=scores[page],
                why=self._why(page),
                arms={
                    name: (place[page], by_arm[name][page]) for name, place in placed.items() if page in place
                },
            )
            for page in order
        ]

    def _shown(self, page: int) -> int:
        """The chunk that is shown of a page: of one that is asked for by name, the first."""
        first = candidates.first_chunk(self._connection, page) if page in self._exact else 0
        return first or self._best.get(page, (0.0, 0))[1]

    def _telling(self, scores: dict[int, float]) -> list[int]:
        """Pages that more speaks for than being no further away than most others."""
        if not self._near or len(self._near.scores.ids) < FEW:
            return list(scores)
        return [
            page for page in scores if self._standing.get(page, 1.0) > 0 or self._why(page) != ("meaning",)
        ]

    def _by_name(self) -> tuple[list[int], set[int]]:
        """Pages whose name is the question, and those whose name stands in it."""
        names = {self._question.whole, *self._question.names}
        found = candidates.pages_by_names(
            self._connection, names, self._question.whole, self._chosen, MOST_NAMED
        )
        exact = [page for page, name in found if name == self._question.whole]
        return list(dict.fromkeys(exact)), {page for page, _ in found}

    def _by_days(self) -> dict[int, int]:
        """Chunks of the days that the question speaks of."""
        if not self._question.days:
            return {}
        return candidates.chunks_of_days(
            self._connection, *self._question.days, self._chosen, evidence.MOST_DATED
        )

    def _weigh_chunks(self) -> None:
        """Find the best chunk of every page that is looked at, by words, meaning and day together."""
        if not self._near or not self._meaning:
            for chunk, page in self._dated.items():
                self._best.setdefault(page, (0.0, chunk))
            return
        looked_at = {*self._found, *self._named, *self._dated.values()}
        vectors = candidates.vectors_of_pages(self._connection, self._meaning.model_id, looked_at)
        places = self._near.scores.places_of([embedding for _, _, embedding in vectors])
        cosines = self._near.scores.cosines[places].tolist()
        best_cosine: dict[int, float] = {}
        best: dict[int, tuple[float, int]] = {}
        for (page, chunk, _), place, cosine in zip(vectors, places.tolist(), cosines, strict=True):
            if place < 0:
                continue
            best_cosine[page] = max(best_cosine.get(page, -1.0), cosine)
            weight = self._words.chunks.get(chunk, 0.0) + STANDING_WEIGHT * self._near.standing(cosine)
            weight += DATED_LIFT if chunk in self._dated else 0.0
            best[page] = max(best.get(page, (-9.0, 0)), (weight, chunk))
        self._best |= best
        self._standing = {page: self._near.standing(cosine) for page, cosine in best_cosine.items()}

    def _arms(self) -> Arms:
        sections = {page: score for page, (score, _) in self._words.best_chunks.items()}
        others = {*self._named, *self._dated.values()}
        return Arms(self._words.pages, sections, self._near_pages, self._standing, others - self._found)

    def _lifts(self) -> dict[int, float]:
        """What speaks for a page besides its text."""
        words = self._question.whole.split()
        lifts: dict[int, float] = {}
        for pages, lift in (
            (self._named, NAMED_LIFT),
            (set(self._dated.values()), DATED_LIFT),
            (self._linked, LINKED_LIFT),
            (candidates.pages_of_wings(self._connection, self._found, words), WING_LIFT),
        ):
            for page in pages:
                lifts[page] = lifts.get(page, 0.0) + lift
        return lifts

    def _by_links(self) -> set[int]:
        """Pages among those found that are linked with one that the question names."""
        if not self._named:
            return set()
        around = candidates.neighbours(self._connection, self._named, MOST_NEIGHBOURS)
        return around & self._found - self._named

    def _why(self, page: int) -> tuple[str, ...]:
        reasons = {
            "exact": page in self._named,
            "words": page in self._words.pages or page in self._words.best_chunks,
            "meaning": page in self._near_pages,
            "date": page in self._dated.values(),
            "graph": page in self._linked,
        }
        return tuple(reason for reason, holds in reasons.items() if holds)
