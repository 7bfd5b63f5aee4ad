"""Finding passages: sections and lines of pages, each with a score that means the same for any question.

`query` ranks pages, and its scores hold within one answer. Here one threshold fits all questions: below 0.25
lies what is merely the nearest of what has nothing to do with the question. The score is drawn from the
cosine of the passage with the question and from the share of the question's words that the passage has, rare
words counting more. Figures are in docs/recall.md; bench/recall.py makes them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import apsw

from quaid.formats.segments import alternatives, segment
from quaid.model.page import Page
from quaid.model.record import record
from quaid.search.evidence import nearest_units
from quaid.search.snippets import END, START, Snippets
from quaid.store import embeddings, pages, passages, terms, units
from quaid.store import scope as scopes
from quaid.store.filters import PageFilter
from quaid.store.passages import PassageRow
from quaid.store.scope import ITEMS, PAGES, Units

if TYPE_CHECKING:
    from quaid.index.matrix import Scores
    from quaid.search.evidence import Meaning

POOL = 60  # candidates of each arm, at least
SNIPPET = 240  # characters of a section, at most
LONGEST_LINE = 600  # characters of a line that is shown whole
SECTION_SHARE = 0.2  # of what speaks for a section, in what speaks for a line of it
PROSE = 120  # characters besides its lines, for a section to say something itself
WHOLE_LEAD = 0.05  # by which a section must be better than each of its lines to be shown itself

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
    """A part of a page that was found: a section, an entry, or one line of them."""

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


@record
class _Weighed:
    """A candidate, and what speaks for it."""

    row: PassageRow
    words: float
    cosine: float | None

    @property
    def score(self) -> float:
        return score(self.words, self.cosine)


def find(
    connection: apsw.Connection,
    text: str,
    filters: Sequence[PageFilter],
    limit: int,
    meaning: Meaning | None = None,
    least: float = 0.0,
) -> list[Passage]:
    """The best passages of the pages that pass one of the filters, from the highest score on.

    Of a section with a list, the lines that fit stand there in its place.
    """
    return _Search(connection, text, meaning, max(POOL, 2 * limit)).passages(filters, limit, least)


class _Search:
    def __init__(self, connection: apsw.Connection, text: str, meaning: Meaning | None, pool: int) -> None:
        self._connection = connection
        self._words = alternatives(text)
        self._coverage = Coverage(connection, self._words)
        self._meaning = meaning
        self._pool = pool
        self._scores = meaning.matrix.scores(connection, meaning.vector) if meaning else None
        self._line_scores = (
            meaning.lines.scores(connection, meaning.vector) if meaning and meaning.lines else None
        )
        self._comparable = _scale(connection)

    def passages(self, filters: Sequence[PageFilter], limit: int, least: float) -> list[Passage]:
        near_lines = {line for chosen in filters for line in self._lines_by_meaning(chosen)}
        found = {
            chunk for chosen in filters for chunk in (*self._by_words(chosen), *self._by_meaning(chosen))
        }
        rows = passages.of_chunks(self._connection, found)
        rows += passages.around(self._connection, near_lines, found)
        loaded = {page: pages.load(self._connection, page) for page in {row.page_id for row in rows}}
        weighed = self._weighed(rows, loaded)
        weighed = [each for each in weighed if each.score >= least]
        weighed.sort(key=lambda each: (-each.score, each.row.page_id, each.row.start))
        snippets = Snippets(self._connection, self._words)
        return [
            Passage(
                page=loaded[each.row.page_id],
                row=each.row,
                score=round(each.score, 4),
                words=round(each.words, 4),
                cosine=None if each.cosine is None else round(each.cosine, 4),
                snippet=_snippet(snippets, loaded[each.row.page_id].text, each.row),
            )
            for each in weighed[:limit]
        ]

    def _weighed(self, rows: Sequence[PassageRow], loaded: Mapping[int, Page]) -> list[_Weighed]:
        """Sections, and in place of those with lists their lines.

        A section stays where it says more than each line, and where nothing tells its lines from one another.
        """
        lines = passages.lines_of(self._connection, {row.page_id for row in rows})
        cosines = self._cosines({row.chunk_id for row in rows}, PAGES, self._scores)
        fine = self._cosines({line.chunk_id for line in lines}, ITEMS, self._line_scores)
        by_page: dict[int, list[PassageRow]] = {}
        for line in lines:
            by_page.setdefault(line.page_id, []).append(line)
        weighed: dict[tuple[int, int], _Weighed] = {}
        for row in rows:
            page, near = loaded[row.page_id], cosines.get(row.chunk_id)
            whole = _Weighed(row, self._share(page, row), near)
            inner = [each for each in by_page.get(row.page_id, ()) if _holds(row, each)]
            own = self._coverage.of(f"{page.info.title}\n{row.heading}")
            parts = [
                _Weighed(each, _mixed(words, whole.words), _mixed_near(fine.get(each.chunk_id), near))
                for each in inner
                if (words := self._share(page, each)) > own or each.chunk_id in fine
            ]
            best = max((each.score for each in parts), default=0.0)
            if not parts or (whole.score > best + WHOLE_LEAD and has_prose(row, inner)):
                weighed[row.page_id, row.start] = whole
            for each in parts:
                weighed[each.row.page_id, each.row.start] = each
        return list(weighed.values())

    def _share(self, page: Page, row: PassageRow) -> float:
        body = page.text[row.start : row.start + row.length]
        return self._coverage.of(f"{page.info.title}\n{row.heading}\n{body}")

    def _by_words(self, chosen: PageFilter) -> list[int]:
        query = terms.any_of(self._connection, "chunk", self._words)
        if not query:
            return []
        found = units.by_words(self._connection, query, scopes.pages(chosen), self._pool)
        return [chunk for chunk, _, _ in found]

    def _by_meaning(self, chosen: PageFilter) -> list[int]:
        """The chunks nearest to the question."""
        if not self._scores or not self._meaning:
            return []
        scope = scopes.pages(chosen)
        return list(nearest_units(self._connection, self._meaning, scope, self._scores, self._pool))

    def _lines_by_meaning(self, chosen: PageFilter) -> list[int]:
        """The single lines nearest to the question."""
        if not self._line_scores or not self._meaning:
            return []
        scope = scopes.items(chosen)
        return list(nearest_units(self._connection, self._meaning, scope, self._line_scores, self._pool))

    def _cosines(self, ids: Collection[int], kind: Units, scores: Scores | None) -> dict[int, float]:
        """How near each unit is to the question, also those that only words found."""
        if not scores or not self._meaning:
            return {}
        vectors = units.vectors_of_units(self._connection, self._meaning.model_id, kind, ids)
        places = scores.places_of(list(vectors.values()))
        cosines = self._comparable(scores.cosines)[places].tolist() if len(scores.ids) else []
        return {
            unit: cosine
            for unit, place, cosine in zip(vectors, places.tolist(), cosines, strict=True)
            if place >= 0
        }


def _mixed(fine: float, coarse: float | None) -> float:
    """What speaks for a line, with a little of what speaks for its section."""
    return fine if coarse is None else (1 - SECTION_SHARE) * fine + SECTION_SHARE * coarse


def _mixed_near(fine: float | None, coarse: float | None) -> float | None:
    """How near a line is; as near as its section, where it has no vector of its own."""
    return coarse if fine is None else _mixed(fine, coarse)


def _holds(row: PassageRow, line: PassageRow) -> bool:
    return row.start <= line.start < row.start + row.length


def has_prose(row: PassageRow, lines: Sequence[PassageRow]) -> bool:
    """Whether a section says something besides its lines."""
    return row.length - sum(line.length for line in lines) > PROSE


def _scale(connection: apsw.Connection) -> Callable[[Any], Any]:
    """What brings cosines onto the scale of the model whose scores were measured; others have other ones."""
    model = embeddings.active(connection)
    if model is None or model.name == MEASURED:
        return lambda cosines: cosines

    def moved(cosines: Any) -> Any:
        middle = min(0.99, float(cosines.mean()))
        return TYPICAL + (cosines - middle) * (1 - TYPICAL) / (1 - middle)

    return moved


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


def _snippet(snippets: Snippets, page: str, row: PassageRow) -> str:
    """A line as it is, or about 200 characters of a section, around the words that matched."""
    text = page[row.start : row.start + row.length]
    if row.is_line and len(text) <= LONGEST_LINE:
        return text
    found = snippets.of_text(text)
    place = max(0, found.find(START) - SNIPPET // 4) if len(found) > SNIPPET + 8 else 0
    shown = found.replace(START, "").replace(END, "")
    if len(shown) <= SNIPPET:
        return shown
    return ("…" if place else "") + shown[place : place + SNIPPET].strip() + "…"
