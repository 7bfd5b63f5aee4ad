"""What the memory does not know: questions by their hash, and pages that come to answer them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from hashlib import sha256

import apsw

from quaid.formats.segments import alternatives
from quaid.formats.slugs import fold
from quaid.store import gaps, terms

ANSWERS = 0.8  # of the weight of a question's words must stand in a page that answers it


def hash_of(question: str) -> str:
    """What is kept of a question: the SHA-256 of its words, whatever their case, accents and punctuation."""
    return sha256(fold(question.replace("/", " ")).encode()).hexdigest()


def answers(connection: apsw.Connection, page_id: int, question: str) -> bool:
    """Whether a page has nearly all words of a question, by their rarity. Common words weigh little."""
    words = alternatives(question)
    total, counts = terms.word_counts(connection, "page", words)
    weights = {word: math.log(1 + total / (0.5 + count)) for word, count in counts.items()}
    found = gaps.words_in_page(connection, page_id, words)
    return bool(found) and sum(weights[word] for word in found) >= ANSWERS * sum(weights.values())


def resolve_answered(connection: apsw.Connection, written: Sequence[tuple[int, str, str]]) -> list[int]:
    """Resolve the approved gaps that pages answer which have just been written: id, slug and moment of each.

    The answer is the ids of the gaps.
    """
    resolved: list[int] = []
    for gap, question in gaps.approved_gaps(connection):
        for page_id, slug, now in written:
            if answers(connection, page_id, question):
                gaps.resolve(connection, gap, slug, now)
                resolved.append(gap)
                break
    return resolved
