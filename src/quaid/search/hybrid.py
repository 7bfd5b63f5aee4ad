"""Finding pages and conversations by name, by words and by meaning at once."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

import apsw

from quaid.model.reading import Reading
from quaid.model.record import record
from quaid.search import evidence
from quaid.search.coverage import expected_standing
from quaid.search.evidence import FEW, Meaning, MeaningArm, WordsArm
from quaid.search.merge import MEANING_SHARPNESS, Arms, Merge, ranks, scores_of
from quaid.search.question import Question, read_question
from quaid.search.series import lent_shares, series_of
from quaid.search.speakers import is_said_by
from quaid.search.voice import REACH, Voice, shares_with_reader
from quaid.search.voice import evidence as nats
from quaid.store import candidates, passages, terms, units
from quaid.store.filters import PageFilter
from quaid.store.scope import ITEMS, Scope

EXACT = 10.0  # above everything that evidence can add up to
NAMED_LIFT = 2.5  # nats: a page whose name stands in the question
DATED_LIFT = 2.0  # a page with an entry of the days that the question speaks of
WING_LIFT = 0.5  # a page of a wing or type that the question speaks of
SAID_LIFT = 1.0  # a page that somebody says whom the question names
LINKED_LIFT = 0.5  # a page that is linked with one whose name stands in the question
STANDING_OF_UNIT = 0.15  # of one standard deviation of a unit's cosine, against all words of the question
DATED_UNIT = 0.2
MOST_NAMED = 20
MOST_HEARD = 50  # pages of which it is looked at who says them
MOST_NEIGHBOURS = 500
LEAST_BELIEF = 1e-30  # of a document that may be read at all


@record
class Hit:
    """A document that was found, its best unit (0 if it has none), and why."""

    document: int
    unit: int
    score: float
    why: tuple[str, ...]
    arms: dict[str, tuple[int, float]]  # rank and score in each arm that found it
    words: float = (
        0.0  # the share of the question's words that it has, by their weight, unknown ones included
    )
    known: float = 0.0  # the share of them that stand anywhere
    lead: float = 0.0  # its share of all belief; among few texts, less
    nearness: float | None = None  # the cosine of its nearest text, on the scale of the default model
    coverage: float = 1.0  # the share of all texts among which it was the nearest
    certainty: float = 1.0  # how much a lead means: less among few texts
    read: Mapping[int, Reading] | None = None  # what was made of each line that was read; 0 is the unit


class _Readable(NamedTuple):
    """A unit of a document, or a line of it, that the reranker might read, and how much speaks for that."""

    weight: float
    document: int
    unit: int
    line: int = 0


def find(
    connection: apsw.Connection,
    text: str,
    scope: Scope,
    limit: int,
    meaning: Meaning | None = None,
    how: Merge | None = None,
    *,
    voice: Voice | None = None,
    words: Callable[[], WordsArm] | None = None,
) -> list[Hit]:
    """The best documents of a scope for a question. `meaning` must be of the scope's texts.

    `voice` is heard about the best of them, where words and meaning leave their order in doubt. `words` says
    what the arm of words found, where that was begun before.
    """
    search = _Search(connection, read_question(text), scope, meaning, words)
    return search.hits(limit, how or Merge(), voice)


class _Search:
    """One search: its arms, and what they say of each page."""

    def __init__(
        self,
        connection: apsw.Connection,
        question: Question,
        scope: Scope,
        meaning: Meaning | None,
        words: Callable[[], WordsArm] | None,
    ) -> None:
        self._connection = connection
        self._question = question
        self._scope = scope
        self._meaning = meaning
        self._exact, self._named = self._by_name()
        self._near = self._by_meaning()
        self._near_documents = self._near.documents if self._near else {}
        self._lines = evidence.by_lines(connection, meaning, scope) if self._near and meaning else {}
        engine = meaning.words if meaning else evidence.OWN_WORDS
        self._words: WordsArm = (
            evidence.still_there(connection, words(), scope)
            if words
            else evidence.by_words(connection, question, scope, engine)
        )
        self._found = {
            *self._words.documents,
            *self._words.best_units,
            *self._near_documents,
            *self._lines,
        }
        self._dated = self._by_days()
        self._best = dict(self._words.best_units)
        self._standing: dict[int, float] = {}
        self._nearness: dict[int, float] = {}
        self._weigh_units()
        self._linked = self._by_links()

    def hits(self, limit: int, how: Merge, voice: Voice | None) -> list[Hit]:
        """The best documents, exact matches of the whole question first."""
        arms = self._arms()
        # `balanced` minds by itself how much is embedded.
        scores = scores_of(arms if how.strategy == "balanced" else self._credible(arms), how)
        read: dict[int, dict[int, Reading]] = {}
        certainty = min(1.0, terms.word_counts(self._connection, self._scope.units.index)[0] / FEW)
        if how.strategy == "balanced":
            scores = self._with_neighbours(_lifted_shares(scores, self._lifts()))
            scores = _lifted_shares(scores, self._speaker_lifts(scores))
            if voice and not self._exact:
                read = self._read(voice, scores, certainty)
                scores = shares_with_reader(scores, _nats(read))
        for place, document in enumerate(self._exact, start=1):
            scores[document] = EXACT + 1.0 / place
        order = sorted(self._telling(scores), key=lambda document: (-scores[document], document))[:limit]
        words = arms.words
        by_arm = {"words": arms.wholes, "sections": arms.sections, "meaning": arms.meaning}
        placed = {name: ranks(arm) for name, arm in by_arm.items()}
        return [
            Hit(
                document=document,
                unit=self._shown(document),
                score=scores[document],
                why=self._why(document),
                arms={
                    name: (place[document], by_arm[name][document])
                    for name, place in placed.items()
                    if document in place
                },
                words=self._words.known * words.get(document, 0.0),
                known=self._words.known,
                lead=certainty * min(1.0, scores[document]),
                nearness=self._nearness.get(document),
                coverage=arms.coverage,
                read=read.get(document),
                certainty=certainty,
            )
            for document in order
        ]

    def _read(
        self, voice: Voice, scores: Mapping[int, float], certainty: float
    ) -> dict[int, dict[int, Reading]]:
        """What the reranker makes of the best documents: of their units (0), or of single lines.

        It reads what most speaks for: of a document in which several lines are near, some of them.
        """
        order = sorted(self._telling(scores), key=lambda document: (-scores[document], document))
        documents, most = voice.most(scores, certainty)
        best = [each for each in order[:documents] if scores[each] >= scores[order[0]] * math.exp(-REACH)]
        found = [each for document in best for each in self._readable(document, scores[document])]
        chosen = sorted(found, key=lambda each: -each.weight)[:most]
        units = [each.unit for each in chosen if not each.line]
        lines = [each.line for each in chosen if each.line]
        whole = passages.excerpts(self._connection, self._scope.units, units)
        single = passages.excerpts(self._connection, ITEMS, lines) if lines else {}
        shown = {
            (each.document, each.line): text
            for each in chosen
            if (text := single.get(each.line) if each.line else whole.get(each.unit))
        }
        read: dict[int, dict[int, Reading]] = {}
        for (document, line), reading in voice.readings(self._connection, self._question, shown).items():
            read.setdefault(document, {})[line] = reading
        return read

    def _with_neighbours(self, scores: Mapping[int, float]) -> dict[int, float]:
        """Shares of belief, of which pages of a series have lent some to those beside them."""
        if not isinstance(self._scope.chosen, PageFilter):
            return dict(scores)
        return lent_shares(scores, series_of(self._connection, scores))

    def _speaker_lifts(self, scores: Mapping[int, float]) -> dict[int, float]:
        """What speaks for pages, of the likeliest, that somebody says whom the question names."""
        if not self._question.persons or not isinstance(self._scope.chosen, PageFilter):
            return {}
        likeliest = sorted(scores, key=lambda page: (-scores[page], page))[:MOST_HEARD]
        shown = {page: self._shown(page) for page in likeliest}
        texts = passages.excerpts(self._connection, self._scope.units, set(shown.values()))
        return {
            page: SAID_LIFT
            for page, unit in shown.items()
            if unit in texts and is_said_by(texts[unit].text, self._question.persons)
        }

    def _readable(self, document: int, score: float) -> list[_Readable]:
        """What might be read of a document: its unit, and lines that are about as near."""
        weight = math.log(max(score, LEAST_BELIEF))
        whole = _Readable(weight, document, self._shown(document))
        lines = self._lines.get(document, [])
        if not lines:
            return [whole]
        best = self._standing[document]
        near = [
            _Readable(weight + MEANING_SHARPNESS * (each.standing - best), document, each.unit, each.line)
            for each in lines
        ]
        return near if lines[0].standing >= best else [whole, *near]

    def _shown(self, document: int) -> int:
        """The unit that is shown of a document: of one that is asked for by name, the first."""
        asked = document in self._exact
        first = units.first(self._connection, self._scope.units, document) if asked else 0
        return first or self._best.get(document, (0.0, 0))[1]

    def _telling(self, scores: Mapping[int, float]) -> list[int]:
        """Pages that more speaks for than being no further away than most others."""
        if not self._near or self._near.near.size < FEW:
            return list(scores)
        return [
            page for page in scores if self._standing.get(page, 1.0) > 0 or self._why(page) != ("meaning",)
        ]

    def _by_name(self) -> tuple[list[int], set[int]]:
        """Pages whose name is the question, and those whose name stands in it. A conversation has none."""
        if not isinstance(self._scope.chosen, PageFilter):
            return [], set()
        names = {self._question.whole, *self._question.names}
        found = candidates.pages_by_names(
            self._connection, names, self._question.whole, self._scope.chosen, MOST_NAMED
        )
        exact = [page for page, name in found if name == self._question.whole]
        return list(dict.fromkeys(exact)), {page for page, _ in found}

    def _by_meaning(self) -> MeaningArm | None:
        """The arm of meaning; none where so few texts are embedded that something always stands out."""
        if self._meaning is None:
            return None
        near = evidence.by_meaning(self._connection, self._meaning, self._scope)
        return None if near.coverage < 1.0 and near.near.size < FEW else near

    def _by_days(self) -> dict[int, int]:
        """Units of the days that the question speaks of."""
        days = self._question.days
        return units.of_days(self._connection, days, self._scope, evidence.MOST_DATED) if days else {}

    def _weigh_units(self) -> None:
        """Find the best unit of every document that is looked at, by words, meaning and day together."""
        if not self._near or not self._near.near.size:
            for unit, document in self._dated.items():
                self._best.setdefault(document, (0.0, unit))
            return
        looked_at = {*self._found, *self._named, *self._dated.values()}
        near, words = self._near.near, self._words.units
        best_cosine: dict[int, float] = {}
        best: dict[int, tuple[float, int]] = {}
        for document, unit, cosine in near.of_documents(looked_at):  # thousands: no call that can be spared
            standing = near.standing(cosine)
            if cosine > best_cosine.get(document, -2.0):
                best_cosine[document], self._standing[document] = cosine, standing
            weight = words.get(unit, 0.0) + STANDING_OF_UNIT * standing
            if unit in self._dated:
                weight += DATED_UNIT
            if document not in best or (weight, unit) > best[document]:
                best[document] = (weight, unit)
        for document, (nearest, *_) in self._lines.items():
            weight = self._words.units.get(nearest.unit, 0.0) + STANDING_OF_UNIT * nearest.standing
            best[document] = max(best.get(document, (-9.0, 0)), (weight, nearest.unit))
            self._standing[document] = max(self._standing.get(document, -9.0), nearest.standing)
        self._best |= best
        self._nearness = {each: self._near.nearness(cosine) for each, cosine in best_cosine.items()}

    def _arms(self) -> Arms:
        sections = {document: score for document, (score, _) in self._words.best_units.items()}
        others = {*self._named, *self._dated.values()}
        wholes = self._words.documents
        coverage = self._near.coverage if self._near else 0.0
        return Arms(
            wholes=wholes,
            sections=sections,
            meaning=self._near_documents,
            standing=self._standing,
            others=others - self._found,
            coverage=coverage,
            known=self._words.known,
        )

    def _credible(self, arms: Arms) -> Arms:
        """The arms as they count: what meaning says, as far as it can be believed."""
        if self._near is None or self._near.coverage == 1.0:
            return arms
        shares = self._shares({*self._standing, *arms.words, *arms.others})
        words = dict.fromkeys(arms.others, 0.0) | arms.words
        standing = expected_standing(self._standing, words, shares, self._near.coverage)
        nearest = sorted(standing, key=lambda document: (-standing[document], document))[: evidence.POOL]
        meaning = {document: standing[document] for document in nearest}
        return Arms(arms.wholes, arms.sections, meaning, standing, arms.others)

    def _shares(self, documents: Collection[int]) -> dict[int, float]:
        """Which share of the units of each of these documents is embedded."""
        found = self._near.near.of_documents(documents) if self._near else []
        embedded = Counter(document for document, *_ in found)
        held = units.counts(self._connection, self._scope.units, documents)
        return {document: embedded[document] / count for document, count in held.items()}

    def _lifts(self) -> dict[int, float]:
        """What speaks for a page besides its text."""
        words = self._question.whole.split()
        lifts: dict[int, float] = {}
        for pages, lift in (
            (self._named, NAMED_LIFT),
            (set(self._dated.values()), DATED_LIFT),
            (self._linked, LINKED_LIFT),
            (self._of_wings(words), WING_LIFT),
        ):
            for page in pages:
                lifts[page] = lifts.get(page, 0.0) + lift
        return lifts

    def _of_wings(self, words: list[str]) -> set[int]:
        """Pages of a wing or type that the question speaks of."""
        if not isinstance(self._scope.chosen, PageFilter):
            return set()
        return candidates.pages_of_wings(self._connection, self._found, words)

    def _by_links(self) -> set[int]:
        """Pages among those found that are linked with one that the question names."""
        if not self._named:
            return set()
        around = candidates.neighbours(self._connection, self._named, MOST_NEIGHBOURS)
        return around & self._found - self._named

    def _why(self, document: int) -> tuple[str, ...]:
        reasons = {
            "exact": document in self._named,
            "words": document in self._words.documents or document in self._words.best_units,
            "meaning": document in self._near_documents,
            "date": document in self._dated.values(),
            "graph": document in self._linked,
        }
        return tuple(reason for reason, holds in reasons.items() if holds)


def _nats(read: Mapping[int, Mapping[int, Reading]]) -> dict[int, float]:
    """What speaks for each document that was read: the less, the less of their best passages was read."""
    best = {document: max(found.values(), key=nats) for document, found in read.items()}
    part = sum(each.share for each in best.values()) / max(1, len(best))
    return {document: part * nats(each) for document, each in best.items()}


def _lifted_shares(scores: Mapping[int, float], lifts: Mapping[int, float]) -> dict[int, float]:
    """Shares of belief after what else speaks for some documents; all are one together again."""
    odds = {document: score * math.exp(lifts.get(document, 0.0)) for document, score in scores.items()}
    whole = sum(odds.values())
    return {document: value / whole for document, value in odds.items()} if whole else odds
