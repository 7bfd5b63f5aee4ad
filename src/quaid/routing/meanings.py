"""What the numbers of a sentence mean, seen from the line that it corrects.

`Ten` is a time of day where the line has one and no number, 7000000 is 7 million where it has 5 million, and
an hour later than its own time is another time. Such words are written as the value that is meant, so that
it can take the place of the line's own; what is clear by itself stays as it was said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from quaid.formats.figures import NUMBER_WORDS
from quaid.model.record import record
from quaid.routing.numerals import SCALES
from quaid.routing.patterns import grammar
from quaid.routing.shifts import shifts, sums
from quaid.routing.values import (
    CODES,
    EXTENT,
    HALF_DAY,
    MINUTES_SAID,
    NUMBER,
    TIME,
    amount_of,
    minutes_of,
    values_of,
)

HOURS_OF_CLOCK, HOURS_OF_DAY = 12, 24
LONG = 3  # digits of a number that is no hour by itself
FEWEST, MOST = 5, 55  # minutes that people say
_HOUR = grammar(
    "values",
    rf"(?<![\w.,:/€$£+-])(?P<hour>\d{{1,4}}|one|{{COUNT}})(?:[\s-](?P<minute>{MINUTES_SAID}))?\b(?![\d.,:/-]\d|-)",
)
_PART_OF_DAY = grammar("values", r",?\s+{PART OF DAY}\b")
_BEFORE_HOUR = grammar("values", r"\b{BEFORE HOUR}\s+$")
_AFTER_HOUR = grammar("values", r"\s*(?:$|[,;.!?)])|\s+{AFTER HOUR}\b")
_RANGE = grammar("values", r"^\s*(?:to|till|until|-|–|through)\s+(?:\d|half|noon|one\b|{COUNT}\b)")
_RANGE_END = grammar("values", r"(?:\d|\b(?:noon|one|{COUNT}))\s*(?:to|till|until|-|–|through)\s+$")
_OF_HALF = re.compile(r"[ap]\.?m", re.IGNORECASE)
_SCALED = re.compile(r"(?<![\w.,])\d[\d.,]*\s(?P<scale>thousand|lakh|crore|million|billion)\b", re.IGNORECASE)
_SCALES = SCALES | {"crore": 10_000_000, "billion": 1_000_000_000}
_LARGE = re.compile(r"(?<![\w.,])(?P<number>\d{4,})(?![\w,]|\.\d)")
_PLURAL = grammar(
    "values",
    r"(?<![\w.,])(?:(?P<digits>\d{1,3})s|(?P<word>{COUNT}|{TENS})(?P<ending>e?s)|(?P<stem>"
    r"(?:twent|thirt|fort|fift|sixt|sevent|eight|ninet))ies|(?P<six>six)es)\b",
)

_Found = tuple[int, int, str]


@record
class Meaning:
    """A sentence with its values as a line would have them, and what was said in their places."""

    said: str
    heard: tuple[tuple[str, str], ...] = ()

    def as_said(self, text: str) -> str:
        """A text with the words of the sentence for what they mean."""
        for words, value in self.heard:
            place = re.search(rf"(?<![\w:.]){re.escape(value)}(?![\w:]|\.\d)", text)
            text = f"{text[: place.start()]}{words}{text[place.end() :]}" if place else text
        return text

    def of(self, part: str) -> str:
        """What a part of the sentence means."""
        for words, value in self.heard:
            if words in part:
                return part.replace(words, value)
            if part and re.search(rf"\b{re.escape(part)}\b", words):
                return value  # "seven", of "seven in the evening"
        return part


def meaning(said: str, line: str, today: date | None) -> Meaning:
    """What a sentence means that corrects a line."""
    found: list[_Found] = []
    for start, end, value in (
        *shifts(said, line, today),
        *sums(said, line),
        *_hours(said, line, today),
        *_scale_counts(said, line),
        *_sizes(said, line),
    ):
        if value != said[start:end] and not any(one < end and start < other for one, other, _ in found):
            found.append((start, end, value))
    heard = tuple((said[start:end], value) for start, end, value in sorted(found))
    for start, end, value in sorted(found, reverse=True):
        said = f"{said[:start]}{value}{said[end:]}"
    return Meaning(said, heard)


def _hours(said: str, line: str, today: date | None) -> Iterator[_Found]:
    """The times of day of a sentence, where a line has one."""
    own = values_of(line, today)
    if not any(each.kind == TIME and re.search(r"\d|noon|midday", each.text, re.IGNORECASE) for each in own):
        return
    told = values_of(said, today)
    by_halves = any(each.kind == TIME and _OF_HALF.search(each.text) for each in own)
    for each in told:
        after = _PART_OF_DAY.match(said, each.end)
        if each.kind == TIME and after and not _OF_HALF.search(each.text):
            minutes = minutes_of(each.text)
            if minutes.isdigit():
                yield each.start, after.end(), _at(int(minutes), after[0], by_halves=by_halves)
    known = {each.key for each in own if each.kind in CODES}
    lengths = {len(re.sub(r"\D", "", each.text)) for each in own if each.kind in (*CODES, EXTENT)}
    for match in _HOUR.finditer(said):
        clock = _clock(match)
        taken = [each for each in told if each.start < match.end() and match.start() < each.end]
        if clock is None or any(each.kind not in (NUMBER, TIME) for each in taken):
            continue
        if any(each.start < match.start() or each.end > match.end() for each in taken):
            continue
        after = _PART_OF_DAY.match(said, match.end())
        if after:
            yield match.start(), after.end(), _at(clock % HALF_DAY, after[0], by_halves=by_halves)
            continue
        is_long = bool(match["minute"]) or int(amount_of(match["hour"])) >= 10 ** (LONG - 1)
        if any(each.kind == TIME for each in taken) and not is_long:
            continue
        if match["hour"] in known or not _AFTER_HOUR.match(said, match.end()):
            continue
        if _RANGE.match(said[match.end() :]) or _RANGE_END.search(said[: match.start()]):
            continue
        before = _BEFORE_HOUR.search(said[: match.start()])
        if match["hour"].lower() == "one" and not before:
            continue
        is_free = not any(length >= LONG for length in lengths) if is_long else not lengths
        if is_free or (before and not is_long):
            yield match.start(), match.end(), f"{clock // 60}:{clock % 60:02}"


def _clock(match: re.Match[str]) -> int | None:
    """The minutes of a time that is said as a number: `five thirty`, 530, 14; None if it is none."""
    digits = match["hour"] if match["hour"].isdigit() else str(NUMBER_WORDS[match["hour"].lower()])
    if len(digits) >= LONG and match["minute"]:
        return None
    hour, minute = (int(digits[:-2]), int(digits[-2:])) if len(digits) >= LONG else (int(digits), 0)
    if match["minute"]:
        minute = int(amount_of(match["minute"]))
    is_word = not match["hour"].isdigit()
    most = HOURS_OF_CLOCK if is_word else HOURS_OF_DAY - 1
    return hour * 60 + minute if 0 < hour <= most and minute % FEWEST == 0 and minute <= MOST else None


def _at(minutes: int, part: str, *, by_halves: bool) -> str:
    """A time in the half of the day that is named with it: `7:30pm`, or 19:30."""
    hour, minute = divmod(minutes, 60)
    is_night = "night" in part.lower()
    is_late = "morning" not in part.lower() and not (is_night and hour < HOURS_OF_CLOCK // 2)
    if by_halves:
        return f"{hour or HOURS_OF_CLOCK}:{minute:02}{'pm' if is_late else 'am'}"
    return f"{hour + HOURS_OF_CLOCK * is_late:02}:{minute:02}"


def _scale_counts(said: str, line: str) -> Iterator[_Found]:
    """Large numbers of a sentence by the scale that a line has: 7 million."""
    own = _SCALED.search(line)
    if not own:
        return
    scale = _SCALES[own["scale"].lower()]
    for match in _LARGE.finditer(said):
        count = int(match["number"]) / scale
        if round(count, 2) == count:
            yield *match.span(), f"{count:g} {own['scale']}"


def _sizes(said: str, line: str) -> Iterator[_Found]:
    """Things that are called by their size: `nines`, `312s`."""
    own = [each for each in values_of(line) if each.kind == NUMBER]
    found = list(_PLURAL.finditer(said))
    if len(own) != 1 or not own[0].key.isdigit():
        return
    for match in found:
        word = f"{match['stem']}y" if match["stem"] else match["word"] or match["six"]
        number = match["digits"] or str(NUMBER_WORDS.get(word.lower(), ""))
        if number and number != own[0].key:
            yield *match.span(), number
