"""Amounts and times of day that a field and a sentence give of one thing, and whether both can be right.

`headcount: 46` and `all 63 employees`, `weight: 4.1 kg` and `14 pounds`: units of one dimension, or the same
thing counted, with numbers that are further apart than rounding. Words that speak of a part, a plan, another
time or another thing take it back. Days are left alone: a sentence often names that of something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from quaid.formats.figures import MONTHS, figures
from quaid.formats.numerals import with_figures
from quaid.formats.slugs import fold
from quaid.formats.units import Measure, measures
from quaid.formats.values import CONVERTED
from quaid.model.record import record

# By which share of the larger two numbers may differ that are one, and one of which is given roughly.
_NEAR, _ROUGHLY = 0.02, 0.15
_NOUNS = 3  # words after a number, of which one may be what is counted
_WORD = re.compile(r"[^\W_]+")
_OTHER_KIND = 0.8  # numbers of two units that are further apart are of two things
_DAY = re.compile(rf"(?<![\w.-])\d{{1,2}} (?:{'|'.join(MONTHS)})(?: (?:19|20)\d\d)?\b")
_CLOCK = re.compile(r"(?<![\w.:-])(\d{1,2}):(\d\d)(?![\w:])")
_COUNT = re.compile(r"(?<![\w.,:/#+-])(?P<number>\d+(?:\.\d+)?)(?![\d:/]|\.\d|-\d)")
_YEAR = re.compile(r"(?:1[89]|20)\d\d")
_PEOPLE_WORDS = "people employees staff persons heads team headcount members colleagues workers crew"
_PEOPLE = _PEOPLE_WORDS.split()
# What a place holds, by which words whoever: `capacity: 80`, `seats 120 people`.
_ROOM = frozenset("capacity seats seat seating holds accommodates sleeps fits allows".split())  # noqa: SIM905
_ROUGH = re.compile(
    r"\b(?:(?:a\s+(?:little|bit)|just|slightly|well)\s+(?:over|under|above|below|(?:more|less|fewer)\s+than)|about|around|roughly|approx\w*|nearly|almost|close\s+to|some|circa|ca|good|barely|just)\s+$|[~≈]\s*$",
    re.IGNORECASE,
)
_OTHERWISE = re.compile(
    r"\b(?:(?<!all )of\s+(?:which|them|these|those)|each|apiece|per|another|others?|sister|brother"
    r"|neighbours?|parent|plans?|planned|hop(?:es?|ing)|wants?|wanted|would|should|could|might|expect\w*|aims?|target\w*"
    r"|estimat\w*|offer\w*|asked|asking|originally|initially|used\s+to|until|till|formerly|previous\w*|earlier"
    r"|back\s+then|last\s+year\w*|extra|additional|further|deposit|instal\w*|remain\w*|rest|net|gross|tax|vat|lowest|if"
    r"|between|at\s+(?:least|most)|up\s+to|over|under|(?:more|less)\s+than|fewer|will|next|average|discount\w*"
    r"|gave\s+up|so\s+far|missing|to\s+go)\b",
    re.IGNORECASE,
)
_PART = re.compile(r"(?<!all )\b\d+ of (?:the|his|her|its|our|their|my)\b", re.IGNORECASE)
# Words by which a number is a bound, or counts only some of what there is: `two of her kids`, `another two`.
_FAR = r"(?<!little )(?<!just )(?<!bit )(?<!slightly )"  # `just over` is about that
_LEAST = re.compile(
    rf"{_FAR}\b(?:at\s+least|over|above|(?:more|no\s+(?:less|fewer))\s+than)\s+$",
    re.IGNORECASE,
)
_OR_MORE = re.compile(r"\s*\+|\s+(?:[\w-]+\s+)?or\s+more\b", re.IGNORECASE)
_MOST = re.compile(
    rf"{_FAR}\b(?:at\s+most|up\s+to|under|below|(?:less|fewer|no\s+more)\s+than|(?:a\s+)?maximum\s+of)\s+$",
    re.IGNORECASE,
)
_OR_LESS = re.compile(r"\s+(?:[\w-]+\s+)?or\s+(?:less|fewer)\b", re.IGNORECASE)
_SOME_OF = re.compile(
    r"\s+(?:[\w-]+\s+)?of\s+(?:the|these|those|them|her|his|its|their|our|my|your|[A-Z]\w+['’]s)\b"
)
_AMONG = re.compile(
    r"\b(?:another|(?:the|her|his|its|their|our|my)\s+(?:first|last|other|next))\s+$", re.IGNORECASE
)
_PERIOD = re.compile(
    r"\b(?:daily|weekly|monthly|quarterly|yearly|(?:an?|per)\s+(?:day|week|month|quarter|year))\b"
)


@record
class Amount:
    """A number, with its unit or the stems of words near it that may say what is counted."""

    number: float
    measure: Measure | None = None
    nouns: frozenset[str] = frozenset()
    rough: bool = False
    bound: str = ""  # "least", "most" or "part": that it is not the whole number
    clock: bool = False

    def differs(self, other: Amount) -> bool:
        """Whether the two cannot be one, given how roughly they are said."""
        if self.clock:
            return self.number != other.number
        near = _ROUGHLY if self.rough or other.rough else _NEAR
        if self.measure and other.measure:
            near = near if self.measure.unit == other.measure.unit else max(near, CONVERTED)
            return not self.measure.agrees(other.measure, near)
        return abs(self.number - other.number) > near * max(self.number, other.number)

    def is_of(self, other: Amount) -> bool:
        """Whether both are of the same dimension, or count the same."""
        if self.clock or other.clock:
            return self.clock and other.clock
        if self.measure and other.measure:
            return bool(self.measure.dimensions & other.measure.dimensions)
        return not (self.measure or other.measure) and bool(self.nouns & other.nouns)

    def is_another_kind(self, other: Amount) -> bool:
        """Whether it is something else by its unit, where no word says the same: kilometres of a height."""
        if not (self.measure and other.measure) or self.measure.unit == other.measure.unit:
            return False
        return not self.nouns & other.nouns and not self.measure.agrees(other.measure, _OTHER_KIND)

    def fits(self, whole: Amount) -> bool:
        """Whether it is a part of a whole number, or a bound within which that lies."""
        if not self.bound:
            return not self.differs(whole)
        return self.number >= whole.number if self.bound == "most" else self.number <= whole.number


def clash(key: str, value: str, text: str) -> bool:
    """Whether a field and a sentence give two amounts of one thing."""
    own = amounts(value, key)
    if len(own) != 1 or _OTHERWISE.search(text) or _PART.search(figures(with_figures(text))):
        return False
    alike = [each for each in amounts(text) if each.is_of(own[0]) and not each.is_another_kind(own[0])]
    return len(alike) == 1 and alike[0].differs(own[0]) and _period(f"{key} {value}") in ("", _period(text))


def agree(key: str, value: str, text: str) -> bool:
    """Whether a field is a number, and a sentence gives the same one, in whatever unit, or a part of it."""
    own = amounts(value, key)
    if len(own) != 1 or own[0].clock or len(_WORD.findall(value)) > _NOUNS + 1:
        return False
    said = amounts(text)
    if own[0].measure:
        alike = [each for each in said if each.is_of(own[0])]
        return bool(alike) and not any(each.differs(own[0]) for each in alike)
    counts = [each for each in said if not each.measure and not each.clock]
    return any(each.bound for each in counts) and all(each.fits(own[0]) for each in counts)


def agree_converted(one: str, other: str) -> bool:
    """Whether the only numbers of two texts are the same amounts in other units."""
    first, second = amounts(one), amounts(other)
    if not len(first) == len(second) > 0:
        return False
    pairs = list(zip(first, second, strict=True))
    units = [(a.measure.unit, b.measure.unit) for a, b in pairs if a.measure and b.measure]
    agreed = all(a.is_of(b) and not a.differs(b) for a, b in pairs)
    return agreed and len(units) == len(pairs) and any(a != b for a, b in units)


def _period(text: str) -> str:
    """By the month, by the year."""
    found = _PERIOD.search(figures(text).lower())
    return found.group().split()[-1].removesuffix("ly")[:3] if found else ""


@lru_cache(maxsize=4_096)
def amounts(text: str, key: str = "") -> tuple[Amount, ...]:
    """The amounts of a text; of a field, its key says what is counted."""
    text = _DAY.sub(" ", figures(with_figures(text)))
    times = (Amount(60 * int(hour) + int(minute), clock=True) for hour, minute in _CLOCK.findall(text))
    return (*times, *_counted_things(_CLOCK.sub(" ", text), key))


def _counted_things(text: str, key: str) -> Iterator[Amount]:
    measured = measures(text)
    for match in _COUNT.finditer(text):
        measure = next((each for each in measured if each.start <= match.start() < each.end), None)
        if measure and measure.start < match.start():
            continue  # of two numbers that are one, the first one
        if not measure and _YEAR.fullmatch(match["number"]):
            continue
        before, after = text[: match.start()], text[match.end("number") :]
        near = (*_WORD.findall(before)[-1:], *_WORD.findall(after)[:_NOUNS], *_WORD.findall(key))
        nouns = frozenset(_stem(fold(word)) for word in near if len(word) > 3 and not word.isdigit())
        rough = _ROUGH.search(before) is not None
        yield Amount(float(match["number"]), measure, nouns, rough, _bound(before, after))


def _bound(before: str, after: str) -> str:
    """Whether words around a number say that the whole one is larger, or smaller."""
    if _LEAST.search(before) or _OR_MORE.match(after):
        return "least"
    if _MOST.search(before) or _OR_LESS.match(after):
        return "most"
    return "part" if _SOME_OF.match(after) or _AMONG.search(before) else ""


def _stem(word: str) -> str:
    if word in _ROOM:
        return "capac"
    return _PEOPLE[0] if word in _PEOPLE else word[:5]
