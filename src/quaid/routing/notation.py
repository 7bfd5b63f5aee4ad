"""How a value is written in the place of another: as that one is, whatever somebody said.

`Half five` is `5:30pm` where a line has `6pm`, and `17:30` where it has `16:00`; `the 29th` is `Sunday
November 29` where it has `Saturday November 28`.
"""

from __future__ import annotations

import math
import re
from datetime import date

from quaid.formats.figures import MONTHS, WEEKDAYS
from quaid.model.record import replace
from quaid.routing import days, values
from quaid.routing.patterns import grammar
from quaid.routing.values import CODES, DAY, NUMBER, TIME, TOKEN, WEEKDAY, Value

HOURS = 25  # more than there are in a day
MINUTES = 60  # of an hour
HALF_DAY, WHOLE_DAY = 12 * 60, 24 * 60  # minutes
NIGHT, UNLIKELY = 6 * 60, 6 * 60  # until when people meet rarely, and how much farther away that is
WHOLE = 10  # from this hour on, a time without half of a day counts all hours of it
SHORT = 3  # letters of a day or a month that is abbreviated
_DATED = grammar(
    "days",
    r"(?:(?P<weekday>[a-z]+)(?P<comma>\.?,?)\s+)?(?:the\s+)?"
    r"(?:(?P<day>\d{1,2})(?P<ending>st|nd|rd|th)?\.?\s+(?P<of>of\s+)?(?P<month>{MONTH NAME})"
    r"|(?P<name>{MONTH NAME})\.?\s+(?P<day_after>\d{1,2})(?P<ending_after>st|nd|rd|th)?)",
)
_NAMED_DAY = grammar("days", r"\b{WEEKDAY}\b")
_CLOCK = re.compile(
    r"(?P<hour>\d{1,2})(?:(?P<mark>[:.])(?P<minute>\d\d)|(?P<h>h)(?P<after>\d\d)?)?(?P<half>\s?[ap]m)?",
    re.IGNORECASE,
)
_NOON = re.compile(r"noon|midday", re.IGNORECASE)
_AMOUNT = grammar("values", r"(?P<mark>[€$£x×]|(?-i:{CURRENCY}))\d[\d,.]*|\d+(?P<after>[x×])")
_GROUPED = re.compile(r"\d,\d{3}\b")
_CENTS = re.compile(r"[^\d.,]{0,3}(?:\d+\.\d\d?|\d\d)")
_IN_CENTS = re.compile(r"\d{3,4}")
LIKE = 0.7  # of two amounts of the same thing, as a power of e
_SIGN, _UNIT, _BARE = (
    grammar("values", r"[€$£]|(?-i:{CURRENCY})(?=\d)"),
    re.compile(r"(?<=\d)(?:k|m|mg|kg|g|ml|l|cm|mm|km|%)$"),
    re.compile(r"\d+"),
)


def value_text(new: Value, old: Value, today: date | None) -> str:
    """How a value is written in the place of another: what it leaves out is as it was."""
    if old.kind == TIME:
        return _time_text(new, old)
    if new.kind == DAY:
        return _day_text(new, old, today)
    is_spelt = new.key.isdigit() and not any(char.isdigit() for char in new.text)
    if is_spelt and new.kind == NUMBER and old.kind in CODES and re.search(r"\d", old.text):
        new = replace(new, text=new.key)  # "fifteen", where the line has digits
    new = _with_cents(new, old)
    if _BARE.fullmatch(new.text) and len(new.text) > len("999") and _GROUPED.search(old.text):
        new = replace(new, text=f"{int(new.text):,}")
    amount, sign, unit = _AMOUNT.fullmatch(old.text), _SIGN.match(old.text), _UNIT.search(old.text)
    if amount and amount["after"] and new.kind == NUMBER and _BARE.fullmatch(new.text):
        return f"{new.text}{amount['after']}"
    if amount and new.kind == NUMBER and new.text[0].isdigit():
        return f"{amount['mark']}{new.text}"
    if sign and new.kind == NUMBER and not _SIGN.match(new.text):
        return f"{sign[0]}{new.text}"
    if unit and _BARE.fullmatch(new.text) and old.kind in (NUMBER, TOKEN):
        return f"{new.text}{unit[0]}"
    return new.text


def _with_cents(new: Value, old: Value) -> Value:
    """A price that is said without its point: `three fifty`, where a line has 3.20."""
    known = re.sub(r"[^\d.]", "", old.text)
    if (
        new.kind != NUMBER
        or old.kind not in (NUMBER, TOKEN)
        or not known
        or not _IN_CENTS.fullmatch(new.text)
    ):
        return new
    if not _CENTS.fullmatch(old.text) or not float(known) or not int(new.text):
        return new
    if abs(math.log(int(new.text) / 100 / float(known))) > LIKE:
        return new
    return replace(new, text=f"{new.text[:-2]}.{new.text[-2:]}")


def _day_text(new: Value, old: Value, today: date | None) -> str:
    """A day in the form of another: with the name of its weekday and of its month, if that has them."""
    if old.kind == WEEKDAY and old.text.lower().endswith("days") and (told := _NAMED_DAY.fullmatch(new.text)):
        return f"{_as_long(_weekday_of(told[0]), old.text)}s"
    shape = _DATED.fullmatch(days.undated(old.text)) if old.kind == DAY else None
    if not today:
        return new.text
    if not shape or len(new.key) != days.DAY:
        return days.dated(new.text, today, dates=values.is_dated(old))
    meant = date.fromisoformat(new.key)
    ending = ending_of(meant.day) if shape["ending"] or shape["ending_after"] else ""
    month = _as_long(MONTHS[meant.month - 1], shape["month"] or shape["name"])
    if shape["day"]:
        written = f"{meant.day}{ending} {shape['of'] or ''}{month}"
    else:
        written = f"{month} {meant.day}{ending}"
    if shape["weekday"]:
        told = _NAMED_DAY.search(new.text)
        long = told is not None and len(told[0]) > len(shape["weekday"])
        name = _as_long(WEEKDAYS[meant.weekday()], told[0] if told and long else shape["weekday"])
        name = name.capitalize() if shape["weekday"][0].isupper() else name.lower()
        written = f"{name}{shape['comma']} {written}"
    return f"{written} ({new.key})" if values.is_dated(old) else written


def _weekday_of(words: str) -> str:
    return next(each for each in WEEKDAYS if each.lower().startswith(words[:3].lower()))


def _as_long(name: str, like: str) -> str:
    """The name of a day or a month, short or whole as another is, and with a capital as that is."""
    written = name if len(like) > SHORT + 1 or len(name) <= SHORT + 1 else name[:SHORT]
    return written.lower() if like.islower() else written


def ending_of(number: int) -> str:
    """What follows the number of a day of a month."""
    return "th" if number in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def _time_text(new: Value, old: Value) -> str:
    """A time of day in the form of another; as it was said if that one is in words, or this one is clear."""
    form, told, is_noon = _CLOCK.fullmatch(old.text), _CLOCK.fullmatch(new.text), _NOON.fullmatch(old.text)
    said = _minutes(new, told)
    if said is None or not (form or is_noon) or (told and _is_clear(told, form)):
        return new.text
    half = form["half"] if form else "pm"
    before = _minutes(old, form) if form else HALF_DAY
    is_whole = form is not None and _counts_all_hours(form)
    meant = _nearest(said, before or 0) if half or is_whole else said
    hour, minute = divmod(meant, 60)
    if not is_whole or half:
        hour = hour % 12 or 12
    shown = f"{hour:02}" if form and form["hour"][0] == "0" else str(hour)
    if form and form["h"]:
        return f"{shown}h{minute:02}" if minute or form["after"] else f"{shown}h"
    mark = (form["mark"] if form else "") or (told["mark"] if told else "") or ":"
    if minute or (form and form["mark"]):
        shown = f"{shown}{mark}{minute:02}"
    if not half:
        return shown
    side = "pm" if meant >= HALF_DAY else "am"
    return f"{shown}{half[: -len(side)]}{side.upper() if half.isupper() else side}"


def _is_clear(told: re.Match[str], form: re.Match[str] | None) -> bool:
    """Whether a time says of which half of the day it is, and not in the way of another."""
    is_late = int(told["hour"]) > HALF_DAY // 60
    return bool(told["half"]) or (
        is_late and (form is None or bool(form["half"]) or not _counts_all_hours(form))
    )


def _counts_all_hours(form: re.Match[str]) -> bool:
    """Whether hours are counted from midnight to midnight, as far as one time of day can show."""
    return int(form["hour"]) >= WHOLE or form["hour"][0] == "0"


def _minutes(value: Value, clock: re.Match[str] | None) -> int | None:
    """The minutes since midnight, or since noon where that is not said."""
    if clock and not clock["half"]:
        return int(clock["hour"]) * 60 + int(clock["minute"] or clock["after"] or 0)
    if not value.key.isdigit():
        return None
    if value.kind != TIME:
        hour, minute = divmod(int(value.key), 100) if len(value.key) > SHORT - 1 else (int(value.key), 0)
        return hour * 60 + minute if hour < HOURS and minute < MINUTES else None  # `nine thirty` is 930
    is_late = clock is not None and clock["half"].strip().lower() == "pm"
    return int(value.key) + (HALF_DAY if is_late else 0)


def _nearest(said: int, before: int) -> int:
    """Of the two times of a day that may be meant, the one nearer to another; hardly ever one at night."""
    if said >= HALF_DAY + 60:
        return said % WHOLE_DAY
    both = (said % HALF_DAY, said % HALF_DAY + HALF_DAY)
    return min(both, key=lambda each: abs(each - before) + (UNLIKELY if each < NIGHT else 0))
