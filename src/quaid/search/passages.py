"""Finding passages: sections and lines of pages, each with a score that means the same for any question.

`query` ranks pages, and its scores hold within one answer. Here one threshold fits all questions: below 0.25
lies what is merely the nearest of what has nothing to do with the question.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

import apsw

from quaid.model.page import Page
from quaid.model.reading import Reading
from quaid.model.record import record, replace
from quaid.search.evidence import OWN_WORDS
from quaid.search.question import read_question
from quaid.search.scores import FOREIGN, Coverage, comparable, nearness, score
from quaid.search.snippets import END, START, Snippets
from quaid.search.voice import REACH, Voice
from quaid.store import pages, passages
from quaid.store import scope as scopes
from quaid.store.filters import PageFilter
from quaid.store.passages import Excerpt, PassageRow

if TYPE_CHECKING:
    from quaid.index.arms import Near
    from quaid.search.evidence import Meaning

POOL = 60  # candidates of each arm, at least
SNIPPET = 240  # characters of a section, at most
LONGEST_LINE = 600  # characters of a line that is shown whole
PROSE = 120  # characters besides its lines, for a section to say something itself
MOST_READ = 20  # passages: of a notebook they are short
TOKENS = 900  # that are read in all, questions included
SAYS_ENOUGH = 8  # words of a line that can be understood without its headings
WHOLE_LEAD = 0.05  # by which a section must be better than each of its lines to be shown itself


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
        return _text(self.page, self.row)


@record
class _Weighed:
    """A candidate, and what speaks for it."""

    row: PassageRow
    words: float
    cosine: float | None
    read: Reading | None = None  # None where nothing was read

    @property
    def score(self) -> float:
        return score(self.words, self.cosine, self.read)

    @property
    def odds(self) -> float:
        return self.score / (1 - self.score)


def find(
    connection: apsw.Connection,
    text: str,
    filters: Sequence[PageFilter],
    limit: int,
    meaning: Meaning | None = None,
    least: float = 0.0,
    voice: Voice | None = None,
) -> list[Passage]:
    """The best passages of the pages that pass one of the filters, from the highest score on.

    Of a section with a list, the lines that fit stand there in its place. `voice` is heard about the best.
    """
    return _Search(connection, text, meaning, max(POOL, 2 * limit)).passages(filters, limit, least, voice)


class _Search:
    def __init__(self, connection: apsw.Connection, text: str, meaning: Meaning | None, pool: int) -> None:
        self._connection = connection
        self._question = read_question(text)
        self._words = self._question.words
        self._coverage = Coverage(connection, self._words)
        self._arm_of_words = meaning.words if meaning else OWN_WORDS
        self._pool = pool
        self._near = meaning.texts.near(connection, meaning.vector) if meaning else None
        self._near_lines = (
            meaning.lines.near(connection, meaning.vector) if meaning and meaning.lines else None
        )
        self._measured = meaning is None or meaning.measured

    def passages(
        self, filters: Sequence[PageFilter], limit: int, least: float, voice: Voice | None
    ) -> list[Passage]:
        near_lines = {line for chosen in filters for line in self._lines_by_meaning(chosen)}
        found = {
            chunk for chosen in filters for chunk in (*self._by_words(chosen), *self._by_meaning(chosen))
        }
        rows = passages.of_chunks(self._connection, found)
        rows += passages.around(self._connection, near_lines, found)
        loaded = {page: pages.load(self._connection, page) for page in {row.page_id for row in rows}}
        weighed = sorted(self._passage_weights(rows, loaded), key=_order)
        if voice:
            weighed = sorted(self._weights_with_reader(weighed, loaded, voice), key=_order)
        weighed = [each for each in weighed if each.score >= least]
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

    def _passage_weights(self, rows: Sequence[PassageRow], loaded: Mapping[int, Page]) -> list[_Weighed]:
        """Sections, and in place of those with lists their lines.

        A section stays where it says more than each line, and where nothing tells its lines from one another.
        """
        lines = passages.lines_of(self._connection, {row.page_id for row in rows})
        cosines = self._cosines({row.chunk_id for row in rows}, self._near)
        fine = self._cosines({line.chunk_id for line in lines}, self._near_lines)
        by_page: dict[int, list[PassageRow]] = {}
        for line in lines:
            by_page.setdefault(line.page_id, []).append(line)
        weighed: dict[tuple[int, int], _Weighed] = {}
        for row in rows:
            page, near = loaded[row.page_id], cosines.get(row.chunk_id)
            whole = _Weighed(row, self._share(page, row), near)
            inner = [each for each in by_page.get(row.page_id, ()) if row.holds(each)]
            own = self._coverage.of(f"{page.info.title}\n{row.heading}")
            parts = [
                _Weighed(each, words, nearness(fine.get(each.chunk_id), near))
                for each in inner
                if (words := self._share(page, each)) > own or each.chunk_id in fine
            ]
            best = max((each.score for each in parts), default=0.0)
            if not parts or (whole.score > best + WHOLE_LEAD and has_prose(row, inner)):
                weighed[row.page_id, row.start] = whole
            for each in parts:
                weighed[each.row.page_id, each.row.start] = each
        return list(weighed.values())

    def _weights_with_reader(
        self, weighed: Sequence[_Weighed], loaded: Mapping[int, Page], voice: Voice
    ) -> list[_Weighed]:
        """The same with what the reranker says of the best, where there is an order to be in doubt of."""
        if len(weighed) < 2:
            return list(weighed)
        least = weighed[0].odds * math.exp(-REACH)
        read = {
            place: self._excerpt(loaded[each.row.page_id], each.row)
            for place, each in enumerate(weighed[:MOST_READ])
            if each.odds >= least
        }
        found = voice.readings(self._connection, self._question, read, TOKENS)
        if not found:
            return list(weighed)
        # What it has not read stays below what it has.
        return [replace(each, read=found.get(place, FOREIGN)) for place, each in enumerate(weighed)]

    def _excerpt(self, page: Page, row: PassageRow) -> Excerpt:
        """What is read of a passage: a line below its headings only where they help to understand it.

        Names such as "Facts" and "House" make a line seem to be about something else than it is. But
        `Phone: 555-0134` says nothing alone, and a question may name what stands above.
        """
        text = _text(page, row)
        above = f"{page.info.title}\n{row.heading}"
        if row.is_line and len(text.split()) >= SAYS_ENOUGH and not self._coverage.of(above):
            return Excerpt("", "", text)
        return Excerpt(page.info.title, row.heading, text)

    def _share(self, page: Page, row: PassageRow) -> float:
        return self._coverage.of(f"{page.info.title}\n{row.heading}\n{_text(page, row)}")

    def _by_words(self, chosen: PageFilter) -> list[int]:
        scope = scopes.pages(chosen)
        found = self._arm_of_words.units(self._connection, self._words, scope, self._pool)
        return [chunk for chunk, _, _ in found]

    def _by_meaning(self, chosen: PageFilter) -> list[int]:
        """The chunks nearest to the question."""
        return list(self._near.nearest_units(scopes.pages(chosen), self._pool)) if self._near else []

    def _lines_by_meaning(self, chosen: PageFilter) -> list[int]:
        """The single lines nearest to the question."""
        near = self._near_lines
        return list(near.nearest_units(scopes.items(chosen), self._pool)) if near else []

    def _cosines(self, ids: Collection[int], near: Near | None) -> dict[int, float]:
        """How near each unit is to the question, also those that only words found."""
        if not near or not near.size:
            return {}
        found = near.of_units(ids)
        return found if self._measured else {each: comparable(found[each], near.mean) for each in found}


def _order(each: _Weighed) -> tuple[float, int, int]:
    return -each.score, each.row.page_id, each.row.start


def _text(page: Page, row: PassageRow) -> str:
    return page.text[row.start : row.start + row.length]


def has_prose(row: PassageRow, lines: Sequence[PassageRow]) -> bool:
    """Whether a section says something besides its lines."""
    return row.length - sum(line.length for line in lines) > PROSE


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
