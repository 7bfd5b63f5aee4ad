"""How likely the answer is here: one number for every surface, with a model and without.

It is a probability, calibrated on questions that a memory can answer and questions that it cannot: those of
other subjects, those whose answer was taken away, and near misses. What the search found tells a subject that
the memory knows from one that it does not. Whether a detail of a known subject is there, only reading tells:
what the reranker has read counts as much as all the rest. Figures are in docs/gaps.md (bench/gaps.py).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from quaid.model.record import record
from quaid.search.hybrid import EXACT, Hit
from quaid.search.voice import UNRELATED, WEIGHT, bounded

WEAK = 0.2  # the default of `gaps.threshold`: below it, the memory probably does not know


@record
class Weights:
    """What each piece of evidence adds to the log odds."""

    words: float  # for all words of the question in one document
    known: float  # for all words of the question anywhere
    lead: float  # for a document that has all belief
    constant: float
    nearness: float = 0.0  # for a cosine of one


ALL_WORDS = 0.9  # of a question, by their weight
BY_WORDS = Weights(words=2.5, known=1.5, lead=1.6, constant=-2.4)
BY_MEANING = Weights(words=0.2, known=0.7, lead=2.3, nearness=8.5, constant=-7.3)
FOUND, READ = 0.4, 1.2  # what is left of those log odds beside those of what was read; a constant


def confidence(hits: Sequence[Hit]) -> float:
    """The probability that one of these documents answers the question: of all hits, or of a single one.

    0 if there is none, 1 if the question is the name of a page.
    """
    if not hits:
        return 0.0
    if hits[0].score >= EXACT:
        return 1.0
    words, lead = max(hit.words for hit in hits), max(hit.lead for hit in hits)
    known, nearness = max(hit.known for hit in hits), max(hit.nearness or 0.0 for hit in hits)
    by_words, by_meaning = (
        each.constant + each.words * words + each.known * known + each.lead * lead + each.nearness * nearness
        for each in (BY_WORDS, BY_MEANING)
    )
    if all(hit.nearness is None for hit in hits):
        return _chance(by_words)
    # Where few texts are embedded, the nearest of them says little: it makes nobody surer than words do.
    coverage = hits[0].coverage
    odds = coverage * by_meaning + (1 - coverage) * min(by_words, by_meaning)
    # A short question is near to nothing; a document that has all of its words is an answer all the same.
    complete = words >= ALL_WORDS
    odds = max(odds, by_words) if complete else odds
    read = [each for hit in hits for each in (hit.read or {}).values()]
    if read:
        # What the reranker adds among few texts, where a lead says nothing.
        most = max(each.logit for each in read)
        odds += (1 - hits[0].certainty) * WEIGHT * max(0.0, most - UNRELATED)
        likeliest = max(read, key=lambda each: each.answers)
        # Who has read a third of an abstract knows a third of whether it answers.
        share = likeliest.share
        together = (1 - share * (1 - FOUND)) * odds + share * (READ + bounded(likeliest.answers))
        odds = max(odds, together) if complete else together
    return _chance(odds)


def _chance(odds: float) -> float:
    return round(1 / (1 + math.exp(-odds)), 4)
