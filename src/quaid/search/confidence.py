"""How much an answer can be relied on: what tells a question that has an answer here from one that has none.

Figures are in docs/gaps.md; bench/gaps.py makes them.
"""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from quaid.search.hybrid import EXACT, Hit
from quaid.search.question import read_question
from quaid.store import terms

WORDS_WEIGHT = 0.1  # of all words of the question, against a cosine of one
WEAK = 0.67  # of the default model: below it, an answer is hardly one


def known_share(connection: apsw.Connection, question: str) -> float:
    """The share of a question's words that stand anywhere in the memory."""
    counts = terms.frequencies(connection, "page", read_question(question).words)
    return sum(count > 0 for count in counts.values()) / len(counts) if counts else 0.0


def confidence(hits: Sequence[Hit], known: float = 1.0) -> float:
    """From 0 (nothing was found) to 1 (the question is the name of a page).

    The cosine of the nearest page says most, and words that a page shares with the question a little more.
    A page that has nearly all words of a question is an answer, however short the question is. `known` is
    the share of the question's words that stand anywhere.
    """
    if not hits:
        return 0.0
    if hits[0].score >= EXACT:
        return 1.0
    words = known * max(_by_words(hit) for hit in hits)
    cosines = [hit.arms["meaning"][1] for hit in hits if "meaning" in hit.arms]
    near = max(cosines) + WORDS_WEIGHT * words if cosines else 0.0
    return round(min(1.0, max(0.0, near, words)), 4)


def _by_words(hit: Hit) -> float:
    """The share of the known words that a page has, by their weight: all of it, and its best section."""
    return sum(hit.arms[name][1] for name in ("words", "sections") if name in hit.arms) / 2
