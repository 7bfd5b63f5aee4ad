"""Which part of a page answers a question: its fields, lines, entries and paragraphs, read one by one.

Words and meaning say which parts are worth reading. Among those, what was read decides: all parts of a page
are about the same thing, so how near one of them is to the question tells little.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import apsw

from quaid.model.page import Page
from quaid.model.reading import Reading
from quaid.model.record import record
from quaid.model.statement import Statement
from quaid.search.question import Question
from quaid.search.scores import read_odds, score
from quaid.search.voice import Voice
from quaid.store.passages import Excerpt, PassageRow

MOST = 10  # parts of a page that are read
TOKENS = 300  # in all, questions included
BEHIND = 2.0  # nats, by which a part may be less likely than the best one to be shown beside it
DATED = 2.0  # nats: a part of the days that are asked for
MOST_MORE = 3  # other texts beside the best one
SHORT = 400  # characters of a section that is one passage
PARAGRAPH = "paragraph"
_BLANK = re.compile(r"\n[ \t]*\n+")
_HEADING = re.compile(r"(?:#{1,6}|\*+)[ \t][^\n]*(?:\n|\Z)\s*")

Text = tuple[PassageRow, PassageRow]  # a part, and its section


@record
class Part:
    """A part of a page: a field or fact, or a row of its text with the section in which it stands."""

    text: str
    heading: str = ""
    stated: Statement | None = None
    row: PassageRow | None = None
    section: PassageRow | None = None
    words: float = 0.0  # the share of the question's words
    cosine: float | None = None
    dated: bool = False


@record
class Told:
    """What a page says to a question: statements, the best text, and other texts, each from the best on."""

    stated: tuple[Statement, ...]
    best: Part | None
    more: tuple[PassageRow, ...]


def reader_answer(
    connection: apsw.Connection,
    question: Question,
    voice: Voice,
    title: str,
    parts: Sequence[Part],
    known: Mapping[int, Reading],
) -> Told | None:
    """What the likeliest parts of a page say; None where too little was read to tell them apart.

    `known` is what was made of some of its lines already.
    """
    heard = {
        place: known[part.row.chunk_id]
        for place, part in enumerate(parts)
        if part.row and part.row.is_line and part.row.chunk_id in known
    }
    likely = sorted(range(len(parts)), key=lambda place: -score(parts[place].words, parts[place].cosine))
    unread = {
        place: Excerpt(title, parts[place].heading, parts[place].text)
        for place in likely[:MOST]
        if place not in heard
    }
    heard |= voice.readings(connection, question, unread, TOKENS, opinions=False)
    if len(heard) < 2:
        return None
    odds = {
        place: read_odds(parts[place].words, reading) + (DATED if parts[place].dated else 0.0)
        for place, reading in heard.items()
    }
    order = sorted(odds, key=lambda place: (-odds[place], place))
    least = odds[order[0]] - BEHIND
    texts = [place for place in order if parts[place].row]
    others = [parts[place].row for place in texts[1:] if odds[place] >= least]
    stated = [parts[place].stated for place in order if odds[place] >= least]
    return Told(
        stated=tuple(each for each in stated if each),
        best=parts[texts[0]] if texts else None,
        more=tuple(row for row in others if row)[:MOST_MORE],
    )


def texts_of(page: Page, chunks: Sequence[PassageRow], lines: Sequence[PassageRow]) -> Iterator[Text]:
    """The parts of a page's text with the sections in which they stand: its lines, entries and paragraphs."""
    for chunk in chunks:
        if chunk.kind == "fields":
            continue
        inner = [line for line in lines if chunk.holds(line)]
        yield from ((line, chunk) for line in inner)
        if chunk.kind == "truth_section" and (inner or chunk.length > SHORT):
            yield from ((row, chunk) for row in _paragraphs(page.text, chunk, inner))
        else:
            yield chunk, chunk


def _paragraphs(text: str, chunk: PassageRow, lines: Sequence[PassageRow]) -> Iterator[PassageRow]:
    """What a section says besides its lines, below its heading."""
    own = text[chunk.start : chunk.start + chunk.length]
    bounds = [0, *(match.end() for match in _BLANK.finditer(own)), len(own)]
    taken = [(line.start - chunk.start, line.start - chunk.start + line.length) for line in lines]
    for start, end in pairwise(bounds):
        heading = _HEADING.match(own, start, end)
        start = heading.end() if heading else start
        end = min((first for first, _ in taken if start <= first < end), default=end)
        length = len(own[start:end].rstrip())
        if (
            length <= 0
            or any(first <= start < last for first, last in taken)
            or "|" in own[start : start + 1]
        ):
            continue
        first = chunk.line_start + own.count("\n", 0, start)
        last = first + own.count("\n", start, start + length)
        yield chunk.part(PARAGRAPH, chunk.start + start, length, first, last)
