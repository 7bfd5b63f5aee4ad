"""Values of facts as a reader compares them: amounts with units, days, places, roles and names.

`€1.9M` is `1.9M EUR`, `Hamburg` is `Hamburg, Germany`, `2014` is `March 2014`. Two values are rivals only
if both
are understood and cannot be one; what cannot be compared is no rival.
"""

from __future__ import annotations

import re
from pathlib import Path

from quaid.errors import InvalidInput
from quaid.formats.phrase_files import sections
from quaid.formats.predicates import Kind
from quaid.formats.slugs import fold
from quaid.formats.units import measure_of
from quaid.model.interval import MONTHS, parse_day
from quaid.model.record import record

_NUMBER = r"\d{1,3}(?:[,' \u202f]\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+(?:[.,]\d+)?"
_SCALE = r"(?:thousand|millions?|billion|tsd|mio|mrd|mn|mm|bn|[kmb])(?![a-z])"
_CURRENCY = r"€|us\$|\$|£|¥|\b(?:eur|usd|gbp|chf|jpy)\b"
AMOUNT = (
    rf"(?:(?:{_CURRENCY})\s?)?(?:{_NUMBER})(?:\s?{_SCALE}\.?)?(?:\s?(?:{_CURRENCY}|euros?|dollars?|pounds?))?"
)
_QUANTITY = re.compile(
    rf"(?P<before>{_CURRENCY})?\s*(?P<number>{_NUMBER})\s*(?P<scale>{_SCALE})?\.?\s*(?P<unit>[^\W\d_]+|[€$£¥%])?",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"\b(?:about|around|roughly|some|approx\w*|nearly|almost|over|more than|ca|circa|just|only)\b|[~≈+]", re.I
)
_CURRENCIES = frozenset(("eur", "usd", "gbp", "chf", "jpy"))
NEAR = 0.1  # amounts that are given roughly may differ by so much
CONVERTED = 0.04  # and those that somebody has turned into another unit, by so much
_MONTH = rf"(?:{'|'.join(f'{month[:3]}(?:{month[3:]})?' for month in MONTHS)}|sept)\.?"
DAY = (
    rf"(?:\d{{4}}-\d\d(?:-\d\d)?|\d{{1,2}}(?:st|nd|rd|th)?\.?\s+(?:of\s+)?{_MONTH}(?:,?\s+\d{{4}})?"
    rf"|{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?(?!\d)(?:,?\s+\d{{4}})?|{_MONTH},?\s+\d{{4}}|\d{{1,2}}\.\d{{1,2}}\.\d{{4}}"
    r"|(?:19|20)\d\d(?![\d-]))"
)
_A_DAY = re.compile(DAY, re.IGNORECASE)
_WORDS = sections(Path(__file__).with_name("values.txt"))


def _rows(section: str) -> list[tuple[str, str, str]]:
    return [line.partition(" = ") for line in _WORDS[section]]


_SCALES = {word: float(size) for words, _, size in _rows("scales") for word in words.split(", ")}
# Each unit as a dimension and what one of it is in the first unit of that dimension.
_UNITS = {
    word: (dimension, float(size))
    for words, _, said in _rows("units")
    for dimension, size in [said.split()]
    for word in words.split(", ")
}
_ROLES, _PLACES = ({name: usual for name, _, usual in _rows(section)} for section in ("roles", "places"))
_BESIDE, _RANK = (frozenset(" ".join(_WORDS[section]).split()) for section in ("beside", "rank"))
_KNOWN = sections(Path(__file__).with_name("places.txt"))
# Names of one word, of which a line has many, and longer ones, of which it has one.
_COUNTRIES, _CITIES = (
    frozenset(map(fold, (*" ".join(_KNOWN[kind]).split(), *_KNOWN[f"long {kind}"])))
    for kind in ("countries", "cities")
)


@record
class Quantity:
    """A number in the first unit of its dimension; without one, a bare number. `rough`: it is given
    roughly."""

    number: float
    unit: str = ""
    rough: bool = False


def quantity(text: str) -> Quantity | None:
    """The one amount that a value is, with its unit; None where it is something else."""
    match = _QUANTITY.search(text)
    if match is None:
        return None
    before, after = text[: match.start()].strip(" ~≈"), text[match.end() :]
    alone = not re.search(r"\d", after) and not re.search(r"\w", before)
    if not alone and not _ABOUT.match(text.strip()):
        return None
    number = _number(match["number"])
    scale, unit = (match["scale"] or "").lower(), (match["unit"] or "").lower()
    dimension, size = _UNITS.get((match["before"] or "").lower()) or _UNITS.get(unit) or ("", 1.0)
    if unit and not dimension and not match["before"]:
        return None
    return Quantity(number * _SCALES.get(scale, 1.0) * size, dimension, bool(_ABOUT.search(text)))


def _number(text: str) -> float:
    bare = re.sub(r"[' \u202f]", "", text)
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", bare):
        return float(bare.replace(",", ""))
    if re.fullmatch(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?", bare):
        return float(bare.replace(".", "").replace(",", "."))
    return float(bare.replace(",", "."))


def day_in(text: str, like: str = "") -> str | None:
    """The first day of a text as far as it is known: a year, a month or a day.

    One without a year has that of `like`.
    """
    match = _A_DAY.search(text)
    if match is None:
        return None
    found = match.group().lower().replace("sept ", "sep ").replace(" of ", " ")
    if re.fullmatch(r"\d{4}(?:-\d\d){0,2}", found):
        return found
    year = re.search(r"\d{4}", found)
    try:
        if year and not re.search(r"\d{1,2}(?!\d)", found.replace(year.group(), "")):
            return parse_day(found)[:7]
        if year:
            return parse_day(found)
        return parse_day(f"{found} {like[:4]}") if like[:4].isdigit() else None
    except InvalidInput:
        return None


def rivals(kind: Kind, one: str, other: str) -> bool:
    """Whether two values of one thing cannot both be right."""
    if one.strip().casefold() == other.strip().casefold():
        return False
    if kind not in ("amount", "count") and fold(one) == fold(other):
        return False
    if kind == "place":
        return _apart(one, other)
    if kind == "role":
        return _other_role(one, other)
    if kind == "day":
        return _other_day(one, other)
    measured = measure_of(_ABOUT.sub("", one)), measure_of(_ABOUT.sub("", other))
    if measured[0] and measured[1] and measured[0].unit != measured[1].unit:
        return not measured[0].agrees(measured[1], CONVERTED)
    first, second = quantity(one), quantity(other)
    if first and second:
        return _differ(first, second, kind)
    if kind in ("amount", "count"):
        return False
    days = (day_in(one), day_in(other))
    if all(days) and all(_A_DAY.fullmatch(each.strip()) for each in (one, other)):
        return _other_day(one, other)
    return not _within(_words(one), _words(other))


def _differ(one: Quantity, other: Quantity, kind: Kind) -> bool:
    if one.unit and other.unit and one.unit != other.unit:
        # Amounts in two currencies may be one, but not if the figure is the same.
        return {one.unit, other.unit} <= _CURRENCIES and one.number == other.number
    allowed = NEAR if one.rough or other.rough or kind == "count" else 0.005
    return abs(one.number - other.number) > allowed * max(abs(one.number), abs(other.number))


def _other_day(one: str, other: str) -> bool:
    first, second = day_in(one), day_in(other, day_in(one) or "")
    if first is None:
        first = day_in(one, second or "")
    if not first or not second:
        return False
    return not (first.startswith(second) or second.startswith(first))


def _apart(one: str, other: str) -> bool:
    """Whether two places are neither one nor within each other."""
    first, second = _parts(one), _parts(other)
    if not first or not second or set(first) <= set(second) or set(second) <= set(first):
        return False
    if first[0] == second[0]:
        return False  # one of them with a region, the other with a country
    if any(len(parts) == 1 and parts[0] in _COUNTRIES for parts in (first, second)):
        lands = [[part for part in parts if part in _COUNTRIES] for parts in (first, second)]
        # A city without its country may lie in the other one's.
        return all(lands)
    return not (_within(first[0].split(), second[0].split()))


def _parts(place: str) -> list[str]:
    parts = [folded for part in re.split(r"[,/()]", place) if (folded := fold(part))]
    return [_PLACES.get(part, part) for part in parts]


def is_place(text: str) -> bool:
    """Whether a text names a city or a country that everybody knows."""
    return bool(parts := _parts(text)) and any(part in _CITIES or part in _COUNTRIES for part in parts)


def role_of(text: str) -> str:
    """A role in its one spelling: `Chief Executive Officer` is ceo."""
    plain = " ".join(fold(text).replace("-", " ").split())
    for long, short in _ROLES.items():
        plain = re.sub(rf"\b{fold(long)}\b", short, plain)
    return plain


def _other_role(one: str, other: str) -> bool:
    first, second = ({word for word in role_of(each).split() if word not in _RANK} for each in (one, other))
    if not first or not second or first & second:
        return False
    return not (first & _BESIDE or second & _BESIDE)


def _words(text: str) -> list[str]:
    return fold(text).replace("/", " ").split()


def _within(one: list[str], other: list[str]) -> bool:
    return set(one) <= set(other) or set(other) <= set(one)
