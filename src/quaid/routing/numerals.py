"""Numbers and days that somebody says in several words, in digits: `a hundred and ten`, `first of May`.

A number of one word stays as it is: how it is written, the line decides whose value it becomes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from quaid.formats.figures import MONTHS, NUMBER_WORDS
from quaid.routing.notation import ending_of

SCALES = {"thousand": 1_000, "grand": 1_000, "lakh": 100_000, "million": 1_000_000}
_ORDINAL_WORDS = """
first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
fifteenth sixteenth seventeenth eighteenth nineteenth twentieth
"""
_ORDINALS = _ORDINAL_WORDS.split()
_PLACES = {
    **{word: place for place, word in enumerate(_ORDINALS, 1)},
    **{f"twenty {word}": 20 + place for place, word in enumerate(_ORDINALS[:9], 1)},
    "thirtieth": 30,
    "thirty first": 31,
}
FEW = 3  # places that may be of anything, and not of a month
_ANY = "|".join((*NUMBER_WORDS, "hundred", *SCALES))
_RUN = re.compile(
    rf"(?<!half )(?<!half a )\b(?:an?\s+|\d{{1,3}}\s+)?(?:{_ANY})(?:(?:[-\s]+(?:and\s+)?)(?:{_ANY}))*\b",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"\w+")
_DIGITS = [each for each, number in NUMBER_WORDS.items() if number < 10]
_POINT = re.compile(
    rf"\b(?P<whole>(?:{_ANY})(?:[-\s](?:{_ANY}))*|\d+) point "
    rf"(?P<part>(?:{'|'.join(_DIGITS)})(?:[-\s](?:{'|'.join(_DIGITS)}))*)\b",
    re.IGNORECASE,
)
_DOZEN = re.compile(rf"\b(?P<count>half a|an?|{'|'.join(NUMBER_WORDS)}) dozen\b", re.IGNORECASE)
DOZEN = 12
FEWEST_DIGITS = 3  # that are read out one by one
# At two forty-five somebody comes; `two forty-five` alone is a price.
_AT = re.compile(r"\b(?:at|past)\s+$", re.IGNORECASE)
_HALF_OF_DAY = re.compile(r"\s*(?:[ap]\.?m\b|o['’ ]?clock)", re.IGNORECASE)
_HALF = re.compile(rf"\b(?P<whole>{'|'.join(NUMBER_WORDS)}|\d+) and a half(?=\s+\w)", re.IGNORECASE)
# What may be is no month.
_MONTH_NAMES = [f"{each[:3]}(?:{each[3:]})?" for each in MONTHS if each != "May"]
_MONTH = rf"(?P<month>(?:{'|'.join(_MONTH_NAMES)}|sept|(?-i:May))\b\.?)"
_PLACE = rf"(?P<place>{'|'.join(sorted(_PLACES, key=len, reverse=True)).replace(' ', '[- ]')})"
_DAYS = (
    re.compile(rf"\b(?:the\s+)?{_PLACE}\s+(?:of\s+)?{_MONTH}", re.IGNORECASE),
    re.compile(rf"\b{_MONTH}\s+(?:the\s+)?{_PLACE}\b", re.IGNORECASE),
)
_OF_MONTH = re.compile(
    rf"(?P<before>\b(?:on|to|till|until|by)\s+)?\bthe\s+{_PLACE}\b"
    r"(?=\s*(?:[,;.!]|$)|\s+(?:at|and|instead|now|still|so|same|that|because|as|if|but)\b)",
    re.IGNORECASE,
)


def in_digits(said: str) -> str:
    """A sentence with its numbers of several words, and its days of a month, in digits."""
    said = _POINT.sub(_decimal, said)
    said = _DOZEN.sub(_dozens, said)
    said = _HALF.sub(lambda found: f"{_number_of(found['whole'])}.5", said)
    said = _RUN.sub(_run_text, said)
    for pattern in _DAYS:
        said = pattern.sub(lambda found: f"{_place_of(found)} {found['month']}", said)
    return _OF_MONTH.sub(_day_text, said)


def _run_text(found: re.Match[str]) -> str:
    """A row of words for numbers as one number; as it is, if it is none, or of one word."""
    words = [each.lower() for each in _TOKEN.findall(found[0])]
    is_time = _AT.search(found.string[: found.start()]) or _HALF_OF_DAY.match(found.string[found.end() :])
    is_scaled = any(each == "hundred" or each in SCALES for each in words)
    if len(words) >= FEWEST_DIGITS and all(each in _DIGITS for each in words):
        return "".join(str(_number_of(each)) for each in words)
    if words[0].isdigit() and len(words) > 1 and all(each in SCALES for each in words[1:]):
        return found[0]  # `19 million` is written so
    if is_time and not is_scaled:
        return found[0]
    number = _sum(words) if len(words) > 1 else None
    return str(number) if number is not None and number >= 100 else found[0]


def _decimal(found: re.Match[str]) -> str:
    """A number with digits after its point: `four point nine`."""
    whole = _sum([each.lower() for each in _TOKEN.findall(found["whole"])])
    part = "".join(str(_number_of(each)) for each in _TOKEN.findall(found["part"]))
    return found[0] if whole is None else f"{whole}.{part}"


def _dozens(found: re.Match[str]) -> str:
    count = found["count"].lower()
    if count == "half a":
        return str(DOZEN // 2)
    return str(DOZEN * (1 if count in ("a", "an") else _number_of(count)))


def _sum(words: Sequence[str]) -> int | None:
    """What some words come to; `two forty-five` is said for two hundred and forty-five."""
    whole = part = 0
    scaled = False  # by the word before
    for word in words:
        if word in ("a", "an", "and"):
            if word == "and" and not scaled:
                return None
            continue
        if word == "hundred" or word in SCALES:
            if word == "grand" and not part:
                return None
            part = (part or 1) * (100 if word == "hundred" else SCALES[word])
            whole, part = (whole, part) if word == "hundred" else (whole + part, 0)
            scaled = True
            continue
        number, scaled = _number_of(word), False
        if part % 100 == 0 or (part % 10 == 0 and number < 10):
            part += number
        elif part < 100 and number >= 20:
            part = 100 * part + number
        else:
            return None
    return whole + part


def _number_of(word: str) -> int:
    return int(word) if word.isdigit() else NUMBER_WORDS[word.lower()]


def _place_of(found: re.Match[str]) -> int:
    return _PLACES[found["place"].lower().replace("-", " ")]


def _day_text(found: re.Match[str]) -> str:
    place = _place_of(found)
    if place <= FEW and not found["before"]:
        return found[0]
    return f"{found['before'] or ''}the {place}{ending_of(place)}"
