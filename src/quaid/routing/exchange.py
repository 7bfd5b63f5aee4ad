"""Which words of a sentence take the place of which words of a line.

A network marks them (`Judge.marks`): words of the sentence that are written into the line, and words of the
line that go. `labelled` says the same of a line whose new wording is known, for those who teach or weigh.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

from quaid.formats.figures import MONTHS, WEEKDAYS, figures
from quaid.model.record import record, replace
from quaid.routing.stems import fillers, stem, stems

NOTED = r"\s*\((?:\d{4}(?:-\d\d){0,2})\)"  # the day of the calendar beside a day that is named
_WORD = re.compile(r"\w+(?:[.:,/'’@+&-]\w+)*|[^\w\s]")
_NOTE = re.compile(NOTED)
_ENDING = re.compile(r"(?<=\d)(?:st|nd|rd|th|\s?am|\s?pm|h)$|['’]s$")
_SHORT = {name.lower()[:3] for name in (*WEEKDAYS, *MONTHS)}
GAP = 1  # words between two that are taken over which are taken with them
FAR = 12  # characters between parts of a sentence that do not belong together
MARKED = 0.5
UNSURE = 3.0  # how much doubt there may be about all words together
LIKELIEST = 0.97  # how sure a network may be of a word


class Word(NamedTuple):
    """A word or a mark of a text, and where it stands; the note of a day belongs to the word before it."""

    text: str
    start: int
    end: int


@record
class Marks:
    """How probable it is that each word of a sentence is written into a line, and each of the line goes."""

    said: tuple[float, ...]
    line: tuple[float, ...]


class Span(NamedTuple):
    """A part of a line, and what is written there."""

    start: int
    end: int
    text: str


Marker = Callable[[Sequence[str], Sequence[str]], "list[float] | None"]


def words(text: str) -> list[Word]:
    """The words of a text without the notes of its days."""
    notes = [(each.start(), each.end()) for each in _NOTE.finditer(text)]
    found = [
        Word(each[0], each.start(), each.end())
        for each in _WORD.finditer(text)
        if not any(start <= each.start() < end for start, end in notes)
    ]
    ends = dict(notes)
    return [each._replace(end=ends.get(each.end, each.end)) for each in found]


def marks_of(said: str, line: str, marker: Marker) -> Marks | None:
    """What the network marks of a sentence and a line, if it is sure enough of that as a whole."""
    mine, theirs = ([each.text for each in words(text)] for text in (said, line))
    found = marker(mine, theirs)
    if not found or sum(-math.log(max(each, 1 - each)) for each in found) > UNSURE:
        return None
    return Marks(tuple(found[: len(mine)]), tuple(found[len(mine) :]))


def with_gone(marks: Marks, line: str, gone: frozenset[str]) -> Marks:
    """Marks by which some words of a line go, since somebody says so."""
    own = words(line)
    told = (
        LIKELIEST if stem(word.text.lower()) in gone else chance
        for word, chance in zip(own, marks.line, strict=True)
    )
    return replace(marks, line=tuple(told))


def word_labels(said: str, line: str, made: str) -> tuple[list[bool], list[bool], float]:
    """Which words are taken over and which are gone once a line says something else.

    The last is the share of the new words that the sentence has.
    """
    mine, own, new = ([_plain(each.text) for each in words(text)] for text in (said, line, made))
    gone, taken = [False] * len(own), [False] * len(mine)
    wanted = found = 0
    for kind, start, end, first, last in SequenceMatcher(None, own, new, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        gone[start:end] = [True] * (end - start)
        run = new[first:last]
        places = _places(run, mine, taken)
        wanted += sum(any(char.isalnum() for char in word) for word in run)
        found += sum(any(char.isalnum() for char in mine[place]) for place in places)
        for place in places:
            taken[place] = True
        for one, other in pairwise(places):
            if 1 < other - one <= GAP + 1:
                taken[one:other] = [True] * (other - one)
    return taken, gone, found / wanted if wanted else 1.0


def surprise(said: str, line: str, made: str, marks: Marks) -> float:
    """How little a new wording of a line is what the network marks; 0 if it is that exactly."""
    taken, gone, _ = word_labels(said, line, made)
    told = (*zip(marks.said, taken, strict=True), *zip(marks.line, gone, strict=True))
    chances = (min(LIKELIEST, max(1 - LIKELIEST, odds if is_so else 1 - odds)) for odds, is_so in told)
    return sum(-math.log(chance / LIKELIEST) for chance in chances)


def wordings(said: str, line: str, marks: Marks) -> Iterator[tuple[Span, ...]]:
    """The parts of a line that go, each with what is written there instead, as the network marks them.

    A part that is empty is a place where something is added; one that becomes nothing is left out.
    """
    for gaps in ((0, 0), (GAP, GAP), (GAP, 0), (0, GAP)):
        mine, own = (
            _runs(words(text), odds, gap)
            for text, odds, gap in zip((said, line), (marks.said, marks.line), gaps, strict=True)
        )
        yield from _exchanges(said, line, mine, own)
        for wider in _wider_spans(said, line, mine):
            yield from _exchanges(said, line, wider, own)


def _wider_spans(said: str, line: str, runs: Sequence[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """Parts of a sentence with a word beside them that the line has not: `space rockets`, not `space`."""
    known = stems(line) | fillers()
    fresh = [each for each in words(said) if each.text.isalpha() and stem(each.text.lower()) not in known]
    after = {each.start: each.end for each in fresh}
    before = {each.end: each.start for each in fresh}
    left = [(before.get(start - 1, start), end) for start, end in runs]
    right = [(start, after.get(end + 1, end)) for start, end in runs]
    yield from (each for each in (left, right) if each != runs)


def _exchanges(
    said: str, line: str, mine: Sequence[tuple[int, int]], own: Sequence[tuple[int, int]]
) -> Iterator[tuple[Span, ...]]:
    """What becomes of parts of a line if those of a sentence take their places."""
    told = [said[start:end] for start, end in mine]
    if len(mine) == len(own):
        yield tuple(Span(start, end, text) for (start, end), text in zip(own, told, strict=True))
    elif len(own) == 1:
        far = any(after[0] - before[1] > FAR for before, after in pairwise(mine))
        yield (Span(*own[0], ", ".join(told) if far else said[mine[0][0] : mine[-1][1]] if mine else ""),)
    elif not own:
        yield (Span(len(line), len(line), f", {said[mine[0][0] : mine[-1][1]]}"),)
    elif len(mine) == 1:
        for place in own:
            yield (Span(*place, told[0]),)
        # What is said stands where the last of them stood, or the first.
        for number in (len(own) - 1, 0):
            yield tuple(Span(*place, told[0] if other == number else "") for other, place in enumerate(own))


def _runs(found: Sequence[Word], odds: Sequence[float], gap: int) -> list[tuple[int, int]]:
    """Where words stand together that are marked; few between two of them belong to both."""
    runs: list[list[int]] = []
    for place, chance in enumerate(odds):
        if chance < MARKED:
            continue
        if runs and place - runs[-1][1] <= gap:
            runs[-1][1] = place + 1
        else:
            runs.append([place, place + 1])
    return [(found[first].start, found[last - 1].end) for first, last in runs]


def _places(run: Sequence[str], mine: Sequence[str], taken: Sequence[bool]) -> list[int]:
    """Where a sentence has the words of a run, in their order."""
    free = [word if not used else "" for word, used in zip(mine, taken, strict=True)]
    blocks = SequenceMatcher(None, run, free, autojunk=False).get_matching_blocks()
    return [place for block in blocks for place in range(block.b, block.b + block.size)]


def _plain(word: str) -> str:
    """A word as it is compared: numbers, days and months in one spelling."""
    low = _ENDING.sub("", figures(word.lower()).lower())
    short = low[:3]
    is_day = short in _SHORT and any(
        name.lower().startswith(low.rstrip("s")) for name in (*WEEKDAYS, *MONTHS)
    )
    return short if is_day else low
