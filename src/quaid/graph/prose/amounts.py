"""Amounts and times of day that a field and a sentence give of one thing, and whether both can be right.

`headcount: 46` and `all 63 employees`, `weight: 4.1 kg` and `6.3 kilos`: the same unit, or the same thing
counted, with numbers that are further apart than rounding. Words that speak of a part, a plan, another time
or another thing take it back. Days are left alone: a sentence often names that of something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from quaid.formats.figures import MONTHS, figures
from quaid.formats.numerals import with_figures
from quaid.formats.slugs import fold
from quaid.model.record import record

# By which share of the larger two numbers may differ that are one, and one of which is given roughly.
_NEAR, _ROUGHLY = 0.02, 0.15
_NOUNS = 3  # words after a number, of which one may be what is counted
_WORD = re.compile(r"[^\W_]+")
_DAY = re.compile(rf"(?<![\w.-])\d{{1,2}} (?:{'|'.join(MONTHS)})(?: (?:19|20)\d\d)?\b")
_CLOCK = re.compile(r"(?<![\w.:-])(\d{1,2}):(\d\d)(?![\w:])")
_AMOUNT = re.compile(
    r"(?<![\w.,:/#+-])(?P<number>\d+(?:\.\d+)?)(?![\d:/]|\.\d|-\d)(?:[\s-]?(?P<unit>%|[^\W\d_]+[²³]?))?"
)
_YEAR = re.compile(r"(?:1[89]|20)\d\d")
# Units with their spellings; most are in one already.
_SPELLED = """
% | euros | dollars | pounds | francs | kg | g | mg | km | m | cm | mm | l | ml | degrees | gb | mb | tb
m² | m³ | knots | days day | hours hour | minutes minute | months month | years year
kw kilowatts kilowatt | w watts watt
hectares hectare ha | rpm revolutions | volts v | feet ft | miles mile | mbit megabit mbps | pages page
"""
_UNITS = {
    unit: spellings.split()[0] for spellings in re.split(r"[|\n]", _SPELLED) for unit in spellings.split()
}
_FORMS = (
    (re.compile(r"\bsquare\s+met(?:re|er)s?\b|\bsq\.? ?m\b|\bm2\b", re.IGNORECASE), "m²"),
    (re.compile(r"\bcubic\s+met(?:re|er)s?\b|\bm3\b", re.IGNORECASE), "m³"),
    (re.compile(r"\bcentimet(?:re|er)s?\b", re.IGNORECASE), "cm"),
)
_PEOPLE_WORDS = "people employees staff persons heads team headcount members colleagues workers crew"
_PEOPLE = _PEOPLE_WORDS.split()
_ROUGH = re.compile(
    r"\b(?:about|around|roughly|approx\w*|nearly|almost|close\s+to|some|circa|ca|good|barely|just)\s+$|[~≈]\s*$",
    re.IGNORECASE,
)
_OTHERWISE = re.compile(
    r"\b(?:(?<!all )of\s+(?:which|them|these|those)|each|apiece|per|another|others?|sister|brother"
    r"|neighbours?|parent|plans?|planned|hop(?:es?|ing)|wants?|wanted|would|should|could|might|expect\w*|aims?|target\w*"
    r"|estimat\w*|offer\w*|asked|asking|originally|initially|used\s+to|until|till|formerly|previous\w*|earlier"
    r"|back\s+then|last\s+year\w*|extra|additional|further|deposit|instal\w*|remain\w*|rest|net|gross|tax|vat|lowest|if"
    r"|between|at\s+(?:least|most)|up\s+to|over|under|(?:more|less)\s+than|fewer|will|next|average|discount\w*"
    r"|fahrenheit|gave\s+up|so\s+far|missing|to\s+go)\b",
    re.IGNORECASE,
)
_PART = re.compile(r"(?<!all )\b\d+ of (?:the|his|her|its|our|their|my)\b", re.IGNORECASE)
_PERIOD = re.compile(
    r"\b(?:daily|weekly|monthly|quarterly|yearly|(?:an?|per)\s+(?:day|week|month|quarter|year))\b"
)


@record
class Amount:
    """A number of a unit, or of what the stems of words near it may name, and whether it is given roughly."""

    number: float
    unit: str
    nouns: frozenset[str] = frozenset()
    rough: bool = False

    def differs(self, other: Amount) -> bool:
        """Whether the two cannot be one, given how roughly they are said."""
        if self.unit == "clock":
            return self.number != other.number
        near = _ROUGHLY if self.rough or other.rough else _NEAR
        return abs(self.number - other.number) > near * max(self.number, other.number)

    def is_of(self, other: Amount) -> bool:
        """Whether both are of the same unit, or count the same."""
        return self.unit == other.unit if self.unit or other.unit else bool(self.nouns & other.nouns)


def clash(key: str, value: str, text: str) -> bool:
    """Whether a field and a sentence give two amounts of one thing."""
    own = amounts(value, key)
    if len(own) != 1 or _OTHERWISE.search(text) or _PART.search(figures(with_figures(text))):
        return False
    alike = [each for each in amounts(text) if each.is_of(own[0])]
    return len(alike) == 1 and alike[0].differs(own[0]) and _period(f"{key} {value}") in ("", _period(text))


def _period(text: str) -> str:
    """By the month, by the year."""
    found = _PERIOD.search(figures(text).lower())
    return found.group().split()[-1].removesuffix("ly")[:3] if found else ""


@lru_cache(maxsize=4_096)
def amounts(text: str, key: str = "") -> tuple[Amount, ...]:
    """The amounts of a text; of a field, its key says what is counted."""
    for form, unit in _FORMS:
        text = form.sub(unit, text)
    text = _DAY.sub(" ", figures(with_figures(text)))
    times = (Amount(60 * int(hour) + int(minute), "clock") for hour, minute in _CLOCK.findall(text))
    return (*times, *_counted_things(_CLOCK.sub(" ", text), key))


def _counted_things(text: str, key: str) -> Iterator[Amount]:
    for match in _AMOUNT.finditer(text):
        unit = _UNITS.get((match["unit"] or "").lower(), "")
        if not unit and _YEAR.fullmatch(match["number"]):
            continue
        before, after = text[: match.start()], text[match.end("number") :]
        near = (*_WORD.findall(before)[-1:], *_WORD.findall(after)[:_NOUNS], *_WORD.findall(key))
        nouns = frozenset(_stem(fold(word)) for word in near if len(word) > 3 and not word.isdigit())
        yield Amount(float(match["number"]), unit, nouns, _ROUGH.search(before) is not None)


def _stem(word: str) -> str:
    return _PEOPLE[0] if word in _PEOPLE else word[:5]
