"""One order out of several: how the arms of a search are brought together.

`balanced`  Each arm spreads one belief over what it found: by words, by meaning, and by both at once. The
            three are added. An arm whose head stands out gives it nearly all; an arm that finds many alike,
            as meaning does among very many texts, gives each little. So no weight depends on the size of a
            memory.
`set-union` the order by meaning, then what only words found.
`rrf`       reciprocal ranks, which look at no score.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from typing import Literal

from quaid.model.record import record

Strategy = Literal["balanced", "set-union", "rrf"]

WORDS_SHARPNESS = 7.0  # nats between the document that has most of the words and one that has none
MEANING_SHARPNESS = 2.0  # nats for each standard deviation of the cosine
SHARED = 0.6  # of both together: words and meaning say partly the same, which must not count twice


@record
class Merge:
    """How arms are brought together; `k` is the constant of `rrf`."""

    strategy: Strategy = "balanced"
    k: int = 60


@record
class Arms:
    """Scores by document, of each arm. `standing` is that of every document that is looked at and embedded.

    `coverage` is the share of all texts that are embedded. `others` are documents that no arm found, but a
    name or a day in the question. `known` is the share of the question's words that stand anywhere.
    """

    wholes: Mapping[int, float]
    sections: Mapping[int, float]
    meaning: Mapping[int, float]
    standing: Mapping[int, float]
    others: Collection[int] = ()
    coverage: float = 1.0
    known: float = 1.0

    @property
    def words(self) -> dict[int, float]:
        """By words alone: a page as a whole and its best section count alike; a conversation has no whole."""
        if not self.wholes:
            return dict(self.sections)
        known = dict.fromkeys([*self.wholes, *self.sections])
        return {page: (self.wholes.get(page, 0.0) + self.sections.get(page, 0.0)) / 2 for page in known}


def scores_of(arms: Arms, how: Merge) -> dict[int, float]:
    """A score for every candidate; the highest is best."""
    strategies: dict[Strategy, Callable[[], dict[int, float]]] = {
        "balanced": lambda: _balanced_scores(arms),
        "set-union": lambda: _set_union(arms),
        "rrf": lambda: reciprocal(how.k, arms.meaning, arms.wholes or arms.sections),
    }
    return strategies[how.strategy]()


def ranks(scores: Mapping[int, float]) -> dict[int, int]:
    """The place of each page, from 1."""
    order = sorted(scores, key=lambda page: (-scores[page], page))
    return {page: place for place, page in enumerate(order, start=1)}


def _balanced_scores(arms: Arms) -> dict[int, float]:
    """The share of belief in each document; all shares are one together.

    Where only some texts are embedded, meaning shares out anew what words believe of the documents that it
    has seen, as far as it has seen them, and takes nothing from the others.
    """
    words, standing = arms.words, arms.standing
    documents = sorted({*words, *arms.meaning, *arms.others})
    most = max(words.values(), default=0.0)
    # Where half of the question stands nowhere, what has the other half is no more than half an answer.
    sharpness = WORDS_SHARPNESS * arms.known / most if most else 0.0
    by_words = {each: sharpness * words.get(each, 0.0) for each in documents}
    whole = _belief(by_words)
    if not standing:
        return whole
    # Where all is embedded, a document without a vector has no text: it stands out from nothing.
    by_meaning = {
        each: MEANING_SHARPNESS * standing.get(each, 0.0)
        for each in documents
        if each in standing or arms.coverage >= 1
    }
    seen = _belief({each: by_words[each] for each in by_meaning})
    both = _belief({each: SHARED * (by_words[each] + nats) for each, nats in by_meaning.items()})
    beliefs = [_belief(by_meaning), both, *([seen] if most else [])]
    mass = sum(whole[each] for each in by_meaning)
    for each, alone in seen.items():
        together = sum(belief[each] for belief in beliefs) / len(beliefs)
        whole[each] = mass * (arms.coverage * together + (1 - arms.coverage) * alone)
    return whole


def _belief(nats: Mapping[int, float]) -> dict[int, float]:
    """Belief in each document, one in all, from the evidence for each."""
    most = max(nats.values(), default=0.0)
    odds = {each: math.exp(value - most) for each, value in nats.items()}
    whole = sum(odds.values())
    return {each: value / whole for each, value in odds.items()}


def _set_union(arms: Arms) -> dict[int, float]:
    meaning = ranks(arms.meaning)
    only_words = {
        page: score for page, score in (arms.wholes or arms.sections).items() if page not in meaning
    }
    order = [*meaning, *ranks(only_words)]
    return {page: 1.0 / place for place, page in enumerate(order, start=1)}


def reciprocal(k: int, *arms: Mapping[int, float]) -> dict[int, float]:
    """The sum of reciprocal ranks over the arms."""
    scores: dict[int, float] = {}
    for arm in arms:
        for each, place in ranks(arm).items():
            scores[each] = scores.get(each, 0.0) + 1.0 / (k + place)
    return scores
