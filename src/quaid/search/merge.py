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
class Arms:
    """Scores by page, of each arm. `standing` is that of every page that is looked at.

    `others` are pages that no arm found, but a name or a day in the question.
    """

    pages: Mapping[int, float]
    sections: Mapping[int, float]
    meaning: Mapping[int, float]
    standing: Mapping[int, float]
    others: Collection[int] = ()

    @property
    def words(self) -> dict[int, float]:
        """By words alone: the page as a whole and its best section count alike."""
        known = dict.fromkeys([*self.pages, *self.sections])
        return {page: (self.pages.get(page, 0.0) + self.sections.get(page, 0.0)) / 2 for page in known}


def merged(arms: Arms, strategy: Strategy, rrf_k: int) -> dict[int, float]:
    """A score for every candidate; the highest is best."""
    strategies: dict[Strategy, Callable[[], dict[int, float]]] = {
        "balanced": lambda: _balanced(arms),
        "set-union": lambda: _set_union(arms),
        "rrf": lambda: _rrf(arms, rrf_k),
    }
    return strategies[strategy]()


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
    only_words = {page: score for page, score in arms.pages.items() if page not in meaning}
    order = [*meaning, *ranks(only_words)]
    return {page: 1.0 / place for place, page in enumerate(order, start=1)}


def _rrf(arms: Arms, k: int) -> dict[int, float]:
    scores: dict[int, float] = {}
    for arm in (arms.meaning, arms.pages):
        for page, place in ranks(arm).items():
            scores[page] = scores.get(page, 0.0) + 1.0 / (k + place)
    return scores
