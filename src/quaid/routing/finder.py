"""Which line of a notebook somebody means, and what it says after a change.

Words decide: those that few lines have count most, those that no line has count little. A line also answers
to its heading, and to what its file is called. Lines that fit equally well are all named.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from datetime import date
from functools import cache

from quaid.formats.slugs import fold
from quaid.model.record import record
from quaid.routing import days, values
from quaid.routing.amendments import Amendment
from quaid.routing.lists import aliases, key_of
from quaid.routing.phrase_files import sections
from quaid.routing.words import all_words, words_of

ENOUGH, WELL, EQUAL = 0.5, 0.65, 0.04
_FORBIDS = re.compile(r"(?:never|don't|do not|no|stop|avoid)\b", re.IGNORECASE)
_NAME = re.compile(r"(?<=\S\s)[A-Z]\w+")  # within a sentence; what begins one has a capital anyway
_SUFFIX = re.compile(r"(?:ies|ied|ings?|ed|es|s|e|y)$")


@record
class Line:
    """A line of a notebook: where it stands, what it says, whether it is ticked, and how new it is."""

    path: str
    section: str
    number: int
    text: str
    done: bool = False
    age: str = ""  # since when it stands there; the larger, the newer

    @property
    def name(self) -> str:
        """What a caller can pass to mean this line."""
        return f"{self.path}:{self.number}"

    @property
    def stem(self) -> str:
        """The name of its file."""
        return self.path.rsplit("/", 1)[-1].removesuffix(".md")


@record
class Fit:
    """A line that is meant, or several that fit equally well, and how it was read."""

    amendment: Amendment
    lines: tuple[Line, ...]


def find(readings: Iterable[Amendment], lines: Sequence[Line]) -> Fit | None:
    """The first reading for which there is a line, with the line, or those among which it is not clear."""
    for amendment in readings:
        among = [each for each in lines if _is_in(each, amendment)]
        if amendment.positive:
            among = [each for each in among if not _FORBIDS.match(each.text)]
        if amendment.action == "done":
            among = [each for each in among if not each.done]
        found = _meant(amendment, among)
        if found:
            return Fit(amendment, tuple(found))
    return None


def _is_in(line: Line, amendment: Amendment) -> bool:
    if amendment.place and not _is_called(line, amendment.place):
        return False
    return not amendment.kinds or any(
        line.path.startswith(kind) or line.stem in aliases().get(kind, (kind,)) or line.stem == kind
        for kind in amendment.kinds
    )


def _is_called(line: Line, name: str) -> bool:
    wanted = fold(name)
    stem = fold(line.stem.replace("-", " "))
    names = next((each for each in aliases().values() if stem in each), (stem,))
    return wanted in (stem, *names) or wanted == fold(line.section) or (not wanted)


def _meant(amendment: Amendment, among: Sequence[Line]) -> list[Line]:
    """The lines that fit best; one, where it is clear."""
    if not among:
        return []
    if not amendment.about:
        fitting = [each for each in among if _takes(each, amendment.now)] or [
            each for each in among if _lacks_time(each, amendment.now)
        ]
        newest = max((each.age for each in fitting), default="")
        return [each for each in fitting if each.age == newest]
    if amendment.was:
        holding = [each for each in among if values.substituted(each.text, amendment.was, "x", None)]
        if not holding and amendment.about != amendment.was and not amendment.now:
            return []
        among = holding or (
            [] if values.is_bare(amendment.was) or amendment.about == amendment.now else among
        )
    scored = _scored(amendment, among)
    best = max((score for score, _ in scored), default=0.0)
    if best <= 0:
        return []
    top = [line for score, line in scored if best - score <= EQUAL]
    if amendment.action == "corrected" and not amendment.was and values.is_bare(amendment.now):
        top = [each for each in top if _takes(each, amendment.now)] or top
    if len({(each.section, key_of(days.undated(each.text))) for each in top}) > 1:
        return top
    return [max(top, key=lambda each: (each.age, each.number))]


def _takes(line: Line, now: str) -> bool:
    """Whether a line has places for the values that are said anew; every line can go."""
    return not now or values.exchanged(line.text, now, None) is not None


def _lacks_time(line: Line, now: str) -> bool:
    """Whether a line has a day and no time, and a time is said."""
    kinds = {each.kind for each in values.values_of(line.text)}
    return (
        {each.kind for each in values.values_of(now)} == {"time"} and "day" in kinds and "time" not in kinds
    )


def _scored(amendment: Amendment, among: Sequence[Line]) -> list[tuple[float, Line]]:
    """How well each line fits; those that fit badly are left out."""
    asked = stems(f"{values.without_values(amendment.about)} {_words_of_values(amendment)}")
    if not asked:
        asked = stems(amendment.about)
    holdings = [(each, stems(each.text), _names(each)) for each in among]
    counts = {word: sum(word in own or word in names for _, own, names in holdings) for word in asked}
    weights = {word: math.log(1 + len(among) / count) for word, count in counts.items() if count}
    known = sum(weights.values())
    named = stems(values.without_values(amendment.about))
    unknown = len([word for word in asked & named if not counts[word]])
    if not known or (unknown > len(weights) and not _is_statement(amendment) and not amendment.lenient):
        return []
    found: list[tuple[float, Line]] = []
    for line, own, names in holdings:
        shared = asked & own
        if amendment.action == "corrected" and not _is_about(amendment, asked, own | names):
            continue
        score = sum(weights[word] for word in asked & (own | names)) / known
        subject = stems(values.without_values(days.undated(line.text)))
        covered = len(shared & subject) / len(subject) if subject else 0.0
        if not shared and not (asked & names and line.section and score >= WELL):
            continue
        is_vague = unknown > 0 or score < 1.0 - EQUAL
        if amendment.action == "done" and is_vague and covered < 1.0 and not amendment.lenient:
            continue
        if amendment.action == "removed" and unknown and not (amendment.place or amendment.lenient):
            continue
        if covered == 1.0:
            score += 0.3
        if amendment.action == "corrected" and not _is_corrigible(amendment, line, shared, covered):
            continue
        if max(score, covered) >= ENOUGH:
            found.append((score, line))
    return found


def _is_about(amendment: Amendment, asked: frozenset[str], own: frozenset[str]) -> bool:
    """Whether a line can be about what a correction is about.

    One word of three is chance. And what a sentence begins with, or gives a capital letter, is what it speaks
    of: the size of one person's shoes is no correction of another's.
    """
    if 3 * len(asked & own) <= len(asked):
        return False
    about = values.without_values(amendment.about)
    named = stems(" ".join(_NAME.findall(about))) & asked
    first = next((word for each in about.split() for word in stems(each) if word in asked), None)
    return bool(amendment.was) or (named <= own and (first is None or first in own))


def _words_of_values(amendment: Amendment) -> str:
    """Words that count although they are values: of what goes, not of what comes."""
    if amendment.action == "corrected":
        return amendment.was
    return " ".join(each.text for each in values.values_of(amendment.about))


def _is_statement(amendment: Amendment) -> bool:
    return amendment.action == "corrected" and amendment.about == amendment.now


def _is_corrigible(amendment: Amendment, line: Line, shared: frozenset[str], covered: float) -> bool:
    """Whether a line says what a sentence says otherwise: the same kind of value, or most of its words."""
    if amendment.was or not _is_statement(amendment):
        return True
    new = {each.kind for each in values.values_of(amendment.now)}
    old = {each.kind for each in values.values_of(line.text)}
    if old and not new and not amendment.recent:
        return False  # a number must not go where none is said
    if new & old and line.section and stems(line.section) & stems(amendment.about):
        return True
    if new & old:
        return covered >= ENOUGH or len(shared) > 1 or amendment.recent
    return covered >= WELL or (len(shared) > 1 and covered >= ENOUGH) or (amendment.recent and bool(shared))


def amended(amendment: Amendment, line: Line, today: date | None) -> str:
    """What a line says from now on."""
    now = amendment.now
    if not amendment.partly and stems(values.without_values(now)) <= stems(line.text):
        new = values.exchanged(line.text, now, today)
        if new:
            return new
    if amendment.was:
        words = values.aligned(line.text, now, amendment.was) if amendment.partly else now
        new = values.substituted(line.text, amendment.was, words, today) if words else None
        if new:
            return new
    if amendment.whole or (not values.values_of(now) and _is_statement(amendment)):
        return _stated(now, today)
    rest = stems(values.without_values(now)) - stems("now new moved changed")
    if values.is_bare(now) or rest <= stems(line.text) | _names(line):
        new = values.exchanged(line.text, now, today)
        if new:
            return new
    if values.is_bare(now):
        return f"{line.text}, {_stated(now, today)}"
    return _stated(now, today)


def _stated(now: str, today: date | None) -> str:
    return days.dated(now, today) if today else now


def _names(line: Line) -> frozenset[str]:
    """Words to which a line answers besides its own: its heading's, and those of its file."""
    stem = fold(line.stem.replace("-", " "))
    names = next((each for each in aliases().values() if stem in each), (stem,))
    extra = sections("answers").get(line.stem, ())
    return stems(" ".join((line.section, *names, *extra)))


def stems(text: str) -> frozenset[str]:
    """The words of a text that say what it is about, without their endings."""
    words = words_of(text) or frozenset(each for each in all_words(text) if len(each) > 2)
    return frozenset(_stem(word) for word in words)


def _stem(word: str) -> str:
    shorter = _shortened(word)
    return _same().get(shorter, shorter)


def _shortened(word: str) -> str:
    word = word.removesuffix("'s")
    shorter = _SUFFIX.sub("", word)
    return shorter if len(shorter) > 2 else word


@cache
def _same() -> dict[str, str]:
    """Words that count as others, by their stems."""
    pairs = (line.split() for line in sections("amendments")["same"])
    return {_shortened(one): _shortened(other) for one, other in pairs}
