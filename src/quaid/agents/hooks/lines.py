"""Lines of the memory that may help with a prompt, each with a score that was measured for that purpose.

Nobody asked for them, so a line must fit by itself: not only the section in which it stands. The score is the
cosine of prompt and line and the share of the prompt's words that the line has, rare words counting more. The
reranker reads the few lines that may be enough, and what it says is added.
Figures are in docs/benchmarks-search.md; bench/hooks.py makes them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import apsw

from quaid.app import App
from quaid.embed.embedder import stream
from quaid.errors import QuaidError
from quaid.formats.segments import alternatives
from quaid.model.chunk import text_hash
from quaid.model.page import PageInfo
from quaid.model.record import fill, record
from quaid.search import passages
from quaid.search.passages import Passage
from quaid.search.question import read_question
from quaid.search.scores import MEASURED, TYPICAL, Coverage
from quaid.search.voice import TOKENS, UNRELATED, bounded
from quaid.store import candidates, pages, terms
from quaid.store.filters import PageFilter

if TYPE_CHECKING:
    from quaid.search.evidence import Meaning

WORDS_WEIGHT = 0.25  # of all words of a prompt, against a cosine of one
NAMED = 0.05  # for a line of a page that the prompt names with one word
NAMED_FULLY = 0.12  # with several
NAMED_WORDS = 0.3  # the same by words alone
# By meaning: below it, most lines have nothing to do with the prompt. The more lines there are, the nearer
# one comes by chance; so the threshold grows with their number.
LEAST, GROWTH = 0.6, 0.0165
LINES_OF_CHUNK = 4
OWN = 0.02  # for a prompt that speaks of what is the person's
ASKED = 0.03  # for a question: it wants to know something, where an order wants something done
MOST_READ = 6  # lines that it reads: a prompt does not wait long
REACH = 0.1  # below the threshold, for a line to be worth reading
LEAST_WORDS = 0.34  # the same by words alone
LEAST_OF_FEW = 0.75  # of a prompt with two words at most
PASSAGES = 24  # whose lines are looked at
MOST_LINES = 100
MOST_EMBEDDED = 4  # lines of which the memory has no vector: a prompt does not wait for more
LONGEST = 400  # characters of a line; of a longer one, each sentence is a line
SHORTEST = 8

_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+(?=\S)|(?<=[。！？])")
_MARK = re.compile(r"^\s*(?:[-*+]|\d+[.)]|#+|\|)?\s*(?:\[[ xX]\]\s*)?")
_FIRST_PERSON = re.compile(r"\b(?:my|mine|our|ours|we|us|I|me)\b")
_QUESTION = re.compile(r"\?|^(?:who|whose|whom|when|where|which|what|how|why)\b", re.IGNORECASE)
_WORD = re.compile(r"\w+")
_RULE = re.compile(r"[\s|:=*_#-]*")


@record
class Hearing:
    """What counts of what the reranker says of a line."""

    logit: float  # beyond what it says of anything
    answers: float  # of the log odds that the line answers
    least: float  # by which the threshold is another where it has read the lines


# A line that is only about the same things does not help with a question. No line answers an order.
QUESTION = Hearing(logit=0.005, answers=0.03, least=-0.025)
ORDER = Hearing(logit=0.01, answers=0.0, least=0.01)


@record
class Line:
    """A line of a page, whole; `score` says how sure it is that it helps, `enough` whether to show it."""

    key: str
    page: PageInfo
    heading: str
    number: int  # in its file or text; 0 where the line is what the page is about
    text: str
    score: float
    enough: bool


@record
class _Candidate:
    key: str
    page: PageInfo
    heading: str
    number: int
    text: str
    name: str  # by which the prompt names the page
    scored: str  # with its heading, where the prompt speaks of that: "Phone: 555-0134" alone says nothing


def lines(app: App, asked: str, meaning: Meaning | None) -> list[Line]:
    """The lines that fit a prompt, the best first."""
    with app.store.read() as connection:
        named = _candidates_by_name(app, asked)
        words = alternatives(asked)
        wanted = PASSAGES if meaning or len(words) > 1 else 0
        found = passages.find(connection, asked, [PageFilter()], wanted, meaning) if wanted else []
        names = {each.page.id: each.name for each in named}
        mentioned = set(_WORD.findall(asked.casefold()))
        units = [*named, *(unit for each in found for unit in _units(each, names, mentioned))][:MOST_LINES]
        coverage = Coverage(connection, words)
        shares = [coverage.of(unit.scored) for unit in units]
    cosines = _cosines(app, meaning, [unit.scored for unit in units]) if meaning else None
    least = _least(connection) if cosines else LEAST_WORDS if len(words) > 2 else LEAST_OF_FEW
    extra = (OWN if _FIRST_PERSON.search(asked) else 0.0) + (ASKED if _QUESTION.search(asked) else 0.0)
    fully = NAMED_FULLY if cosines else NAMED_WORDS
    scores: list[float] = []
    for place, unit in enumerate(units):
        score = cosines[place] + WORDS_WEIGHT * shares[place] + extra if cosines else shares[place]
        scores.append(score + ((fully if " " in unit.name else NAMED) if unit.name else 0.0))
    if cosines:
        scores, least = _scores_with_reader(app, asked, [unit.text for unit in units], scores, least)
    results = [
        fill(Line, unit, score=round(score, 4), enough=score >= least)
        for unit, score in zip(units, scores, strict=True)
    ]
    return sorted(results, key=lambda each: -each.score)


def _scores_with_reader(
    app: App, asked: str, texts: Sequence[str], scores: Sequence[float], least: float
) -> tuple[list[float], float]:
    """Scores with what the reranker says of lines that may be enough; and the score that is enough then."""
    best = sorted(range(len(scores)), key=lambda place: -scores[place])[:MOST_READ]
    best = [place for place in best if scores[place] >= least - REACH]
    voice = app.models.voice()[0] if best else None
    if voice is None or not voice.reranker.reads(asked):
        return list(scores), least
    heard, weights = list(scores), QUESTION if _QUESTION.search(asked) else ORDER
    readings = voice.reranker.readings(asked, [texts[place] for place in best], TOKENS)
    for place, read in zip(best, readings, strict=False):
        heard[place] += weights.logit * max(0.0, read.logit - UNRELATED)
        heard[place] += weights.answers * bounded(read.answers)
    return heard, least + weights.least


def _least(connection: apsw.Connection) -> float:
    """The score from which on a line helps, in a memory of this size."""
    total = LINES_OF_CHUNK * terms.word_counts(connection, "chunk")[0]
    return LEAST + GROWTH * math.log(max(2, total))


def _candidates_by_name(app: App, asked: str) -> list[_Candidate]:
    """What the pages are about that a prompt names."""
    question = read_question(asked)
    names = {question.whole, *question.names}
    found = candidates.pages_by_names(app.connection, names, question.whole, PageFilter(), 5)
    results = []
    for page, name in dict(reversed(found)).items():
        info = pages.info(app.connection, page)
        about = info.summary or pages.searched_text(app.connection, page)[0][: 2 * LONGEST]
        first = next(_pieces(about), "")
        text = first if info.title.casefold() in first.casefold() else f"{info.title}: {first}"
        results.append(_Candidate(f"page {page}", info, "", 0, text, name, scored=text))
    return results


def _units(passage: Passage, names: Mapping[int, str], mentioned: set[str]) -> Iterator[_Candidate]:
    """The lines of a passage; of a long line, its sentences."""
    info, row = passage.page.info, passage.row
    is_mentioned = any(len(word) > 2 and word in mentioned for word in _WORD.findall(row.heading.casefold()))
    for number, line in enumerate(passage.text.split("\n"), start=row.line_start):
        if line.lstrip().startswith(("# ", "## ", "### ", "#### ", "#+", ":")):
            continue  # a heading, or a property of Org, is no fact
        for piece in _pieces(line):
            key = f"{info.id} {number} {piece[:40]}"
            scored = f"{row.heading}: {piece}" if is_mentioned else piece
            yield _Candidate(key, info, row.heading, number, piece, names.get(info.id, ""), scored=scored)


def _pieces(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        clean = _MARK.sub("", line, count=1).strip()
        if len(clean) < SHORTEST or _RULE.fullmatch(clean):
            continue
        yield from (
            [clean]
            if len(clean) <= LONGEST
            else (each for each in _SENTENCE_END.split(clean) if len(each) >= SHORTEST)
        )


def _cosines(app: App, meaning: Meaning, texts: Sequence[str]) -> list[float] | None:
    """How near each line is to the prompt, on the scale of the model for which the thresholds hold."""
    name = app.models.current().name
    near = _stored_likeness(app, meaning, texts)
    unknown = [text for text in dict.fromkeys(texts) if text not in near][:MOST_EMBEDDED]
    try:
        rows = [row for matrix in stream(app.models.embedder(name), unknown) for row in matrix]
    except QuaidError:
        return None
    near |= {text: float(row @ meaning.vector) for text, row in zip(unknown, rows, strict=True)}
    cosines = [near.get(text, 0.0) for text in texts]
    if name == MEASURED or not near:
        return cosines
    middle = min(0.99, sum(near.values()) / len(near))
    return [TYPICAL + (cosine - middle) * (1 - TYPICAL) / (1 - middle) for cosine in cosines]


def _stored_likeness(app: App, meaning: Meaning, texts: Sequence[str]) -> dict[str, float]:
    """How near the lines are of which the memory has the vector."""
    if meaning.lines is None:
        return {}
    hashes = {text_hash(text): text for text in texts}
    with app.store.read() as connection:
        near = meaning.lines.near(connection, meaning.vector).of_texts(hashes)
    return {hashes[digest]: cosine for digest, cosine in near.items()}
