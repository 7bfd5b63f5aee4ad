"""How much speaks for a passage: a number from 0 to 1 that means the same for every question.

It is drawn from the cosine of the passage with the question, from the share of the question's words that the
passage has, rare words counting more, and from what the reranker says, where it was asked. Without a model
words alone speak. Figures are in docs/recall.md; bench/recall.py makes them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import apsw

from quaid.formats.segments import segment
from quaid.model.reading import Reading
from quaid.model.record import record
from quaid.search.voice import MOST_ODDS, UNRELATED, bounded
from quaid.store import terms

MEASURED = "snowflake-arctic-embed-s"  # the model for which the weights hold
TYPICAL = 0.5  # its cosine of a question with any text


@record
class Weights:
    """What each piece of evidence adds to the log odds that a passage answers."""

    words: float  # for all words of the question
    constant: float
    cosine: float = 0.0  # for a cosine of one
    logit: float = 0.0  # for a logit of the reranker more than it has for what is unrelated
    answers: float = 0.0  # for each of the log odds that it answers, as read


BY_WORDS = Weights(words=4.0, logit=0.2, answers=0.3, constant=-2.3)
BY_MEANING = Weights(words=1.2, cosine=20.0, constant=-13.0)
# Less steep: what was read ranges widely, and scores should still differ where all is good. The logit is left
# out: beside the odds of an answer it says nothing more of a line, and a near miss has a high one.
READ = Weights(words=0.5, cosine=12.0, answers=0.6, constant=-7.4)
# Parts of one page: all are about as near, and of fields the logit tells which one is asked for.
PART = Weights(words=0.7, logit=0.2, answers=0.3, constant=0.0)
FOREIGN = Reading(UNRELATED, -MOST_ODDS)  # what would be made of a passage that has nothing to do with it


def score(words: float, cosine: float | None, read: Reading | None = None) -> float:
    """From 0 to 1: how much speaks for a passage, whatever the question.

    Without a model there is no cosine; where no reranker was asked, nothing was read.
    """
    weights = BY_WORDS if cosine is None else BY_MEANING if read is None else READ
    odds = weights.constant + weights.words * words + weights.cosine * (cosine or 0.0)
    return 1 / (1 + math.exp(-odds - (_reader_term(weights, read) if read else 0.0)))


def read_odds(words: float, read: Reading) -> float:
    """What speaks for a part of a page beside its other parts, in nats: its words, and what was read."""
    return PART.words * words + _reader_term(PART, read)


def _reader_term(weights: Weights, read: Reading) -> float:
    return weights.logit * max(0.0, read.logit - UNRELATED) + weights.answers * bounded(read.answers)


def nearness(line: float | None, section: float | None) -> float | None:
    """How near a line is: as near as it stands, or half way to its section where that is nearer.

    `Phone: 555-0134` says little without the name above it. But a section of many things speaks for none of
    them, so a line is never further away because of what stands around it.
    """
    if line is None or section is None:
        return section if line is None else line
    return max(line, (line + section) / 2)


def comparable(cosine: float, mean: float) -> float:
    """A cosine of another model, of which the mean is given too, as the measured model would have it."""
    middle = min(0.99, mean)
    return TYPICAL + (cosine - middle) * (1 - TYPICAL) / (1 - middle)


class Coverage:
    """How much of a question's words a text has."""

    def __init__(self, connection: apsw.Connection, words: Sequence[str]) -> None:
        self._tokens = terms.tokenizer(connection)
        stems = terms.stems(self._tokens, words)
        self._wanted = [
            (frozenset(stems[word]), word.endswith("*"), weight)
            for word, (_, weight) in terms.weights(connection, "chunk", words).items()
        ]
        self._whole = sum(weight for _, _, weight in self._wanted)

    def of(self, text: str) -> float:
        """From 0 to 1, by the weight of the words. A word that stands nowhere weighs most."""
        if not self._whole:
            return 0.0
        found = self._tokens(
            segment(text).encode(),
            apsw.FTS5_TOKENIZE_DOCUMENT,
            None,
            include_offsets=False,
            include_colocated=False,
        )
        stems = set(found)
        held = (
            weight
            for wanted, prefix, weight in self._wanted
            if wanted <= stems or (prefix and _begin(stems, wanted))
        )
        return sum(held) / self._whole


def _begin(stems: set[str], wanted: frozenset[str]) -> bool:
    return all(any(stem.startswith(each) for stem in stems) for each in wanted)
