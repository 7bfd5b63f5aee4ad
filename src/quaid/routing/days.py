"""Days that are named in words, and the day of the calendar that is meant, seen from the day of the speaker.

A week begins on Monday: `next Thursday` is that of the week after this one, `Thursday` alone the first that
comes, `last Thursday` the latest that was. A day that is written down has its date beside it.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Sequence
from datetime import date, timedelta

from quaid.model.record import record
from quaid.routing.patterns import Pattern, grammar
from quaid.routing.phrase_files import sections

_WEEKDAY = grammar(
    "days",
    r"\b(?:(?P<which>next|this|last|this coming|coming|past|previous)\s+)?(?P<day>{WEEKDAY})(?!['’]?s\b)\b"
    r"(?:\s+(?P<after>next week|this week|last week|week)\b)?",
)
_NEAR = grammar("days", r"\b(?P<near>{NEAR})\b")
_SPAN = grammar(
    "days",
    r"\b(?:(?P<which>next|last|this|previous|past)\s+(?P<unit>week|weekend|month|year)"
    r"|in\s+(?P<count>{COUNT})\s+(?P<ahead>day|week|month|year)s?"
    r"|(?P<before>{COUNT})\s+(?P<ago>day|week|month|year)s?\s+ago)\b",
)
_DATE = grammar(
    "days",
    r"\b(?:(?P<iso>\d{4}-\d\d-\d\d)"
    r"|(?:the\s+)?(?P<day>\d{1,2})(?:st|nd|rd|th)?\.?\s+(?:of\s+)?(?P<month>{MONTH NAME})\.?"
    r"(?:,?\s+(?P<year>\d{4}))?"
    r"|(?P<month_first>{MONTH NAME})\.?\s+(?P<day_after>\d{1,2})(?:st|nd|rd|th)?"
    r"(?:,?\s+(?P<year_after>\d{4}))?"
    r"|(?P<dotted>\d{1,2}\.\d{1,2}\.(?:\d{4})?)(?!\d)"
    r"|the\s+(?P<ordinal>\d{1,2})(?:st|nd|rd|th))(?!\w)",
)
# `Friday 27` and `Sunday 29th`; an hour, an amount or the day of a month that is named stands there, too.
_OF_MONTH = grammar(
    "days",
    r"\b(?P<day>{WEEKDAY})\.?,?\s+(?P<number>\d{1,2})(?P<ending>st|nd|rd|th)?\b"
    r"(?!\.?\s+(?:of\s+)?{MONTH NAME}\b|[:./]\d|\s?(?:[ap]\.?m\b|h\b|x\b|%|o['’]clock))",
)
_AGAIN = grammar("days", r"\b{AGAIN}\s+$")
_TO_COME = grammar("days", r"\b{TO COME}\b")
_UP_TO = grammar("days", r"\b{UP TO}\s+$")
_NOTED = re.compile(r"\s*\(\d{4}-\d\d(?:-\d\d)?\)")
_PAIRED = re.compile(r"\s*(?:and|or|to|through|thru|till|until|[-–&/+,])\s*", re.IGNORECASE)
_WEEK = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
WEEK = 7
HOURS = 12  # a number up to it may be one
FAR_AHEAD, FAR_BACK = 62, 31  # days in which one is looked for that has a name and a number
MOST_BEFORE = 20  # characters in which the word before a day is looked for
DAY, MONTH, YEAR = 10, 7, 4  # characters of a date


@record
class Mention:
    """A day or a month that a text names: where, how sure that it is one day, and which."""

    start: int
    end: int
    kind: str  # `near` such as tomorrow, `weekday`, `span` such as last month, or `date`
    day: date
    precision: int = DAY

    @property
    def calendar_day(self) -> str:
        """The day of the calendar, or the month or the year if no day is meant."""
        return self.day.isoformat()[: self.precision]


def mentions(text: str, today: date) -> list[Mention]:
    """The days that a text names, in their order."""
    found: list[Mention] = []
    for pattern, read in _READERS:
        for match in pattern.finditer(text):
            try:
                mention = read(match, today)
            except (ValueError, OverflowError):
                continue  # no such day
            if mention and not any(each.start < mention.end and mention.start < each.end for each in found):
                found.append(mention)
    found.sort(key=lambda each: each.start)
    return [each for each in found if not _is_of_several(text, each, found)]


def _is_of_several(text: str, mention: Mention, found: Sequence[Mention]) -> bool:
    """Whether a day of the week is one of two that are named together, as in `Monday to Friday`."""
    if mention.kind != "weekday" or " " in text[mention.start : mention.end]:
        return False
    return any(
        each.kind == "weekday" and each is not mention and _PAIRED.fullmatch(text, *_gap(mention, each))
        for each in found
    )


def _gap(one: Mention, other: Mention) -> tuple[int, int]:
    """Where the text between two mentions begins and ends."""
    first, last = sorted((one, other), key=lambda each: each.start)
    return first.end, last.start


def dated(text: str, today: date, *, weekdays: bool = True, dates: bool = False) -> str:
    """A text with the day of the calendar beside each day that it names only relatively."""
    after = len(text) + WEEK
    for mention in reversed(mentions(text, today)):
        stands_alone = after - mention.end > len(", ")  # not "Friday, 20 November"
        wanted = (
            mention.kind in ("near", "span")
            or (mention.kind == "weekday" and weekdays and stands_alone)
            or (mention.kind == "date" and dates and not _is_iso(text[mention.start : mention.end]))
        )
        after = mention.start
        if wanted and not _NOTED.match(text, mention.end):
            text = f"{text[: mention.end]} ({mention.calendar_day}){text[mention.end :]}"
    return text


def dated_news(text: str, today: date) -> str:
    """News of a day with the day of the calendar beside each other day that it names.

    What was on Saturday was on the latest one; where it may as well be the next, none is named.
    """
    to_come = _TO_COME.search(text) is not None
    for mention in reversed(mentions(text, today)):
        words = text[mention.start : mention.end]
        back = mention.kind == "weekday" and " " not in words
        day = (mention.day - timedelta(days=WEEK)).isoformat() if back else mention.calendar_day
        ahead = to_come or _UP_TO.search(text[: mention.start][-MOST_BEFORE:]) is not None
        noted = mention.kind == "date" or _NOTED.match(text, mention.end) or day == today.isoformat()
        if not noted and not (back and ahead):
            text = f"{text[: mention.end]} ({day}){text[mention.end :]}"
    return text


def undated(text: str) -> str:
    """A text without the days that were put beside its words."""
    return _NOTED.sub("", text)


def _is_iso(text: str) -> bool:
    return text[:4].isdigit() and "-" in text


def _near(match: re.Match[str], today: date) -> Mention:
    words = re.sub(r"\s+", " ", match["near"].lower())
    known = ((name, phrases) for name, phrases in sections("days").items() if name.startswith("away "))
    ahead = next(int(name.split()[1]) for name, phrases in known if words in phrases)
    return Mention(match.start(), match.end(), "near", today + timedelta(days=ahead))


def _weekday(match: re.Match[str], today: date) -> Mention | None:
    if _AGAIN.search(match.string[: match.start()][-MOST_BEFORE:]):
        return None
    wanted = _place(match["day"], "weekday")
    which = (match["which"] or match["after"] or "").lower()
    ahead = (wanted - today.weekday()) % WEEK
    monday = today - timedelta(days=today.weekday())
    if which in ("next", "next week"):
        day = monday + timedelta(days=WEEK + wanted)
    elif which in ("last", "past", "previous"):
        day = today - timedelta(days=(-ahead) % WEEK or WEEK)
    elif which == "last week":
        day = monday - timedelta(days=WEEK - wanted)
    elif which == "week":
        day = today + timedelta(days=(ahead or WEEK) + WEEK)
    elif which == "this":
        day = today + timedelta(days=ahead)
    else:
        day = today + timedelta(days=ahead or WEEK)
    return Mention(match.start(), match.end(), "weekday", day)


def _of_month(match: re.Match[str], today: date) -> Mention | None:
    """The nearest day that has both the name and the number: one that comes, else one that was."""
    wanted, number = _place(match["day"], "weekday"), int(match["number"])
    if not match["ending"] and number <= HOURS:
        return None
    back = range(1, FAR_BACK) if match["ending"] else ()
    near = (today + timedelta(days=ahead) for ahead in (*range(FAR_AHEAD), *(-each for each in back)))
    day = next((each for each in near if (each.weekday(), each.day) == (wanted, number)), None)
    return Mention(match.start(), match.end(), "weekday", day) if day else None


def _span(match: re.Match[str], today: date) -> Mention | None:
    if match["unit"]:
        which, unit = match["which"].lower(), match["unit"].lower()
        sign = {"next": 1, "this": 0}.get(which, -1)
        if unit == "weekend":
            saturday = today + timedelta(days=(5 - today.weekday()) % WEEK + WEEK * sign)
            return Mention(match.start(), match.end(), "span", saturday)
        if unit == "week":
            monday = today - timedelta(days=today.weekday()) + timedelta(days=WEEK * sign)
            return Mention(match.start(), match.end(), "span", monday)
        return Mention(match.start(), match.end(), "span", moved(today, unit, sign), _precision(unit))
    count = _number(match["count"] or match["before"])
    unit = (match["ahead"] or match["ago"]).lower()
    sign = 1 if match["ahead"] else -1
    day = moved(today, unit, sign * count)
    return Mention(match.start(), match.end(), "span", day, _precision(unit))


def _precision(unit: str) -> int:
    return {"month": MONTH, "year": YEAR}.get(unit, DAY)


def _date(match: re.Match[str], today: date) -> Mention:
    start, end = match.span()
    if match["iso"]:
        return Mention(start, end, "date", date.fromisoformat(match["iso"]))
    if match["ordinal"]:
        day = int(match["ordinal"])
        near = today if day >= today.day else moved(today.replace(day=1), "month", 1)
        return Mention(start, end, "date", near.replace(day=day))
    if match["dotted"]:
        first, second, year = match["dotted"].split(".")
        day, month = int(first), int(second)
    else:
        month = _place(match["month"] or match["month_first"], "month name") + 1
        year = match["year"] or match["year_after"]
        day = int(match["day"] or match["day_after"])
    found = date(int(year or today.year), month, day)
    if not year and found < today:
        found = found.replace(year=found.year + 1)
    return Mention(start, end, "date", found)


def _place(word: str, section: str) -> int:
    """Which of the phrases of a section a word is; each line has all ways to say one."""
    if section == "weekday":
        return _WEEK.index(word[:3].lower())
    for place, line in enumerate(sections("days")[section]):
        if re.fullmatch(line, word, re.IGNORECASE):
            return place
    raise ValueError(word)


def _number(words: str) -> int:
    digits = words.strip()
    if digits.isdigit():
        return int(digits)
    for place, line in enumerate(sections("days")["count"][1:], 1):
        if re.fullmatch(line, digits, re.IGNORECASE):
            return place
    raise ValueError(words)


def moved(day: date, unit: str, count: int) -> date:
    """A day so many days, weeks, months or years after another."""
    if unit == "day":
        return day + timedelta(days=count)
    if unit == "week":
        return day + timedelta(days=WEEK * count)
    months = day.year * 12 + day.month - 1 + count * (12 if unit == "year" else 1)
    year, month = divmod(months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


_READERS: tuple[tuple[Pattern, Callable[[re.Match[str], date], Mention | None]], ...] = (
    (_DATE, _date),
    (_NEAR, _near),
    (_SPAN, _span),
    (_OF_MONTH, _of_month),
    (_WEEKDAY, _weekday),
)
