"""What the memory does not know: questions by their hash, and pages that come to answer them."""

from __future__ import annotations

import math
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
    total = terms.size(connection, "page")
    counts = terms.frequencies(connection, "page", words)
    weights = {word: math.log(1 + total / (0.5 + count)) for word, count in counts.items()}
    found = gaps.words_in_page(connection, page_id, words)
    return bool(found) and sum(weights[word] for word in found) >= ANSWERS * sum(weights.values())


def resolve_answered(connection: apsw.Connection, page_id: int, slug: str, now: str) -> list[int]:
    """Resolve the approved gaps that a page answers which has just been written; the answer is their ids."""
    resolved = [gap for gap, question in gaps.approved(connection) if answers(connection, page_id, question)]
    for gap in resolved:
        gaps.resolve(connection, gap, slug, now)
    return resolved
