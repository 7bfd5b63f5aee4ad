"""What is shown of the pages that were found: the line that matters, the facts that answer, and the doubts.

The order of pages is another's business. Within a page, its best section is looked at line by line, and so
are the lines that are nearest to the question by their meaning. A section of the days that are asked for
goes before others.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import apsw

from quaid.formats.statements import statements
from quaid.model.chunk import text_hash
from quaid.model.page import Claim, Page
from quaid.model.reading import Reading
from quaid.model.record import record
from quaid.model.statement import Statement
from quaid.search import facts
from quaid.search.evidence import FEW
from quaid.search.facts import Asked, Fact, Superseded
from quaid.search.parts import PARAGRAPH, SHORT, Part, Told, reader_answer, texts_of
from quaid.search.passages import has_prose
from quaid.search.question import read_question
from quaid.search.scores import FOREIGN, Coverage, nearness, score
from quaid.store import assertions, contradictions, pages, passages
from quaid.store.contradictions import Contradiction
from quaid.store.passages import PassageRow
from quaid.store.repetition import is_repeated

if TYPE_CHECKING:
    from quaid.index.arms import Near
    from quaid.search.evidence import Meaning
    from quaid.search.voice import Voice

MOST_DOUBTS = 2  # beside a result
NEAREST = 3  # lines of a page that are looked at because of their meaning
DATED = 0.5  # what speaks for a section of the days that are asked for, against all words of the question
FAVOURED = 0.01  # what speaks for the section by which the page was found, where all else is equal
MOST_MORE = 4  # other lines of a page
NEARLY = 0.5  # of the best line's score, for another to be shown too
WHOLE_LEAD = 0.1  # in score, by which a section must be better than each of its lines
_PARAGRAPH = re.compile(r"\n[ \t]*\n+")
# What is no answer: pictures, addresses, comments, tags. A format's `readable` is about something else:
# it drops the name of a linked page, whose words speak for the line, and keeps tags.
_UNSEEN = re.compile(
    r"!\[[^\]\n]*\]\([^)\n]*\)|(?<=\])\([^)\n]*\)|%%[^%\n]*%%|<!--.*?-->|</?[a-zA-Z][^>\n]*>", re.DOTALL
)


@record
class Excerpt:
    """What is shown of a page. `line` is a part of `section`; without one, the section is what matched."""

    page: Page
    section: PassageRow | None
    line: PassageRow | None
    facts: tuple[Fact, ...]
    superseded: tuple[Superseded, ...]
    doubts: tuple[Contradiction, ...]
    more: tuple[PassageRow, ...] = ()  # other lines of the page that fit nearly as well

    @property
    def passage(self) -> PassageRow | None:
        """The part that matched, as closely as can be told."""
        return self.line or self.section

    @property
    def header(self) -> str | None:
        """The head of the table of which a row is shown."""
        if self.line is None or self.line.kind != "row":
            return None
        above = self.page.text[: self.line.start].rstrip(" \t").splitlines()
        table: list[str] = []
        while above and "|" in above[-1]:
            table.append(above.pop().strip())
        return table[-1] if len(table) > 1 and not table[-2].strip("|-:+ \t") else None

    def text(self, row: PassageRow | None) -> str:
        """What stands in a part."""
        return self.page.text[row.start : row.start + row.length] if row else ""


class Found(NamedTuple):
    """A page that was found, with the chunk that speaks most for it (0 if none does)."""

    page_id: int
    unit: int
    asked_by_name: bool = False
    read: Mapping[int, Reading] | None = None  # what was made of single lines; 0 is the chunk

    @property
    def line_readings(self) -> Mapping[int, Reading]:
        """What was made of lines, if single ones were read: otherwise none is told from another."""
        return self.read if self.read and any(self.read) else {}


def excerpts(
    connection: apsw.Connection,
    text: str,
    found: Sequence[Found],
    meaning: Meaning | None,
    today: str,
    voice: Voice | None = None,
) -> dict[int, Excerpt]:
    """What to show of each page. Of the first one, `voice` reads the parts."""
    return _Reader(connection, text, meaning, today, voice).read(found) if found else {}


class _Reader:
    def __init__(
        self,
        connection: apsw.Connection,
        text: str,
        meaning: Meaning | None,
        today: str,
        voice: Voice | None,
    ) -> None:
        self._connection = connection
        self._voice = voice
        self._question = read_question(text)
        self._coverage = Coverage(connection, self._question.words)
        self._share = lru_cache(maxsize=4096)(lambda text: self._coverage.of(_seen(text)))
        self._meaning = meaning
        self._today = today

    @cached_property
    def _lines(self) -> Near | None:
        """How near single lines are to the question; most pages have none."""
        asked = self._meaning
        return asked.lines.near(self._connection, asked.vector) if asked and asked.lines else None

    def read(self, found: Sequence[Found]) -> dict[int, Excerpt]:
        """All pages at once: what they need is asked for once."""
        ids = [each.page_id for each in found]
        stated = assertions.about(self._connection, ids)
        doubts = contradictions.open_of(self._connection, ids)
        chunks = _rows_by_section(passages.chunks_of(self._connection, ids))
        lines = _rows_by_section(passages.lines_of(self._connection, ids))
        asked_of = self._meaning.texts.near(self._connection, self._meaning.vector) if self._meaning else None
        near = _cosines(asked_of, ids)
        near_lines = _cosines(self._lines, ids) if lines else {}
        loaded = {page: pages.load(self._connection, page) for page in ids}
        said = {
            page: _statements(loaded[page], stated.get(page, ()))
            if loaded[page].frontmatter or page in stated
            else []
            for page in ids
        }
        standing = self._standing([each for group in said.values() for each in group])
        asked = Asked(self._question.text, self._share, standing.get, self._today)
        read: dict[int, Excerpt] = {}
        for place, each in enumerate(found):
            page = loaded[each.page_id]
            parts = _Parts(chunks.get(each.page_id, []), lines.get(each.page_id, []), near, near_lines)
            answer = self._reader_answer(page, each, parts, said[each.page_id]) if place == 0 else None
            section, line, more = self._passage(page, each, parts)
            if answer and answer.best:
                worded = line if line and self._share(page.text[slice(*_span(line))]) else None
                section, line, more = _section_and_lines(answer, answer.best, worded)
            of_fields = any(row.chunk_id == each.unit and row.kind == "fields" for row in parts.chunks)
            span, stated_of = _span(line or section), said[each.page_id]
            fields: list[Fact] = []
            superseded: list[Superseded] = []
            if stated_of:  # most pages state nothing
                shown = page.text[slice(*span)]
                fields = self._facts(asked, each, page, shown, stated_of, of_fields=of_fields)
                if answer:
                    likely = facts.latest(answer.stated, stated_of, self._today)
                    fields = list(dict.fromkeys([*likely, *fields]))[: facts.MOST]
                start = min((row.start for row in parts.chunks if row.kind != "fields"), default=0)
                body = (start, len(page.text))
                superseded = facts.superseded_values(page.text, body, span, stated_of, fields, self._today)
            read[each.page_id] = Excerpt(
                page=page,
                section=section,
                line=line,
                facts=tuple(fields),
                superseded=tuple(superseded),
                doubts=tuple(doubts.get(each.page_id, ())[:MOST_DOUBTS]),
                more=tuple(row for row in more if not self._is_repeated(page, row)),
            )
        return read

    def _is_repeated(self, page: Page, row: PassageRow) -> bool:
        """Whether it is a footer, say, that stands on many pages: it has words of many questions."""
        return is_repeated(self._connection, page.text[slice(*_span(row))])

    def _reader_answer(
        self, page: Page, found: Found, parts: _Parts, stated: Sequence[Statement]
    ) -> Told | None:
        """What the reranker finds among the parts of a page; None where none is asked, or it cannot tell."""
        if self._voice is None or found.asked_by_name:
            return None
        hashes = {text_hash(each.words) for each in stated}
        cosines = self._lines.of_texts(hashes) if hashes and self._lines else {}
        fields = [
            Part(
                each.sentence,
                stated=each,
                words=self._share(each.sentence),
                cosine=cosines.get(text_hash(each.words)),
            )
            for each in stated
        ]
        texts = [
            Part(
                text,
                heading=row.heading,
                row=row,
                section=section,
                words=self._share(f"{row.heading}\n{text}"),
                cosine=nearness(
                    parts.near_lines.get(row.chunk_id) if row.is_line else None,
                    parts.near.get(section.chunk_id),
                ),
                dated=self._is_dated(section),
            )
            for row, section in texts_of(page, parts.chunks, parts.lines)
            for text in (_seen(page.text[slice(*_span(row))]),)
            if text.strip()
        ]
        known = found.read or {}
        return reader_answer(
            self._connection, self._question, self._voice, page.info.title, [*fields, *texts], known
        )

    def _facts(
        self,
        asked: Asked,
        found: Found,
        page: Page,
        shown: str,
        stated: Sequence[Statement],
        *,
        of_fields: bool,
    ) -> list[Fact]:
        if found.asked_by_name:
            current = [each for each in stated if facts.is_current(each, self._today)]
            return facts.fact_list(current, self._today)[: facts.MOST]
        return facts.answering(asked, page.info.title, shown, stated, forced=of_fields)

    def _passage(
        self, page: Page, found: Found, parts: _Parts
    ) -> tuple[PassageRow | None, PassageRow | None, tuple[PassageRow, ...]]:
        """The section of a page that is shown, the line of it that matters if one stands out, and others."""
        texts = [row for row in parts.chunks if row.kind != "fields"] or parts.chunks
        if not texts:
            return None, None, ()
        if found.asked_by_name:
            return texts[0], None, ()
        nearest = sorted(
            (row for row in parts.lines if row.chunk_id in parts.near_lines),
            key=lambda row: -parts.near_lines[row.chunk_id],
        )
        nearest = [*nearest[:NEAREST], *(row for row in parts.lines if row.chunk_id in found.line_readings)]
        candidates = [row for row in texts if row.chunk_id == found.unit or self._is_dated(row)]
        candidates += [row for line in nearest for row in texts if row.holds(line) and row not in candidates]
        if not candidates:
            candidates = sorted(texts, key=lambda row: -parts.near.get(row.chunk_id, 0.0))[:1]
        weighed = [self._section_weight(page, row, parts, found) for row in candidates]
        best = max(weighed, key=lambda each: each.weight)
        line = best.line or self._paragraph(page, best.row)
        if best.line is None:
            return best.row, line, ()
        others = {each: weight for one in weighed for each, weight in one.lines if each != best.line}
        least = NEARLY * max(weight for each, weight in best.lines if each == best.line)
        more = sorted((each for each in others if others[each] >= least), key=lambda each: -others[each])
        return best.row, line, tuple(more[:MOST_MORE])

    def _section_weight(self, page: Page, row: PassageRow, parts: _Parts, found: Found) -> _Weighed:
        """What speaks for a section and for its lines."""
        near, favoured = parts.near.get(row.chunk_id), row.chunk_id == found.unit
        inner = [line for line in parts.lines if row.holds(line)]
        heard = found.line_readings
        readings = {line: heard.get(line.chunk_id, FOREIGN) if heard else None for line in inner}
        read = [
            *(each for each in readings.values() if each),
            *([heard[0]] if favoured and 0 in heard else []),
        ]
        whole = self._score(page, row, near, max(read, default=FOREIGN) if heard else None)
        lines = tuple(
            (
                line,
                self._score(page, line, nearness(parts.near_lines.get(line.chunk_id), near), readings[line]),
            )
            for line in inner
        )
        line, best = max(lines, key=lambda each: each[1], default=(None, 0.0))
        if whole > best + WHOLE_LEAD and has_prose(row, inner):
            line = None
        lift = (DATED if self._is_dated(row) else 0.0) + (FAVOURED if favoured else 0.0)
        return _Weighed(row, line, max(whole, best) + lift, lines)

    def _score(self, page: Page, row: PassageRow, cosine: float | None, read: Reading | None = None) -> float:
        return score(self._share(f"{row.heading}\n{page.text[slice(*_span(row))]}"), cosine, read)

    def _paragraph(self, page: Page, row: PassageRow) -> PassageRow | None:
        """The paragraph of a long section that has more of the question's words than the others."""
        if row.length <= SHORT:
            return None
        text = page.text[slice(*_span(row))]
        bounds = [0, *(match.end() for match in _PARAGRAPH.finditer(text)), len(text)]
        spans = [(start, end) for start, end in pairwise(bounds) if text[start:end].strip()]
        shares = [self._share(text[start:end]) for start, end in spans]
        if len(spans) < 2 or max(shares) == sorted(shares)[-2]:
            return None
        start, end = spans[shares.index(max(shares))]
        length = len(text[start:end].rstrip())
        first = row.line_start + text.count("\n", 0, start)
        last = first + text.count("\n", start, start + length)
        return row.part(PARAGRAPH, row.start + start, length, first, last)

    def _is_dated(self, row: PassageRow) -> bool:
        days = self._question.days
        return bool(days and row.date and days[0] <= row.date <= days[1])

    def _standing(self, stated: Sequence[Statement]) -> Mapping[bytes, float]:
        """How far each statement stands out by its meaning from all lines, if there are enough of them."""
        if not stated or self._lines is None or self._lines.size < FEW:
            return {}
        cosines = self._lines.of_texts({text_hash(each.words) for each in stated})
        return {digest: self._lines.standing(cosine) for digest, cosine in cosines.items()}


def _seen(text: str) -> str:
    """What a reader of the page sees of a text: what stands in an address is no answer."""
    return _UNSEEN.sub(" ", text) if "](" in text or "%%" in text or "<" in text else text


def _section_and_lines(
    answer: Told, best: Part, line: PassageRow | None
) -> tuple[PassageRow | None, PassageRow | None, tuple[PassageRow, ...]]:
    """The section that is shown, the part of it that matters, and others: also the line that words chose."""
    others = [row for row in answer.more if row != line] + ([line] if line and line != best.row else [])
    return best.section, best.row if best.row != best.section else None, tuple(others)


def _cosines(near: Near | None, pages: Collection[int]) -> dict[int, float]:
    """How near each unit of these pages is to the question."""
    return {unit: cosine for _, unit, cosine in near.of_documents(pages)} if near else {}


class _Weighed(NamedTuple):
    """A section, its line that stands out, what speaks for both, and for each line."""

    row: PassageRow
    line: PassageRow | None
    weight: float
    lines: tuple[tuple[PassageRow, float], ...]


class _Parts(NamedTuple):
    """The chunks and lines of one page, and how near they are to the question."""

    chunks: list[PassageRow]
    lines: list[PassageRow]
    near: dict[int, float]
    near_lines: dict[int, float]


def _statements(page: Page, claims: Sequence[Claim]) -> list[Statement]:
    """What is stated of a page; what a field yields is not said again."""
    return list(statements(page.frontmatter, claims, (page.info.title, page.info.slug)))


def _rows_by_section(rows: Sequence[PassageRow]) -> dict[int, list[PassageRow]]:
    grouped: dict[int, list[PassageRow]] = {}
    for row in rows:
        grouped.setdefault(row.page_id, []).append(row)
    return grouped


def _span(row: PassageRow | None) -> tuple[int, int]:
    return (row.start, row.start + row.length) if row else (0, 0)
