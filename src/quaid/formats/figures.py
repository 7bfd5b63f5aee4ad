"""Numbers, times, days and measures of a text in one spelling, so that equal ones are equal strings.

`half past four in the afternoon` is `16:30`, `2048 MB` is `2 GB`, `two weeks` is `14 days`, `July 10` is
`10 July`. All other words stay as they are, and so does what is not understood.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache

MONTHS = (
    "January February March April May June July August September October November December".split()  # noqa: SIM905
)
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()  # noqa: SIM905
_LAST_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_SMALL_WORDS = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen
"""
_SMALL = _SMALL_WORDS.split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()  # noqa: SIM905
NUMBER_WORDS = {word: number for number, word in enumerate(_SMALL)} | {
    word: 10 * number for number, word in enumerate(TENS, start=2)
}

# Of each dimension: what its units are in the smallest one, and in which it is written, the largest first.
_DIMENSIONS: tuple[tuple[dict[str, float], dict[str, float]], ...] = (
    (
        {"ms": 0.001, "millisecond": 0.001, "s": 1, "sec": 1, "second": 1, "min": 60, "minute": 60, "h": 3600}
        | {"hr": 3600, "hour": 3600, "d": 86_400, "day": 86_400, "week": 604_800, "fortnight": 1_209_600},
        {"days": 86_400, "hours": 3600, "minutes": 60, "seconds": 1, "ms": 0.001},
    ),
    ({"month": 1, "quarter": 3, "year": 12}, {"years": 12, "months": 1}),
    (
        {"kb": 1.0, "kib": 1, "mb": 1024, "mib": 1024, "megabyte": 1024, "gb": 1024**2, "gib": 1024**2}
        | {"gigabyte": 1024**2, "tb": 1024**3, "tib": 1024**3, "terabyte": 1024**3},
        {"TB": 1024**3, "GB": 1024**2, "MB": 1024, "KB": 1},
    ),
    (
        {"mg": 1.0, "milligram": 1, "g": 1000, "gram": 1000}
        | {"kg": 10**6, "kilo": 10**6, "kilogram": 10**6, "t": 10**9, "tonne": 10**9, "ton": 10**9},
        {"kg": 1_000_000, "g": 1000, "mg": 1},
    ),
    (
        {"mm": 1, "cm": 10, "m": 1000, "metre": 1000, "meter": 1000, "km": 1_000_000, "kilometre": 1_000_000},
        {"km": 1_000_000, "m": 1000, "cm": 10, "mm": 1},
    ),
    ({"ml": 1, "millilitre": 1, "cl": 10, "l": 1000, "litre": 1000, "liter": 1000}, {"l": 1000, "ml": 1}),
)
_UNITS = {unit: (size, shown) for units, shown in _DIMENSIONS for unit, size in units.items()}
_BROKEN = frozenset(("kg", "l", "GB", "TB"))  # units of which people write parts: 1.8 kg
_CURRENCIES = (
    dict.fromkeys(("€", "eur", "euro"), "euros")
    | dict.fromkeys(("$", "usd", "dollar"), "dollars")
    | dict.fromkeys(("£", "gbp", "pound"), "pounds")
    | dict.fromkeys(("chf", "franc"), "francs")
)
_SCALES = {"k": 10**3, "thousand": 10**3, "m": 10**6, "million": 10**6, "bn": 10**9, "billion": 10**9}
_RATES = (
    {"hour": "hourly", "day": "daily", "night": "nightly", "week": "weekly", "month": "monthly"}
    | {"quarter": "quarterly", "year": "yearly"}
)  # fmt: skip

Found = re.Match[str]
Rule = tuple[str, str | Callable[[Found], str]]


def _plain(number: float) -> str:
    return f"{number:.10g}"


def _number(word: str) -> float:
    """A number in words or digits; those below a hundred may be of two words."""
    if word[:1].isdigit():
        return float(word)
    tens, _, ones = word.lower().replace(" ", "-").partition("-")
    return float(NUMBER_WORDS.get(tens, 0) + NUMBER_WORDS.get(ones, 0))


def _clock(hour: int, minute: int, part: str = "") -> str:
    late = hour < 12 and (part in ("pm", "afternoon", "evening") or (part == "night" and hour >= 6))
    early = hour == 12 and part in ("am", "night")
    return f"{(hour + 12 * late - 12 * early) % 24}:{minute:02}"


def _spoken(found: Found) -> str:
    """Half past four, quarter to nine, ten to three."""
    hour = int(_number(found["hour"]))
    step = {"half": 30, "quarter": 15}.get(found["step"].lower()) or int(_number(found["step"]))
    minutes = 60 * hour + (step if found["way"].lower() == "past" else -step)
    return _clock(minutes // 60, minutes % 60, (found["part"] or "").lower())


def _time_text(found: Found) -> str:
    groups = found.groupdict()
    hour, minute = int(found["hour"]), int(groups.get("minute") or 0)
    part = groups.get("half") or groups.get("part") or ""
    return _clock(hour, minute, part.lower()) if hour < 25 and minute < 60 else found.group()


def _day_text(found: Found) -> str:
    """A day of a month, or its last one."""
    place = next(place for place, month in enumerate(MONTHS) if month[:3] == found["month"][:3])
    day = found.groupdict().get("day")
    return f"{int(day) if day else _LAST_DAYS[place]} {MONTHS[place]}" + (
        f" {found['year']}" if found["year"] else ""
    )


def _iso(found: Found) -> str:
    year, month, day = map(int, found.group().split("-"))
    return f"{day} {MONTHS[month - 1]} {year}" if 0 < month < 13 else found.group()


def _numeric_day_text(found: Found) -> str:
    """A day in digits: 30/6/27 or 30.6.2027. Where day and month could be exchanged, it stays."""
    day, month, year = int(found["day"]), int(found["month"]), int(found["year"])
    if not 0 < month < 13 or day > 31 or (found["sign"] == "/" and day < 13):
        return found.group()
    return f"{day} {MONTHS[month - 1]} {year if year > 99 else 2000 + year}"


def _measure_text(found: Found) -> str:
    """An amount in the largest unit of which it is a whole number."""
    size, shown = _UNITS[found["unit"].lower()]
    least = float(found["n"]) * size
    for unit, step in shown.items():
        count = round(least / step, 9)
        if count >= 1 and (count % 1 == 0 or (unit in _BROKEN and round(100 * count, 6) % 1 == 0)):
            return f"{_plain(count)} {unit}"
    unit, step = list(shown.items())[-1]
    return f"{_plain(least / step)} {unit}"


def _money_text(found: Found) -> str:
    currency = _CURRENCIES[found["money"].lower().removesuffix("s")]
    return f"{_plain(float(found['n']) * _SCALES.get((found['scale'] or '').lower(), 1))} {currency}"


def _rate_text(found: Found) -> str:
    """So many times in a period."""
    times, period = int(found["times"]), found["period"].lower()
    if times == 1:
        return _RATES[period]
    parts, unit = {"hour": (60, "minutes"), "year": (12, "months")}.get(period, (0, ""))
    even = parts and times and parts % times == 0
    return f"every {parts // times} {unit}" if even else f"{times} times {_RATES[period]}"


_N = r"(?P<n>\d+(?:\.\d+)?)"
_WORD = rf"(?:{'|'.join([*_SMALL, *TENS])})"
_UNIT = rf"(?P<unit>{'|'.join(sorted(_UNITS, key=len, reverse=True))})s?\b(?!-)"
_MONTH = rf"(?P<month>{'|'.join(f'{month[:3]}(?:{month[3:]})?' for month in MONTHS)}|Sept)\b\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?:,?\s+(?P<year>(?:19|20)\d\d))?\b"
_PART = r"(?:(?:in the|at)\s+)?(?P<part>morning|afternoon|evening|night)s?\b"
_PERIOD = rf"(?P<period>{'|'.join(_RATES)})"
_MONEY = r"(?P<money>€|\$|£|\b(?:eur|usd|gbp|chf)\b|\b(?:euro|dollar|pound|franc)s?\b)"
_SCALE = r"(?:\s?(?P<scale>k|thousand|m|million|bn|billion)\b)?"

_SIGNS: tuple[Rule, ...] = (
    ("’", "'"),
    ("[–—]", "-"),
    # A telephone number, however it is grouped.
    (
        r"(?<![\w.:,+-])(?:\+\d{1,3}|0\d{2,4})(?:[ /-]\d{2,}){1,5}(?![\w.-]*\d)",
        lambda found: re.sub(r"\D", "", found.group()),
    ),
    (r"(?<=\d),(?=\d{3}\b)", ""),
    (r"\b([ap])\.m\.", r"\1m"),
)
_IN_WORDS: tuple[Rule, ...] = (
    # Times of day first, before their numbers are turned to digits.
    (
        rf"\b(?P<step>half|quarter|five|ten|twenty) (?P<way>past|to) (?P<hour>{_WORD}|\d{{1,2}})\b"
        rf"(?:\s+{_PART})?",
        _spoken,
    ),
    # Half five, as people in Britain say it.
    (
        rf"\bhalf (?P<hour>{'|'.join(_SMALL[1:13])})\b(?:\s+{_PART})?",
        lambda found: _clock(int(_number(found["hour"])), 30, (found["part"] or "").lower()),
    ),
    (r"\bnoon\b", "12:00"),
    (r"\bmidnight\b", "0:00"),
    (r"\b(?:a |one )?quarter of (?:a|an) (?=hour|minute|year)", "0.25 "),
    (r"\bhalf an? (?=\w)", "0.5 "),
    (rf"\b({_WORD}|\d+) and a half (?=\w)", lambda found: f"{_plain(_number(found[1]) + 0.5)} "),
    (r"\b(?:an?|one) (minute|hour|day|week|month|year) and a half\b", r"1.5 \1"),
    (r"\b(after|within|for|than|in) an? (?=(?:second|minute|hour|day|week|month|year)\b)", r"\1 1 "),
    (r"\b(?:a|one)(?= (?:hundred|thousand|million|dozen)\b)", "1"),
    (
        rf"\b((?:{'|'.join(TENS)})[- ](?:{'|'.join(_SMALL[1:10])})|(?!one\b){_WORD})\b",
        lambda found: _plain(_number(found[1])),
    ),
    (r"\bone(?= (?:second|minute|hour|day|night|week|month|quarter|year|time)s?\b| in \d)", "1"),
    (r"\b(\d{1,2}) hundred(?: and)? (\d{1,2})\b", lambda found: str(100 * int(found[1]) + int(found[2]))),
    (r"\b(\d+) hundred\b", r"\g<1>00"),
    (r"\b(\d+) (?:thousand|grand\b(?! (?:final|piano|prix|slam|total)))\b", r"\g<1>000"),
    (r"\b(\d{1,4}(?:\.\d{1,3})?) million\b", lambda found: _plain(float(found[1]) * 10**6)),
    (r"\b(\d{1,4}) dozen\b", lambda found: str(12 * int(found[1]))),
    (r"\btwice\b", "2 times"),
    (r"\bonce(?= (?:a|an|per|each|every) )", "1 time"),
    (r"\bminus (?=\d)", "-"),
)
_CLOCKS: tuple[Rule, ...] = (
    (r"\b(?P<hour>\d{1,2})(?:[:.](?P<minute>\d\d))?\s?(?P<half>[ap]m)\b", _time_text),
    (rf"\b(?P<hour>\d{{1,2}})(?::(?P<minute>\d\d))?(?: o'clock)?\s+{_PART}", _time_text),
    (r"\b(?P<hour>\d{1,2}) o'clock\b", _time_text),
    (r"\b(?P<hour>\d{1,2}):(?P<minute>\d\d)\b(?:\s?(?:h|hrs)\b)?", _time_text),
)
# "May" and "Sun" are days only with a capital: these are applied as they are written.
_DAYS: tuple[Rule, ...] = (
    (r"\b\d{4}-\d\d-\d\d\b", _iso),
    (r"\b(?P<day>\d{1,2})(?P<sign>/)(?P<month>\d{1,2})/(?P<year>(?:20)?\d\d)\b", _numeric_day_text),
    (r"\b(?P<day>\d{1,2})(?P<sign>\.)(?P<month>\d{1,2})\.(?P<year>20\d\d)\b", _numeric_day_text),
    (rf"\b(?:the )?{_DAY}\.?\s+(?:of )?{_MONTH}{_YEAR}", _day_text),
    (rf"\b{_MONTH}\s+{_DAY}\b(?!:){_YEAR}", _day_text),
    (rf"\b(?:the )?end of {_MONTH}{_YEAR}", _day_text),
    (r"\b(\d+)(?:st|nd|rd|th)\b", r"\1"),
    (r"\bMonday (?:to|through|-) Friday\b", "weekdays"),
    (
        r"\b(Mon|Tues?|Wed|Thu(?:rs)?|Fri|Sat|Sun)\b\.?",
        lambda found: next(day for day in WEEKDAYS if day[:3] == found[1][:3]),
    ),
    (rf"\b({'|'.join(WEEKDAYS)})s\b", r"\1"),
)
_AMOUNTS: tuple[Rule, ...] = (
    (rf"{_MONEY}\s?{_N}{_SCALE}", _money_text),
    (rf"\b{_N}{_SCALE}\s?{_MONEY}", _money_text),
    (r"\b1 in ([1-9]\d{0,6})\b", lambda found: f"{_plain(100 / int(found[1]))}%"),
    (r"(?<=\d)\s?(?:%|percent\b|per cent\b)", "%"),
    (r"\b(\d{1,4}(?:\.\d{1,3})?)k\b", lambda found: _plain(float(found[1]) * 1000)),
    (r"(?<=\d)\s?(?:°\s?C?|degrees?(?: celsius)?)(?!\w)", " degrees"),
    (rf"\b(?:every|each) (?:second|other) (?={'|'.join(WEEKDAYS)})", "every 14 days "),
    (r"\bonce in (?=\d+ (?:day|week|month|year)s?\b)", "every "),
    (
        r"\b(?:every (?:second|other) week|every 2 weeks|every fortnight|biweekly|fortnightly)\b",
        "every 14 days",
    ),
    (r"\bevery 7 days\b", "weekly"),
    (rf"\b(?P<times>\d{{1,4}}) times? (?:an?|per|each|every) {_PERIOD}\b", _rate_text),
    (rf"(?<!of )\b(?:every|each) {_PERIOD}\b", lambda found: _RATES[found["period"].lower()]),
    (r"\b(?:half-yearly|semi-?annual(?:ly)?|biannual(?:ly)?)\b", "every 6 months"),
    (r"\b(?:biennial(?:ly)?|every (?:second|other) year)\b", "every 2 years"),
    (r"\bannual(?:ly)?\b", "yearly"),
    (r"\bevery (?:60 minutes|1 hours?)\b", "hourly"),
    (r"\bevery 3 months\b", "quarterly"),
    (rf"(?<![\w.-]){_N}[\s-]?{_UNIT}", _measure_text),
)


@cache
def _rules() -> tuple[tuple[re.Pattern[str], str | Callable[[Found], str]], ...]:
    """All rules in their order, compiled when the first text is read."""
    return tuple(
        (re.compile(pattern, 0 if group is _DAYS else re.IGNORECASE), replacement)
        for group in (_SIGNS, _IN_WORDS, _CLOCKS, _DAYS, _AMOUNTS)
        for pattern, replacement in group
    )


@lru_cache(maxsize=4_096)  # whoever looks for duplicates compares each with many
def figures(text: str) -> str:
    """A text with its figures in one spelling."""
    for pattern, replacement in _rules():
        text = pattern.sub(replacement, text)
    return text
