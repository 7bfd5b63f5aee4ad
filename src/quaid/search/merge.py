"""One order out of several: how the arms of a search are brought together.

`balanced`  words and meaning as evidence on one scale: the share of the question's words that a page covers,
            by their weight, plus how far its nearest text stands out from all texts.
`set-union` the order by meaning, then what only words found.
`rrf`       reciprocal ranks, which look at no score.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Literal

from quaid.model.record import record

Strategy = Literal["balanced", "set-union", "rrf"]

STANDING_WEIGHT = 0.15  # of one standard deviation of the cosine, against all words matched


@record
class Merge:
    """How arms are brought together; `k` is the constant of `rrf`."""

    strategy: Strategy = "balanced"
    k: int = 60


@record
class Arms:
    """Scores by document, of each arm. `standing` is that of every document that is looked at.

    `others` are documents that no arm found, but a name or a day in the question.
    """

    wholes: Mapping[int, float]
    sections: Mapping[int, float]
    meaning: Mapping[int, float]
    standing: Mapping[int, float]
    others: Collection[int] = ()

    @property
    def words(self) -> dict[int, float]:
        """By words alone: a page as a whole and its best section count alike; a conversation has no whole."""
        if not self.wholes:
            return dict(self.sections)
        known = dict.fromkeys([*self.wholes, *self.sections])
        return {page: (self.wholes.get(page, 0.0) + self.sections.get(page, 0.0)) / 2 for page in known}


def merged(arms: Arms, how: Merge) -> dict[int, float]:
    """A score for every candidate; the highest is best."""
    strategies: dict[Strategy, Callable[[], dict[int, float]]] = {
        "balanced": lambda: _balanced(arms),
        "set-union": lambda: _set_union(arms),
        "rrf": lambda: reciprocal(how.k, arms.meaning, arms.wholes or arms.sections),
    }
    return strategies[how.strategy]()


def ranks(scores: Mapping[int, float]) -> dict[int, int]:
    """The place of each page, from 1."""
    order = sorted(scores, key=lambda page: (-scores[page], page))
    return {page: place for place, page in enumerate(order, start=1)}


def _balanced(arms: Arms) -> dict[int, float]:
    words = arms.words
    return {
        page: words.get(page, 0.0) + STANDING_WEIGHT * arms.standing.get(page, 0.0)
        for page in {*words, *arms.meaning, *arms.others}
    }


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
