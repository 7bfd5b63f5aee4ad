"""From when until when: hours of the day in a line (`12:30 to 2`, `18-20`), and others in their place."""

from __future__ import annotations

import re

from quaid.model.record import record
from quaid.routing.patterns import Pattern, grammar
from quaid.routing.values import HALF_DAY, MINUTES_SAID, amount_of, minutes_of

WHOLE_DAY = 2 * HALF_DAY
NIGHT, UNLIKELY = 6 * 60, 6 * 60  # until when people meet rarely, and how much farther away that is
_CLOCK = r"\d{1,2}(?:[:.]\d\d)?(?:\s?[ap]m)?"
_JOINT = r"(?P<joint>\s?[-–]\s?|\s(?:to|till|until)\s)"
_OWN = re.compile(
    rf"(?<![\w.,:/€$£+-])(?P<start>{_CLOCK}){_JOINT}(?P<end>{_CLOCK})(?![\w:€$£%/-]|[.,]\d)",
    re.IGNORECASE,
)
_SAID_CLOCK = (
    r"(?:(?:half|quarter|five|ten|twenty)\s(?:(?:past|to)\s)?)?"
    rf"(?:\d{{1,2}}(?:[:.]\d\d)?|noon|midday|midnight|one|{{COUNT}})(?:[\s-](?:{MINUTES_SAID}))?(?:\s?[ap]m)?"
)
_SAID: tuple[Pattern, ...] = (
    grammar(
        "values", rf"\bbetween\s(?P<start>{_SAID_CLOCK})\sand\s(?P<end>{_SAID_CLOCK})\b(?!\s?{{COUNTED}})"
    ),
    grammar(
        "values",
        rf"(?<![\w.,:/€$£+-])(?:from\s)?(?P<start>{_SAID_CLOCK})"
        rf"(?:\s?[-–]\s?|\s(?:to|till|until|while)\s)(?P<end>{_SAID_CLOCK})(?![\w%]|[:.,]\d)(?!\s?{{COUNTED}})",
    ),
)
_AFTER_DAY = grammar(
    "days", r"\b(?:{WEEKDAY}|saturday|sunday|sat|sun|{MONTH NAME})s?(?:\s\(\d{4}-\d\d-\d\d\))?,?\s$"
)
_AFTER_WORD = grammar("values", r"\b{BEFORE HOURS}\s$")
_HALF = re.compile(r"[ap]m", re.IGNORECASE)
_TAILED = grammar("values", rf"(?P<hour>one|{{COUNT}}|\d{{1,2}})[\s-](?P<minute>{MINUTES_SAID})")


@record
class _Hours:
    """From when until when, in minutes since midnight."""

    start: int
    end: int


def hours_texts(line: str, said: str) -> tuple[str, str] | None:
    """A line with other hours for its own, as it has them and as they were said; None without either."""
    own, told = (
        list(_OWN.finditer(line)),
        next((found for each in _SAID if (found := _only(each, said))), None),
    )
    if len(own) != 1 or not told or not _is_of_day(own[0], line):
        return None
    is_whole = _counts_all_hours(own[0])
    known = _Hours(*(_minutes(own[0][each], late=is_late) for each, is_late in _halves(own[0])))
    new = _meant(told, known, is_plain=not is_whole and not _HALF.search(own[0][0]))
    if new is None:
        return None
    shows_minutes = all(re.search(r"[:.]\d", own[0][each]) for each in ("start", "end"))
    start, end = (
        _text(moment, own[0][each], own[0], is_whole=is_whole, minutes=shows_minutes)
        for moment, each in ((new.start, "start"), (new.end, "end"))
    )
    before, after = line[: own[0].start()], line[own[0].end() :]
    return f"{before}{start}{own[0]['joint']}{end}{after}", f"{before}{told[0]}{after}"


def _only(pattern: Pattern, text: str) -> re.Match[str] | None:
    """The one place where a text fits a pattern."""
    found = list(pattern.finditer(text))
    return found[0] if len(found) == 1 else None


def _is_of_day(own: re.Match[str], line: str) -> bool:
    """Whether two numbers are hours: one shows minutes or a half of the day, or they follow a day."""
    if any(int(re.sub(r"\D.*", "", own[each])) > WHOLE_DAY // 60 for each in ("start", "end")):
        return False
    if re.search(r"[:.]\d\d|[ap]m", own[0], re.IGNORECASE):
        return True
    return bool(_AFTER_DAY.search(line[: own.start()]) or _AFTER_WORD.search(line[: own.start()]))


def _counts_all_hours(own: re.Match[str]) -> bool:
    """Whether hours are counted from midnight to midnight, as far as these show."""
    if _HALF.search(own[0]):
        return False
    start, end = (_digits(own[each]) for each in ("start", "end"))
    return own[0][0] == "0" or max(start, end) >= HALF_DAY + 60 or start < end


def _halves(own: re.Match[str]) -> tuple[tuple[str, bool], tuple[str, bool]]:
    """The ends of hours, and whether each is after noon."""
    start, end = own["start"].lower(), own["end"].lower()
    late_end = end.endswith("pm")
    late_start = start.endswith("pm") or (
        late_end and start[-1] != "m" and _digits(start) % HALF_DAY < _digits(end) % HALF_DAY
    )
    return ("start", late_start), ("end", late_end)


def _digits(clock: str) -> int:
    found = re.match(r"(\d{1,2})(?:[:.](\d\d))?", clock)
    return int(found[1]) * 60 + int(found[2] or 0) if found else 0


def _minutes(clock: str, *, late: bool) -> int:
    minutes = _digits(clock)
    return minutes % HALF_DAY + HALF_DAY if late else minutes


def _meant(told: re.Match[str], known: _Hours, *, is_plain: bool) -> _Hours | None:
    """The hours that are said, in the halves of the day that are nearest to those of a line."""
    start, end = _ways(told["start"]), _ways(told["end"])
    if not start or not end:
        return None
    if is_plain and all(len(each) > 1 for each in (start, end)) and known.end < known.start:
        return _Hours(start[0], end[0])
    begin = min(
        start, key=lambda each: abs(each - known.start) + (UNLIKELY if each < NIGHT <= known.start else 0)
    )
    return _Hours(begin, min(end, key=lambda each: (each - begin) % WHOLE_DAY or WHOLE_DAY))


def _ways(clock: str) -> tuple[int, ...]:
    """The minutes since midnight that a time may be."""
    words = clock.lower()
    tailed = _TAILED.fullmatch(words)
    if tailed:
        words = f"{amount_of(tailed['hour']):.0f}:{amount_of(tailed['minute']):02.0f}"
    found = minutes_of(words)
    if not found.isdigit():
        return ()
    minutes = int(found)
    if words.endswith("am"):
        return (minutes,)
    is_late = words in ("noon", "midday") or words.endswith("pm") or _digits(words) >= HALF_DAY + 60
    if _digits(words) >= WHOLE_DAY:
        return ()
    return (
        (minutes + HALF_DAY,) if is_late else (0,) if words == "midnight" else (minutes, minutes + HALF_DAY)
    )


def _text(moment: int, like: str, own: re.Match[str], *, is_whole: bool, minutes: bool) -> str:
    """A moment in the form of one of a line."""
    hour, minute = divmod(moment % WHOLE_DAY, 60)
    if not is_whole:
        hour = hour % 12 or 12
    shown = f"{hour:02}" if own[0][0] == "0" else str(hour)
    mark = re.search(r"[:.](?=\d)", own[0])
    if minute or minutes:
        shown = f"{shown}{mark[0] if mark else ':'}{minute:02}"
    half = re.search(r"\s?[ap]m$", like, re.IGNORECASE)
    if not half:
        return shown
    side = "pm" if moment % WHOLE_DAY >= HALF_DAY else "am"
    return f"{shown}{half[0][:-2]}{side.upper() if half[0].isupper() else side}"
