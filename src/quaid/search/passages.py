"""Finding passages: sections and entries of pages, each with a score that means the same for any question.

`query` ranks pages, and its scores hold within one answer. Here one threshold fits all questions: below 0.25
lies what is merely the nearest of what has nothing to do with the question. The score is drawn from the
cosine of the passage with the question and from the share of the question's words that the passage has, rare
words counting more. Figures are in docs/recall.md; bench/recall.py makes them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

import apsw

from quaid.formats.segments import alternatives, segment
from quaid.model.page import Page
from quaid.model.record import record
from quaid.search.evidence import nearest_units
from quaid.search.snippets import END, START, Snippets
from quaid.store import embeddings, pages, passages, terms, units
from quaid.store.filters import PageFilter
from quaid.store.passages import PassageRow
from quaid.store.scope import PAGES
from quaid.store.scope import pages as pages_passing

if TYPE_CHECKING:
    from quaid.index.matrix import Scores
    from quaid.search.evidence import Meaning

POOL = 60  # candidates of each arm, at least
SNIPPET = 240  # characters, at most

# The weights come from a logistic regression over five public sets, of what answers a question against what
# was found for questions of other subjects. It is made less steep, so that scores differ where all is good,
# and stands where a notebook loses little and has hardly any noise.
COSINE_WEIGHT = 5.0  # against all words of the question
MIDDLE = 3.375  # where the score is 0.5
STEEPNESS = 4.0
NEUTRAL = 0.56  # the cosine that is assumed where there is none
MEASURED = "snowflake-arctic-embed-s"  # the model for which these hold
TYPICAL = 0.5  # its cosine of a question with any text


@record
class Passage:
    """A part of a page that was found."""

    page: Page
    row: PassageRow
    score: float
    words: float  # the share of the question's words, by weight
    cosine: float | None  # None without a model
    snippet: str

    @property
    def text(self) -> str:
        """The whole passage."""
        return self.page.text[self.row.start : self.row.start + self.row.length]


def find(
    connection: apsw.Connection,
    text: str,
    filters: Sequence[PageFilter],
    limit: int,
    meaning: Meaning | None = None,
    least: float = 0.0,
) -> list[Passage]:
    """The best passages of the pages that pass one of the filters, from the highest score on."""
    return _Search(connection, text, meaning, max(POOL, 2 * limit)).passages(filters, limit, least)


class _Search:
    def __init__(self, connection: apsw.Connection, text: str, meaning: Meaning | None, pool: int) -> None:
        self._connection = connection
        self._meaning = meaning
        self._pool = pool
        self._words = alternatives(text)
        self._coverage = Coverage(connection, self._words)
        scores = meaning.matrix.scores(connection, meaning.vector) if meaning else None
        self._scores: Scores | None = scores if scores and len(scores.ids) else None

    def passages(self, filters: Sequence[PageFilter], limit: int, least: float) -> list[Passage]:
        found = {
            chunk for chosen in filters for chunk in (*self._by_words(chosen), *self._by_meaning(chosen))
        }
        rows = passages.of_chunks(self._connection, found)
        cosines = self._cosines(found)
        loaded = {page: pages.load(self._connection, page) for page in {row.page_id for row in rows}}
        weighed: list[tuple[float, float, float | None, PassageRow]] = []
        for row in rows:
            page = loaded[row.page_id]
            body = page.text[row.start : row.start + row.length]
            share = self._coverage.of(f"{page.info.title}\n{row.heading}\n{body}")
            cosine = cosines.get(row.chunk_id)
            weighed.append((score(share, cosine), share, cosine, row))
        weighed.sort(key=lambda each: (-each[0], each[3].page_id, each[3].start))
        snippets = Snippets(self._connection, self._words)
        return [
            Passage(
                page=loaded[row.page_id],
                row=row,
                score=round(value, 4),
                words=round(share, 4),
                cosine=None if cosine is None else round(cosine, 4),
                snippet=_snippet(snippets, loaded[row.page_id].text[row.start : row.start + row.length]),
            )
            for value, share, cosine, row in weighed[:limit]
            if value >= least
        ]

    def _by_words(self, chosen: PageFilter) -> list[int]:
        query = terms.any_of(self._connection, "chunk", self._words)
        if not query:
            return []
        found = units.by_words(self._connection, query, pages_passing(chosen), self._pool)
        return [chunk for chunk, _, _ in found]

    def _by_meaning(self, chosen: PageFilter) -> list[int]:
        """The chunks nearest to the question."""
        if not self._scores or not self._meaning:
            return []
        scope = pages_passing(chosen)
        return list(nearest_units(self._connection, self._meaning, scope, self._scores, self._pool))

    def _cosines(self, chunk_ids: Collection[int]) -> dict[int, float]:
        """How near each chunk is to the question, also those that only words found."""
        if not self._scores or not self._meaning:
            return {}
        vectors = units.vectors_of_units(self._connection, self._meaning.model_id, PAGES, chunk_ids)
        places = self._scores.places_of(list(vectors.values()))
        cosines = self._comparable(self._scores.cosines)[places].tolist()
        return {
            chunk: cosine
            for chunk, place, cosine in zip(vectors, places.tolist(), cosines, strict=True)
            if place >= 0
        }

    def _comparable(self, cosines: Any) -> Any:
        """Cosines on the scale of the model whose scores were measured; others have other ones."""
        model = embeddings.active(self._connection)
        if model is None or model.name == MEASURED:
            return cosines
        middle = min(0.99, float(cosines.mean()))
        return TYPICAL + (cosines - middle) * (1 - TYPICAL) / (1 - middle)


class Coverage:
    """How much of a question's words a text has."""

    def __init__(self, connection: apsw.Connection, words: Sequence[str]) -> None:
        self._tokens = terms.tokenizer(connection)
        total = terms.size(connection, "chunk")
        counts = terms.frequencies(connection, "chunk", words)
        self._wanted = [
            (frozenset(terms.stems(connection, word.strip('*"'))), word.endswith("*"), _weight(count, total))
            for word, count in counts.items()
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
        return (
            sum(weight for wanted, prefix, weight in self._wanted if _has(stems, wanted, prefix))
            / self._whole
        )


def _weight(count: int, total: int) -> float:
    """How much a word says: the rarer, the more. Unlike FTS5's own, it is never below zero."""
    return math.log(1 + (total - count + 0.5) / (count + 0.5))


def _has(stems: set[str], wanted: frozenset[str], prefix: bool) -> bool:
    if not wanted <= stems and not prefix:
        return False
    return wanted <= stems or all(any(stem.startswith(each) for stem in stems) for each in wanted)


def score(words: float, cosine: float | None) -> float:
    """From 0 to 1: how much speaks for a passage, whatever the question."""
    evidence = words + COSINE_WEIGHT * (NEUTRAL if cosine is None else cosine) - MIDDLE
    return 1 / (1 + math.exp(-STEEPNESS * evidence))


def _snippet(snippets: Snippets, text: str) -> str:
    """About 200 characters of a passage, around the words that matched."""
    found = snippets.of_text(text)
    place = max(0, found.find(START) - SNIPPET // 4) if len(found) > SNIPPET + 8 else 0
    shown = found.replace(START, "").replace(END, "")
    if len(shown) <= SNIPPET:
        return shown
    return ("…" if place else "") + shown[place : place + SNIPPET].strip() + "…"
