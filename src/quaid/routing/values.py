"""Values within a text: times, days, addresses, numbers, colours; and whether two of them are the same."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache

from quaid.model.record import record
from quaid.routing import days
from quaid.routing.contacts import STREET
from quaid.routing.occasions import ANY_DAY
from quaid.routing.patterns import grammar
from quaid.routing.phrase_files import sections
from quaid.routing.words import words_of

DAY, TIME, NUMBER, TOKEN, PHONE = "day", "time", "number", "token", "phone"
PART, COLOUR = "part", "colour"  # of a day
WEEKDAY, EXTENT, ORDINAL = "weekday", "extent", "ordinal"  # a day that comes again; `108 x 90`; `third`
# Kinds of which one may take the other's place: a code was `C1958`, and is `4471` now.
CODES = (NUMBER, TOKEN, PHONE)
DAYS = (DAY, WEEKDAY)
_URL = re.compile(r"(?:https?://|www\.)[^\s<>\"]+", re.IGNORECASE)
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_TIME = grammar(
    "values",
    r"\b(?:(?:half|quarter|five|ten|twenty(?:[- ]five)?)\s(?:past|to)|half|quarter)"
    r"\s(?:\d{1,2}|one|{COUNT}|noon|midday|midnight)\b"
    r"|(?<![\d.:€$£])\b\d{1,2}[:.]\d\d(?:\s?(?:am|pm|h\b))?\b(?![.:]\d)"
    r"|\b(?:\d{1,2}|one|{COUNT})\s?(?:am|pm|[ap]\.m\.?|o['’ ]?clock)(?!\w)|\b\d{1,2}h(?:\d\d)?\b"
    r"|(?<=\bat )\d{1,2}\s[0-5]\d(?:\s?(?:am|pm))?\b|\b(?:noon|midday|midnight)\b"
    r"|(?<=\bat )one\b(?=\s*(?:[,;.!]|$)|\s(?:on|for|instead|now|and|so|because|that|this|to\w+)\b)"
    r"|(?<=\bat )(?:\d{1,2}|{COUNT})\b(?!\s?{COUNTED})|(?<=before )\d{1,2}\b|(?<=after )\d{1,2}\b"
    r"|(?:(?<=\bbefore )|(?<=\bafter )|(?<=\buntil )|(?<=\btill ))(?:one|{COUNT})\b(?=\s*(?:[,;.!)]|$))"
    r"|(?<=until )\d{1,2}\b|(?<=till )\d{1,2}\b"
    r"|(?:(?<=\bis )|(?<=\bto ))\d{1,2}(?=\son\s(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\b)",
)
_CLOCKED = re.compile(r"(?<![\d.:])\b\d{1,2}:\d\d(?:\s?(?:am|pm))?\b(?!:\d)", re.IGNORECASE)
_CLOCK = re.compile(r"(?P<hour>\d{1,2})(?:[:.h\s]\s?(?P<minute>\d\d))?\s?h?(?P<half>am|pm)?", re.IGNORECASE)
_PART_OF_HOUR = re.compile(r"(?P<part>[a-z -]+?)\s(?P<side>past|to)\s", re.IGNORECASE)
_PARTS = {"five": 5, "ten": 10, "quarter": 15, "twenty": 20, "twenty five": 25, "half": 30}  # minutes
_PHONE = re.compile(r"\+?\d[\d ()/-]{4,18}\d")
_ORDINAL = grammar("values", r"\b{ORDINAL}\b(?!\s(?:of all|thing|time)\b)")
# A day of a month that is not named.
_MONTHLY = re.compile(
    r"\b(?:the\s+)?\d{1,2}(?:st|nd|rd|th)\b(?!\s(?:floor|street|avenue|st|ave|birthday|grade|century|anniversary)\b)",
    re.IGNORECASE,
)
_EXTENT = re.compile(
    r"\b(?!0x\d)\d+(?:[.,]\d+)?\s?(?:[a-z]{1,2}\s?)?(?:x|×|by)\s?\d+(?:[.,]\d+)?\b", re.IGNORECASE
)
_TOKEN = re.compile(r"[€$£]?[\w./:+-]*\d(?:[\w./:%+-]|,(?=\d{3}\b))*(?<![.:/])")
_GROUPS = re.compile(r"(?<=\d),(?=\d{3}\b)")
_NUMBER = re.compile(r"[€$£]?\d[\d.,]*%?")
_SPELT = grammar("values", r"\b(?:{TENS}(?:[- ]{UNIT})?|{COUNT})\b(?!\s(?:of|another)\b)")
_WEEKDAY = grammar("days", r"\b{WEEKDAY}s?\b")
_ONE = re.compile(
    r"(?<!\bthe )(?<!\bthat )(?<!\bthis )(?<!\bno )(?<!\bany )(?<!\bwhich )(?<!\bother )"
    r"\bone\b(?=\s[a-z]{3})(?!\s(?:day|who|will|was|has|had|can|starts|begins|goes|comes|moves|moved|for|from)\b)",
    re.IGNORECASE,
)
_COLOUR = grammar("values", r"\b(?:(?:dark|light|pale|bright|navy)\s)?{COLOUR}\b")
_PART = re.compile(
    r"\b(?:(?:in|during)\s(?:the\s)?|at\s)(?:early\s|late\s)?(?:mornings?|afternoons?|evenings?|nights?)\b"
    r"|(?<=day )(?:mornings?|afternoons?|evenings?|nights?)\b",
    re.IGNORECASE,
)
_NOTED = re.compile(r"\s*\((\d{4}(?:-\d\d){0,2})\)")
_AROUND = re.compile(
    r"\b(?:at|on|in|by|from|to|for|around|about|until|till|the|is|it|now|instead|then|euros?|dollars?|"
    r"pounds?|and|not|next|this|coming)\b",
    re.IGNORECASE,
)
HALF_DAY = 12 * 60  # minutes
MINUTES_SAID = r"ten|fifteen|(?:twenty|thirty|forty|fifty)(?:[- ]five)?"  # after an hour


@record
class Value:
    """A value: where it stands, of which kind it is, how it is written, and what it is however written."""

    start: int
    end: int
    kind: str
    text: str
    key: str = ""


@lru_cache(maxsize=4_096)  # every safeguard asks for those of the same few texts
def values_of(text: str, today: date | None = None) -> tuple[Value, ...]:
    """The values of a text, in their order; a day has the date that stands beside it."""
    found: list[Value] = []

    def add(start: int, end: int, kind: str, key: str = "") -> None:
        if not any(each.start < end and start < each.end for each in found):
            found.append(Value(start, end, kind, text[start:end], key or text[start:end].casefold()))

    for pattern, kind in ((_URL, "url"), (_MAIL, "mail")):
        for match in pattern.finditer(text):
            add(match.start(), match.end(), kind)
    for match in _CLOCKED.finditer(text):
        add(match.start(), match.end(), TIME, minutes_of(match[0]))
    for match in STREET.finditer(text):
        add(match.start(), match.end(), "street")
    for mention in days.mentions(text, today or ANY_DAY):
        noted = _NOTED.match(text, mention.end)
        end = noted.end() if noted else mention.end
        add(mention.start, end, DAY, noted[1] if noted else mention.calendar_day)
    for match in _TIME.finditer(text):
        add(match.start(), match.end(), TIME, minutes_of(match[0]))
    for match in _WEEKDAY.finditer(text):
        add(match.start(), match.end(), WEEKDAY, match[0][:3].casefold())
    for match in _ORDINAL.finditer(text):
        add(match.start(), match.end(), ORDINAL)
    for match in _MONTHLY.finditer(text):
        add(match.start(), match.end(), DAY, re.sub(r"\D", "", match[0]))
    for match in _EXTENT.finditer(text):
        add(match.start(), match.end(), EXTENT, "x".join(re.findall(r"\d+", match[0])))
    for match in _PHONE.finditer(text):
        digits = re.sub(r"\D", "", match[0])
        add(match.start(), match.end(), PHONE if len(digits) > 5 else TOKEN, digits)
    for match in _TOKEN.finditer(text):
        plain = _GROUPS.sub("", match[0].casefold())
        add(match.start(), match.end(), NUMBER if _NUMBER.fullmatch(match[0]) else TOKEN, plain)
    for match in (*_SPELT.finditer(text), *_ONE.finditer(text)):
        add(match.start(), match.end(), NUMBER, _digits(match[0]))
    for match in _PART.finditer(text):
        add(match.start(), match.end(), PART)
    for match in _COLOUR.finditer(text):
        add(match.start(), match.end(), COLOUR)
    return tuple(_joined(text, sorted(found, key=lambda each: each.start)))


def minutes_of(said: str) -> str:
    """A time of day, however it is written; four o'clock is 16:00 as well."""
    words = said.lower()
    part = _PART_OF_HOUR.match(words)
    beside = _PARTS.get(part["part"].replace("-", " "), 0) if part else 30 if words.startswith("half") else 0
    words = words[part.end() :] if part else words
    special = {"noon": "12", "midday": "12", "midnight": "0"}.get(words, words)
    for word in words.split():
        special = special.replace(word, _digits(word))
    clock = _CLOCK.search(special)
    if not clock:
        return words
    minutes = int(clock["hour"]) * 60 + int(clock["minute"] or 0)
    minutes += -beside if part and part["side"] == "to" else beside
    return str(minutes % HALF_DAY)


def _digits(word: str) -> str:
    """A number that is written as a word, in digits."""
    tens, _, unit = word.lower().replace(" ", "-").partition("-")
    if tens in sections("values")["tens"]:
        ones = sections("values")["unit"]
        return str(
            20 + 10 * sections("values")["tens"].index(tens) + (ones.index(unit) + 1 if unit in ones else 0)
        )
    for line in sections("values")["count"]:
        if re.fullmatch(line, word, re.IGNORECASE):
            return str(sections("values")["count"].index(line) + 2)
    return "1" if word.lower() == "one" else word


def amount_of(word: str) -> float:
    """A number in digits or in a word."""
    digits = _digits(word)
    return float(digits) if digits.isdigit() else 0.0


def _joined(text: str, found: list[Value]) -> list[Value]:
    """The values, with `Saturday, 21 November` as one day."""
    joined: list[Value] = []
    for value in found:
        last = joined[-1] if joined else None
        if last and last.kind == value.kind == DAY and not text[last.end : value.start].strip(" ,"):
            joined[-1] = Value(last.start, value.end, DAY, text[last.start : value.end], value.key)
        else:
            joined.append(value)
    return joined


def kinds(text: str, today: date | None = None) -> set[str]:
    """The kinds of the values of a text; one for all of which one may take the other's place."""
    return {
        CODES[0] if each.kind in CODES else DAY if each.kind in DAYS else each.kind
        for each in values_of(text, today)
    }


def without_values(text: str) -> str:
    """What a text says besides its values."""
    for value in reversed(values_of(text)):
        text = f"{text[: value.start]} {text[value.end :]}"
    return text


def is_bare(text: str) -> bool:
    """Whether a text is nothing but values, as in `Thursday at 5pm`."""
    return bool(values_of(text)) and not words_of(_AROUND.sub(" ", without_values(text)))


def is_dated(value: Value) -> bool:
    """Whether the date stands beside a day."""
    return _NOTED.search(value.text) is not None
