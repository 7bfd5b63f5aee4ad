"""Which line of a notebook somebody means.

Words decide: those that few lines have count most, those that no line has speak against all. A line also
answers to its heading, and to what its file is called. Lines that fit equally well are all named.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from datetime import date
from functools import lru_cache

from quaid.formats.slugs import fold
from quaid.model.record import record
from quaid.routing import corrections, days, safeguards, values
from quaid.routing.amendments import Amendment
from quaid.routing.lists import aliases, key_of
from quaid.routing.phrase_files import sections
from quaid.routing.spellings import respelt
from quaid.routing.stems import fillers, stem, stems
from quaid.routing.values import CODES, NUMBER, Value, values_of
from quaid.routing.wordings import exchanged, substituted

ENOUGH, WELL, EQUAL = 0.5, 0.65, 0.04
OTHER_DIGITS = 1  # that a number may have more or fewer than the one whose place it takes
NEAR = 0.1  # what it gains by a number like the new one
CODE = 1000  # a number from it on may be one
COVERED = 0.3  # what a line gains all whose words are said
_FORBIDS = re.compile(r"(?:never|don't|do not|no|stop|avoid)\b", re.IGNORECASE)


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
    def stem(self) -> str:
        """The name of its file."""
        return self.path.rsplit("/", 1)[-1].removesuffix(".md")


@record
class Fit:
    """A line that is meant, or several that fit equally well, and how it was read."""

    amendment: Amendment
    lines: tuple[Line, ...]


def find(
    readings: Iterable[Amendment], lines: Sequence[Line], today: date | None = None, said: str = ""
) -> Fit | None:
    """The first reading for which there is a line, with the line, or those among which it is not clear.

    `said` is the whole sentence, which may say too little about a line to change it.
    """
    for amendment in readings:
        among = [each for each in lines if _is_in(each, amendment) and _may(amendment, each, said, today)]
        if amendment.positive:
            among = [each for each in among if not _FORBIDS.match(each.text)]
        if amendment.action == "done":
            among = [each for each in among if not each.done]
        found = _best_lines(amendment, among, today)
        if found:
            return Fit(amendment, tuple(found))
    return None


def _may(amendment: Amendment, line: Line, said: str, today: date | None) -> bool:
    if amendment.action != "corrected" and safeguards.has_rival(amendment.about, line.text):
        return False
    if not said or amendment.certain or amendment.place:
        return True
    if not safeguards.allows(said, amendment.action, line.text, today):
        return False
    pointed = amendment.action != "corrected" or amendment.recent or amendment.was
    return bool(pointed) or safeguards.is_about(said, line.text, names_of(line))


def _is_in(line: Line, amendment: Amendment) -> bool:
    if amendment.place and not _is_called(line, amendment.place):
        return False
    return not amendment.kinds or any(
        line.path.startswith(kind) or line.stem in aliases().get(kind, (kind,)) or line.stem == kind
        for kind in amendment.kinds
    )


def _is_called(line: Line, name: str) -> bool:
    wanted = fold(name)
    stem_ = fold(line.stem.replace("-", " "))
    names = next((each for each in aliases().values() if stem_ in each), (stem_,))
    return wanted in (stem_, *names) or wanted == fold(line.section) or (not wanted)


def _best_lines(amendment: Amendment, among: Sequence[Line], today: date | None) -> list[Line]:
    """The lines that fit best; one, where it is clear."""
    if not among:
        return []
    if not amendment.about:
        return _newest(amendment, among, today)
    if amendment.was:
        holding = [each for each in among if substituted(each.text, amendment.was, amendment.was, None)]
        among = holding or ([] if values.is_bare(amendment.was) or amendment.partly else among)
    scored = _line_scores(amendment, among, today)
    best = max((score for score, _ in scored), default=0.0)
    if best <= 0:
        return []
    top = [line for score, line in scored if best - score <= EQUAL]
    if len({(each.section, key_of(days.undated(each.text))) for each in top}) > 1:
        return top
    return [max(top, key=lambda each: (each.age, each.number))]


def _newest(amendment: Amendment, among: Sequence[Line], today: date | None) -> list[Line]:
    """What was just said: of the lines that have a place for the new value, the newest.

    A line that has a value of that kind comes before one to which it would be added; what is done is over.
    """
    among = [each for each in among if not each.done]
    fitting = [
        each for each in among if not amendment.now or corrections.takes(each.text, amendment.now, today)
    ]
    fitting = [each for each in fitting if not amendment.now or _is_alike(each.text, amendment.now, today)]
    holding = [each for each in fitting if amendment.now and exchanged(each.text, amendment.now, today)]
    fitting = holding or fitting
    fitting = [each for each in fitting if _is_like(each.text, amendment.now, today)] or fitting
    newest = max((each.age for each in fitting), default="")
    return [each for each in fitting if each.age == newest]


def _is_alike(text: str, now: str, today: date | None) -> bool:
    """Whether a number that is said alone has about as many digits as the one whose place it takes.

    A postcode takes the place of no telephone number.
    """
    made = exchanged(text, now, today)
    if made is None:
        return True
    kept = {each.key for each in values_of(made, today)}
    gone = [_digits(each) for each in values_of(text, today) if each.kind in CODES and each.key not in kept]
    new = [_digits(each) for each in values_of(now, today) if each.kind in CODES]
    return all(any(abs(one - other) <= OTHER_DIGITS for other in new) for one in gone)


def _is_like(text: str, now: str, today: date | None) -> bool:
    """Whether a line has a code that is written as the new one: `0x8000` for `0xc000`, and not `11.1`."""
    new, old = ([each for each in values_of(one, today) if each.kind in CODES] for one in (now, text))
    return bool(new) and {_shape(each.text) for each in new} <= {_shape(each.text) for each in old}


def _shape(code: str) -> str:
    """How a code is written: letters, digits and marks, whatever they are and however many."""
    return re.sub(r"[a-z]+", "a", re.sub(r"\d+", "9", code.lower()))


def _digits(value: Value) -> int:
    return sum(char.isdigit() for char in value.key)


def _line_scores(amendment: Amendment, among: Sequence[Line], today: date | None) -> list[tuple[float, Line]]:
    """How well each line fits; those that fit badly are left out."""
    asked = stems(f"{values.without_values(amendment.about)} {amendment.was}")
    named = values_of(amendment.about, today) if amendment.action != "corrected" else []
    holdings = [(each, stems(each.text), names_of(each)) for each in among]
    counts = {word: sum(word in own or word in names for _, own, names in holdings) for word in asked}
    weights = {word: math.log(1 + len(among) / count) for word, count in counts.items() if count}
    known = sum(weights.values())
    unknown = frozenset(word for word in asked if not counts[word]) - fillers()
    if not asked and amendment.was:
        return [(1.0, each) for each in among]
    if not known:
        return _by_name(amendment, among) or _by_value(amendment, among, today)
    found: list[tuple[float, Line]] = []
    for line, own, names in holdings:
        shared = asked & own
        subject = stems(values.without_values(days.undated(line.text)))
        covered = len(shared & subject) / len(subject) if subject else 0.0
        score = sum(weights[word] for word in asked & (own | names)) / known
        held = Held(line, own, names, asked, shared=shared, unknown=unknown, covered=covered, score=score)
        if not shared and not (asked & names and line.section and score >= WELL):
            continue
        if not _has_values(line, named, today):
            continue
        fits = {"corrected": _is_corrigible, "removed": _is_removable, "done": _is_doable}[amendment.action]
        if fits(amendment, held, today):
            found.append(
                (score + (COVERED if covered == 1.0 else 0.0) + _nearness(amendment, line, today), line)
            )
    return found


def _nearness(amendment: Amendment, line: Line, today: date | None) -> float:
    """What a line gains whose number is near the new one: a shoe of 35 was one of 34, not of 9.

    Of a number of four digits that is no sign: it may be a code.
    """
    if amendment.action != "corrected":
        return 0.0
    new, old = (
        [float(each.key) for each in values_of(text, today) if each.kind == NUMBER and each.key.isdigit()]
        for text in (amendment.now, line.text)
    )
    return NEAR if any(0 < one < CODE and 1 / 2 <= other / one <= 2 for one in new for other in old) else 0.0


@record
class Held:
    """A line beside the words that are asked for: those that it has, and those that no line has."""

    line: Line
    own: frozenset[str]
    names: frozenset[str]
    asked: frozenset[str]
    shared: frozenset[str]
    unknown: frozenset[str]
    covered: float
    score: float


def _by_name(amendment: Amendment, among: Sequence[Line]) -> list[tuple[float, Line]]:
    """Lines with a name that looks like the one that is said to be right."""
    if amendment.action != "corrected" or not amendment.recent or not amendment.now[:1].isupper():
        return []
    return [(1.0, each) for each in among if respelt(each.text, amendment.now)]


def _by_value(amendment: Amendment, among: Sequence[Line], today: date | None) -> list[tuple[float, Line]]:
    """Lines that have a value that is named, where nothing else is: `the 3pm one`."""
    named = {(each.kind, each.key) for each in values_of(amendment.about, today)}
    if not named or stems(values.without_values(amendment.about)) - fillers():
        return []
    found = [each for each in among if named & {(own.kind, own.key) for own in values_of(each.text, today)}]
    takes = {each: corrections.takes(each.text, amendment.said or amendment.now, today) for each in found}
    is_correction = amendment.action == "corrected"
    return [(1.0, each) for each in found if takes[each] == is_correction]


def _is_removable(amendment: Amendment, held: Held, today: date | None) -> bool:
    if amendment.said and corrections.takes(held.line.text, amendment.said, today):
        return False  # it has another value from now on, and stays
    if amendment.lenient or amendment.place:
        return bool(held.shared - fillers()) and held.score >= ENOUGH
    if amendment.strict and (held.unknown or held.score < 1.0 - EQUAL):
        return False
    return not held.unknown and max(held.score, held.covered) >= ENOUGH


def _is_doable(amendment: Amendment, held: Held, today: date | None) -> bool:
    if amendment.deed:
        deed = stem(amendment.deed)
        others = held.shared - {deed}
        clear = not held.unknown or len(others) > 1 or held.covered == 1.0
        return deed in held.own and bool(others) and clear and held.score >= WELL
    if amendment.lenient:
        return bool(held.shared - fillers()) and held.score >= ENOUGH
    if (held.unknown or held.score < 1.0 - EQUAL) and held.covered < 1.0:
        return False
    return max(held.score, held.covered) >= ENOUGH


def _is_corrigible(amendment: Amendment, held: Held, today: date | None) -> bool:
    """Whether a line says what a sentence says otherwise."""
    if amendment.was:
        return True
    if not corrections.is_statement(amendment):
        return not held.unknown and held.score >= ENOUGH and bool(held.shared - fillers() or held.shared)
    return corrections.corrects(amendment, held.line.path, held.line.text, held.names, today)


def _has_values(line: Line, named: Sequence[Value], today: date | None) -> bool:
    """Whether a line has the values by which it is named: of each kind that it has at all."""
    own = values_of(line.text, today)
    kinds, keys = {each.kind for each in own}, {(each.kind, each.key) for each in own}
    return all((each.kind, each.key) in keys or each.kind not in kinds for each in named)


def names_of(line: Line) -> frozenset[str]:
    """Words to which a line answers besides its own: its heading's, and those of its file."""
    return _names(line.stem, line.section)


@lru_cache(maxsize=1_024)  # many lines stand below one heading
def _names(file: str, section: str) -> frozenset[str]:
    called = fold(file.replace("-", " "))
    names = next((each for each in aliases().values() if called in each), (called,))
    extra = sections("answers").get(file, ())
    return stems(" ".join((section, *names, *extra)))
