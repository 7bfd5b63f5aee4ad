"""What is said by how far it is from what a line says: `an hour later`, `the day after`, `up by 50`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from quaid.formats.figures import MONTHS, WEEKDAYS
from quaid.routing import days
from quaid.routing.patterns import grammar
from quaid.routing.values import DAY, HALF_DAY, NUMBER, TIME, WEEKDAY, Value, amount_of, values_of

WHOLE_DAY = 2 * HALF_DAY
_AMOUNT = (
    r"(?:(?:by|for)\s+)?(?:(?P<half>half)\s+an?|(?P<count>an?|one|another|\d+|{COUNT}))\s+"
    r"(?P<unit>hour|minute|min|day|week|month|year)s?(?P<more>\s+and\s+(?:a\s+half|ten|a\s+quarter))?"
)
_DIRECTED = grammar("shifts", rf"\b(?:about\s+)?{_AMOUNT}\s+(?:(?P<later>{{LATER}})|{{EARLIER}})\b")
_MOVED = grammar(
    "shifts",
    rf"\b(?:(?P<later>{{PUT BACK}})|{{BROUGHT FORWARD}})\s+(?P<moved>(?:{{BY}}\s+)?{_AMOUNT})\b(?!\s+ago\b)",
)
_PARTED = grammar(
    "shifts",
    rf"\b(?:{{PUT}}\s+(?:[\w'’]+\s+){{1,4}}?(?:(?P<later>back|out)|forward|up))\s+(?P<moved>{_AMOUNT})\b",
)
_NEXT = grammar(
    "shifts",
    r"\bthe\s+(?:(?:day|night|morning|evening)\s+(?:(?P<after>after)|before)|(?P<next>next\s+day))\b(?!\s+tomorrow|\s+yesterday)",
)
_NAMED = grammar("days", r"\bthe\s+(?P<day>{WEEKDAY}|saturday|sunday|week)\s+after\b")
_BY = grammar(
    "shifts",
    r"\b(?:(?P<up>{RISES})|{FALLS})(?:\s+again)?\s+by\s+[€$£]?(?P<count>\d[\d,]*(?:\.\d+)?|{COUNT})"
    r"(?P<share>\s?%|\s+per\s?cent)?(?![\w.,]*\d)",
)
_TAIL = re.compile(
    r"(?:\s+(?:that|the))?\s*(?=$|[,;.!?]|\s+(?:same|at|because|cos|cause|as|since|now|so|for|on|still|instead|than)\b)"
)
_YEAR = re.compile(r"(?<![\d.,])(?:19|20)\d\d(?![\d.,-]|\))")
_OF_DAY = ("hour", "minute", "min")

_Found = tuple[int, int, str]


def shifts(said: str, line: str, today: date | None) -> Iterator[_Found]:
    """Where a sentence says how far something moves, and the time or the day that is meant."""
    own, told = values_of(line, today), values_of(said, today)
    known = {(each.kind, each.key) for each in own}
    times = [each for each in own if each.kind == TIME]
    dates = [each for each in own if each.kind in (DAY, WEEKDAY)]
    found = [*_amounts(said, line, times, dates), *_neighbours(said, dates)]
    if len(found) != 1:
        return
    for start, end, value in found:
        others = [each for each in told if each.end <= start or end <= each.start]
        new = {each.kind for each in others if (each.kind, each.key) not in known and _is_named(each)}
        kind = TIME if ":" in value or value.endswith("m") else DAY
        if kind not in new:
            yield start, end, value


def sums(said: str, line: str) -> Iterator[_Found]:
    """Where a sentence says by how much the one number of a line grows or shrinks, and what it comes to."""
    match = _BY.search(said)
    own = [each for each in values_of(line) if each.kind == NUMBER]
    digits = re.sub(r"[^\d.]", "", own[0].text) if len(own) == 1 else ""
    if not match or not re.fullmatch(r"\d+(?:\.\d+)?", digits):
        return
    count = match["count"].replace(",", "")
    by = float(count) if count[0].isdigit() else amount_of(count)
    if match["share"]:
        by *= float(digits) / 100
    whole = round(float(digits) + (by if match["up"] else -by), 2)
    if by and whole > 0:
        shown = f"{whole:.2f}" if whole != int(whole) else f"{int(whole):,}"
        yield *match.span(), f"is {shown if ',' in own[0].text else shown.replace(',', '')}"


def _is_named(value: Value) -> bool:
    """Whether a time or a day is more than a distance, such as `in four days`."""
    return value.kind == TIME or (value.kind in (DAY, WEEKDAY) and not value.text.lower().startswith("in "))


def _amounts(said: str, line: str, times: list[Value], dates: list[Value]) -> Iterator[_Found]:
    for pattern in (_DIRECTED, _MOVED, _PARTED):
        match = pattern.search(said)
        if not match:
            continue
        groups = match.groupdict()
        start, end = match.span("moved") if groups.get("moved") else match.span()
        sign = 1 if groups["later"] else -1
        value = _shifted(match, sign, line, times, dates)
        if value:
            yield start, end, value
        return


def _shifted(
    match: re.Match[str], sign: int, line: str, times: list[Value], dates: list[Value]
) -> str | None:
    """The value of a line, moved by what is said."""
    unit = match["unit"].lower()
    count = _count(match)
    if unit in _OF_DAY:
        minutes = _clock_of(times[0]) if len(times) == 1 else None
        if minutes is None:
            return None
        moved = round(minutes + sign * count * (60 if unit == "hour" else 1)) % WHOLE_DAY
        half = re.search(r"(?P<space>\s?)[ap]\.?m", times[0].text, re.IGNORECASE)
        if half:
            side = "pm" if moved >= HALF_DAY else "am"
            is_full = not moved % 60 and not re.search(r"\d[:.]\d", times[0].text)
            minutes_text = "" if is_full else f":{moved % 60:02}"
            return f"{moved // 60 % 12 or 12}{minutes_text}{half['space']}{side}"
        return f"{moved // 60}:{moved % 60:02}"
    if len(dates) == 1 and count == int(count):
        return _day_after(dates[0], unit, sign * int(count))
    years = _YEAR.findall(line)
    if not dates and unit == "year" and len(years) == 1:
        return str(int(years[0]) + sign * int(count))
    return None


def _count(match: re.Match[str]) -> float:
    more = (match["more"] or "").lower()
    if match["half"]:
        return 0.5
    count = match["count"].lower()
    whole = 1.0 if count in ("a", "an", "one", "another") else amount_of(count)
    return whole + (0.5 if "half" in more else 0.25 if "quarter" in more else 1 / 6 if more else 0)


def _clock_of(value: Value) -> int | None:
    """The minutes since midnight of a time in digits."""
    clock = re.match(r"(\d{1,2})(?:[:.h](\d\d))?", value.text)
    if not clock:
        return None
    hour = int(clock[1])
    if re.search(r"p\.?m", value.text, re.IGNORECASE):
        hour = hour % 12 + 12
    return hour * 60 + int(clock[2] or 0)


def _day_after(day: Value, unit: str, count: int) -> str | None:
    """Another day, in so many days, weeks or months; one that comes again has only its name."""
    if day.kind == WEEKDAY:
        place = [each[:3].lower() for each in WEEKDAYS].index(day.key)
        return f"{WEEKDAYS[(place + count) % days.WEEK]}s" if unit == "day" else None
    if len(day.key) != days.DAY or not re.search(r"\d", day.text):
        return None
    moved = _moved(date.fromisoformat(day.key), unit, count)
    if moved is None:
        return None
    is_name = not re.search(r"\d", days.undated(day.text))
    return f"{WEEKDAYS[moved.weekday()]} ({moved.isoformat()})" if is_name else _day_text(moved)


def _moved(day: date, unit: str, count: int) -> date | None:
    """Another day; None where the calendar has none so far away."""
    try:
        return days.moved(day, unit, count)
    except (ValueError, OverflowError):
        return None


def _day_text(day: date) -> str:
    return f"{WEEKDAYS[day.weekday()][:3]} {day.day} {MONTHS[day.month - 1]} {day.year}"


def _neighbours(said: str, dates: list[Value]) -> Iterator[_Found]:
    """The day before or after that of a line, or the next one of a name."""
    if len(dates) != 1:
        return
    for match in _NEXT.finditer(said):
        tail = _TAIL.match(said, match.end())
        later = bool(match["after"] or match["next"])
        value = _day_after(dates[0], "day", 1 if later else -1) if tail else None
        if tail and value:
            yield match.start(), tail.end(), value
    for match in _NAMED.finditer(said):
        tail = _TAIL.match(said, match.end())
        if not tail or dates[0].kind != DAY or not re.search(r"\d", dates[0].text):
            continue
        if len(dates[0].key) != days.DAY:
            continue
        name, own = match["day"][:3].lower(), date.fromisoformat(dates[0].key)
        ahead = days.WEEK
        if match["day"].lower() != "week":
            place = [each[:3].lower() for each in WEEKDAYS].index(name)
            ahead = (place - own.weekday()) % days.WEEK or days.WEEK
        if moved := _moved(own, "day", ahead):
            yield match.start(), tail.end(), _day_text(moved)
