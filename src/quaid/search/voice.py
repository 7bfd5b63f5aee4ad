"""The third voice: a reranker that reads the best passages together with the question.

It reads few words of few documents, so it is no judge: its logit is added to what words and meaning say, and
what it has not read stays below what it has.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

import apsw

from quaid.model.record import record
from quaid.search.question import Question
from quaid.search.snippets import Snippets
from quaid.store.excerpts import Excerpt

WEIGHT = 0.35  # of a logit, in nats
UNRELATED = -11.0  # the logit of a passage that has nothing to do with the question
MOST = 16  # documents that are read
WORDS = 40  # of each, where most words of the question stand
TOKENS = 1_000  # in all, questions included: what two cores read in about 100 ms
CERTAIN = 0.95  # of all belief: whoever has it stays first, and nothing is read

K = TypeVar("K")


class Reranker(Protocol):
    """What judges passages for a question."""

    def reads(self, question: str) -> bool:
        """Whether it understands the script of a question."""

    def logits(self, question: str, passages: Sequence[str], budget: int) -> list[float]:
        """How well each of the first passages answers the question, as far as the budget of tokens goes."""


@record
class Voice:
    """A reranker, and how it is asked."""

    reranker: Reranker

    def warm_up(self) -> None:
        """Load what the first question will need."""
        self.reranker.logits("question", ["answer"], TOKENS)

    def most(self, scores: Mapping[int, float], certainty: float) -> int:
        """How many documents are worth reading: none where there is no doubt which comes first.

        Among few texts a lead means nothing; there it says whether the first is an answer at all.
        """
        return 0 if certainty * max(scores.values(), default=0.0) >= CERTAIN else MOST

    def logits(
        self, connection: apsw.Connection, question: Question, shown: Mapping[K, Excerpt]
    ) -> dict[K, float]:
        """What it says of each text that would be shown, as far as it reads."""
        if not shown or not self.reranker.reads(question.text):
            return {}
        snippets = Snippets(connection, question.words)
        passages = [
            ". ".join(part for part in (each.title, each.heading, snippets.around(each.text, WORDS)) if part)
            for each in shown.values()
        ]
        return dict(zip(shown, self.reranker.logits(question.text, passages, TOKENS), strict=False))


def heard(scores: Mapping[int, float], logits: Mapping[int, float]) -> dict[int, float]:
    """Shares of belief after the reranker was heard."""
    if len(logits) < 2:
        return dict(scores)
    most = max(logits.values())
    odds = {each: scores[each] * math.exp(WEIGHT * (logit - most)) for each, logit in logits.items()}
    before, after = sum(scores[each] for each in odds), sum(odds.values())
    if not after:
        return dict(scores)
    rest = max((score for each, score in scores.items() if each not in odds), default=0.0)
    # What it has read stays above what it has not.
    changed = {**scores, **{each: rest + before * value / after for each, value in odds.items()}}
    whole = sum(changed.values())
    return {each: score / whole for each, score in changed.items()}
