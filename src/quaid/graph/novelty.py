"""Whether a text says anything that the memory does not know yet.

Two measures: how many words two texts share, and how near their meaning is. Both decide about texts that are
derived from evidence, never about evidence itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal

import apsw

from quaid.embed.embedder import Embedder, stream
from quaid.formats.content import read_page
from quaid.formats.segments import alternatives
from quaid.index.chunks import chunks_of
from quaid.index.matrix import VectorMatrix
from quaid.model.record import record
from quaid.store import candidates, embeddings, pages, terms, units
from quaid.store import scope as scopes
from quaid.store.embeddings import ModelRow
from quaid.store.filters import PageFilter

if TYPE_CHECKING:
    from quaid.embed.embedder import Matrix

Verdict = Literal["new", "duplicate", "near_duplicate"]
SAME_WORDS = 0.85  # a greater share of common words makes a text a duplicate
SAME_MEANING = 0.95  # a greater cosine makes it a near duplicate
CANDIDATES = 10  # of each arm
MOST_CHUNKS = 24  # of a new text that are compared by meaning
_WORD = re.compile(r"\w+")
_FIGURE = re.compile(r"\d+(?:[.,:/-]\d+)*\s?(?:[kmb]\b|%)?")
_PROPER = re.compile(r"(?<=[a-z,;:(] )[A-ZÀ-Þ]\w+")  # a word in capitals that does not begin a sentence
_NEGATION = re.compile(
    r"\b(?:not|no|never|without|nobody|none|cannot|nicht|kein\w*|nie|ohne)\b|n['’]t\b", re.IGNORECASE
)
SAMPLE = 1_300  # characters of its beginning, middle and end by which similar pages are looked for


@record
class Novelty:
    """What is known of a text already: the most similar page, and how similar it is."""

    verdict: Verdict
    jaccard: float = 0.0
    cosine: float | None = None  # None where it was not measured
    page: int | None = None

    @property
    def similarity(self) -> float:
        """The measure that decided."""
        return self.cosine if self.verdict == "near_duplicate" and self.cosine is not None else self.jaccard


@record
class Meaning:
    """The vectors of a text's chunks, and the model that made them."""

    model_id: int
    rows: Matrix


def words_of(text: str) -> frozenset[str]:
    """The words that are compared."""
    return frozenset(text.lower().split())


def jaccard(one: str, other: str) -> float:
    """The share of common words among all words of two texts, from 0 to 1. Two empty texts are the same."""
    return _share(words_of(one), words_of(other))


def _share(one: frozenset[str], other: frozenset[str]) -> float:
    both = len(one & other)
    every = len(one) + len(other) - both
    return both / every if every else 1.0


def nearness(new: Matrix, old: Matrix) -> float:
    """How near a text is to another: for each chunk of the new one the nearest of the old one, on average.

    One paragraph that both share does not make them alike; everything new must have its like.
    """
    return float((new @ old.T).max(axis=1).mean())


def corrects(new: str, known: str) -> bool:
    """Whether a text names a number, a day or a name that a similar one does not, or denies what that says.

    However alike the two are, that is what is new.
    """
    spoken = set(_WORD.findall(known.lower()))
    return (
        bool(set(_FIGURE.findall(new.lower())) - set(_FIGURE.findall(known.lower())))
        or any(name.lower() not in spoken for name in _PROPER.findall(new))
        or len(_NEGATION.findall(new)) != len(_NEGATION.findall(known))
    )


def verdict(words: float, cosine: float | None) -> Verdict:
    """What the two measures say together."""
    if words > SAME_WORDS:
        return "duplicate"
    return "near_duplicate" if cosine is not None and cosine > SAME_MEANING else "new"


def similar_pages(connection: apsw.Connection, text: str, limit: int = CANDIDATES) -> list[int]:
    """Pages that share rare words with a text, best first."""
    middle = len(text) // 2
    parts = (text[:SAMPLE], text[middle : middle + SAMPLE], text[-SAMPLE:]) if len(text) > 4_000 else (text,)
    query = terms.any_of(
        connection, "page", alternatives(" ".join(parts).replace('"', " ").replace("-", " "))
    )
    found = candidates.pages_by_words(connection, query, PageFilter(), limit) if query else []
    return [page for page, _ in found]


def meaning_of(model: ModelRow, embedder: Embedder, text: str, slug: str) -> Meaning | None:
    """What the compiled truth of a page's new text means to a model; None if there is nothing in it."""
    import numpy as np  # heavy, and only for meaning

    texts = [chunk.embedded for chunk in chunks_of(read_page(text, slug)) if chunk.kind == "truth_section"]
    if not texts:
        return None
    # Chunks from everywhere in the text, not from its beginning alone.
    step = -(-len(texts) // MOST_CHUNKS)
    return Meaning(model.id, np.concatenate(list(stream(embedder, texts[::step]))))


def neighbours(connection: apsw.Connection, matrix: VectorMatrix, meaning: Meaning) -> list[int]:
    """The pages whose texts are nearest to the middle of what a text means."""
    import numpy as np

    middle = meaning.rows.mean(axis=0)
    scores = matrix.scores(connection, (middle / (np.linalg.norm(middle) or 1.0)).astype(np.float32))
    hashes = scores.hashes_at([place for place, _ in scores.best(CANDIDATES)]) if len(scores.ids) else []
    owners = units.documents_of_texts(connection, hashes, scopes.pages())
    return list(dict.fromkeys(page for digest in hashes for page in owners.get(digest, ())))


def judge(
    connection: apsw.Connection, truth: str, page_ids: Iterable[int], meaning: Meaning | None = None
) -> Novelty:
    """Compare a compiled truth with those of some pages; the answer is about the most similar one."""
    words = words_of(truth)
    best = Novelty("new")
    rank = {"new": 0, "near_duplicate": 1, "duplicate": 2}
    for page_id, known in pages.truths(connection, list(dict.fromkeys(page_ids))).items():
        share = _share(words, words_of(known))
        cosine = _cosine(connection, meaning, page_id) if meaning and share <= SAME_WORDS else None
        judgement = verdict(share, cosine)
        if judgement != "new" and corrects(truth, known):
            judgement = "new"
        found = Novelty(judgement, share, cosine, page_id)
        if (rank[found.verdict], found.similarity) > (rank[best.verdict], best.similarity):
            best = found
    return best


def _cosine(connection: apsw.Connection, meaning: Meaning, page_id: int) -> float | None:
    import numpy as np

    stored: Sequence[bytes] = embeddings.of_truth(connection, meaning.model_id, page_id)
    if not stored:
        return None
    rows = np.frombuffer(b"".join(stored), np.dtype("<f4")).reshape(len(stored), -1)
    return nearness(meaning.rows, rows) if rows.shape[1] == meaning.rows.shape[1] else None
