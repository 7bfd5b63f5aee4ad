"""The third voice: a reranker that reads the best passages together with the question.

It reads few words of few documents, so it is no judge: its logit, and the log odds that a passage answers,
are added to what words and meaning say, and what it has not read stays below what it has.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

import apsw

from quaid.model.reading import Reading
from quaid.model.record import record
from quaid.search.question import Question
from quaid.search.snippets import Snippets
from quaid.store.passages import Excerpt

WEIGHT = 0.35  # of a logit and of the log odds that a passage answers, in nats
MOST_ODDS = 4.0  # what reading may say for or against an answer: beyond it, one is as good as another
UNRELATED = -11.0  # the logit of a passage that has nothing to do with the question
MOST = 20  # passages that are read
WORDS = 32  # of each, where most words of the question stand
TOKENS = 900  # in all, questions included: what two cores read in about 40 ms
REACH = 5.0  # nats: a document that is so much less likely than the best one is not worth reading
CERTAIN = 0.95  # of all belief: whoever has it stays first, and nothing else is read
FEW = 4  # passages that are read then

K = TypeVar("K")


class Reranker(Protocol):
    """What judges passages for a question."""

    def reads(self, question: str) -> bool:
        """Whether it understands the script of a question."""

    def readings(self, question: str, passages: Sequence[str], budget: int) -> list[Reading]:
        """What it makes of each of the first passages, as far as the budget of tokens goes."""

    def with_opinions(
        self, question: str, passages: Sequence[str], readings: Sequence[Reading]
    ) -> list[Reading]:
        """The same of passages that seem to answer, with a second opinion."""


@record
class Voice:
    """A reranker, and how it is asked."""

    reranker: Reranker

    def warm_up(self) -> None:
        """Load what the first question will need."""
        read = self.reranker.readings("question", ["answer"], TOKENS)
        self.reranker.with_opinions("question", ["answer"], [each._replace(answers=0.0) for each in read])

    def most(self, scores: Mapping[int, float], certainty: float) -> tuple[int, int]:
        """How many documents are worth reading, and how many passages in all.

        Where there is no doubt which comes first, that alone: to say whether it is an answer at all. Among
        few texts a lead means nothing.
        """
        sure = certainty * max(scores.values(), default=0.0) >= CERTAIN
        return (1, FEW) if sure else (MOST, MOST)

    def readings(
        self,
        connection: apsw.Connection,
        question: Question,
        shown: Mapping[K, Excerpt],
        tokens: int = TOKENS,
        *,
        opinions: bool = True,
    ) -> dict[K, Reading]:
        """What it makes of each text that would be shown, as far as so many tokens go; of the best, twice."""
        if not shown or not self.reranker.reads(question.text):
            return {}
        snippets = Snippets(connection, question.words)
        windows = [snippets.around(each.text, WORDS) for each in shown.values()]
        passages = [
            ". ".join(part for part in (each.title, each.heading, window) if part)
            for each, window in zip(shown.values(), windows, strict=True)
        ]
        shares = [_share(window, each.text) for each, window in zip(shown.values(), windows, strict=True)]
        read = self.reranker.readings(question.text, passages, tokens)
        if opinions:
            read = self.reranker.with_opinions(question.text, passages, read)
        found = zip(shown, read, shares, strict=False)  # the tokens may not be enough for all
        return {key: Reading(each.logit, each.answers, share) for key, each, share in found}


def _share(window: str, text: str) -> float:
    """How many of the words of a text were read."""
    return min(1.0, len(window.split()) / max(1, len(text.split())))


def bounded(answers: float) -> float:
    """The log odds that a passage answers, as far as they are believed."""
    return max(-MOST_ODDS, min(MOST_ODDS, answers))


def evidence(read: Reading) -> float:
    """What speaks for a document of which this was read, in nats."""
    return WEIGHT * (read.logit + bounded(read.answers))


def shares_with_reader(scores: Mapping[int, float], read: Mapping[int, float]) -> dict[int, float]:
    """Shares of belief after the reranker was heard: `read` is what speaks for a document, in nats."""
    if len(read) < 2:
        return dict(scores)
    most = max(read.values())
    odds = {each: scores[each] * math.exp(nats - most) for each, nats in read.items()}
    before, after = sum(scores[each] for each in odds), sum(odds.values())
    if not after:
        return dict(scores)
    rest = max((score for each, score in scores.items() if each not in odds), default=0.0)
    # What it has read stays above what it has not.
    changed = {**scores, **{each: rest + before * value / after for each, value in odds.items()}}
    whole = sum(changed.values())
    return {each: score / whole for each, score in changed.items()}
