"""When something was true: days, half-open, with ends that may be unknown.

`since` is the first day on which it holds, `until` the first day on which it no longer does.
An unknown `since` claims nothing about the past: it counts as the shortest interval that fits.
"""

from __future__ import annotations

from quaid.errors import InvalidInput
from quaid.model.record import record

MONTHS = (
    "january february march april may june july august september october november december".split()  # noqa: SIM905
)
FIRST_DAY, LAST_DAY = "0001-01-01", "9999-12-31"
_HINT = "Write it as YYYY-MM-DD."


def parse_day(text: str, name: str = "date") -> str:
    """An ISO day from `2026-04-14`, `2026-04`, `2026`, a timestamp, or a day as people spell it.

    Partial ones start the period. What could be two days is refused.
    """
    day = text.strip().replace("T", " ").partition(" ")[0]
    parts = day.split("-")
    try:
        if [len(part) for part in parts] == [4, 2, 2][: len(parts)] and _are_numbers(parts):
            return _iso(*(int(part) for part in parts))
        spelled = _parts_of_day(text, name)
        if spelled:
            return _iso(*spelled)
    except (ValueError, OverflowError):
        pass
    raise InvalidInput(f"{name} {text!r} is not a date", hint=_HINT)


def _are_numbers(parts: list[str]) -> bool:
    return all(part.isascii() and part.isdigit() for part in parts)


def _iso(year: int, month: int = 1, number: int = 1) -> str:
    from datetime import date  # reading a page does without

    return date(year, month, number).isoformat()


def _parts_of_day(text: str, name: str) -> tuple[int, ...] | None:
    """Year, month and day of `14 April 2026`, `April 14th, 2026`, `Apr 2026`, `14.4.2026`, `2026/4/14`."""
    words = text.strip().lower().replace(",", " ").split()
    months = [n for n, month in enumerate(MONTHS, 1) for word in words if _names(word, month)]
    if len(months) == 1 and len(words) in (2, 3):
        numbers = [_number(word) for word in words if not _names(word, MONTHS[months[0] - 1])]
        if len(numbers) == 1:
            return (numbers[0], months[0]) if numbers[0] > 31 else None
        large, small = max(numbers), min(numbers)
        return (large, months[0], small) if large > 31 else None
    for separator in "./-":
        parts = text.strip().split(separator)
        if len(parts) == 3 and _are_numbers(parts):
            return _year_month_day([int(part) for part in parts], separator, text, name)
    return None


def _year_month_day(parts: list[int], separator: str, text: str, name: str) -> tuple[int, ...] | None:
    """Three numbers as year, month and day; the order of day and month must be clear."""
    if parts[0] > 31:
        return tuple(parts)
    first, second, year = parts
    if year <= 31 or separator == "-":
        return None
    if separator == "." or first > 12 or first == second:
        return year, second, first
    if second > 12:
        return year, first, second
    raise InvalidInput(f"{name} {text!r} may be two days: is the month first or the day?", hint=_HINT)


def _names(word: str, month: str) -> bool:
    bare = word.rstrip(".")
    return bare == month or (len(bare) in (3, 4) and month.startswith(bare))


def _number(word: str) -> int:
    bare = word.rstrip(".")
    return int(bare[:-2] if bare[-2:] in ("st", "nd", "rd", "th") else bare)


def day_after(day: str) -> str:
    """The next day."""
    from datetime import date, timedelta  # reading a page does without

    return (date.fromisoformat(day) + timedelta(days=1)).isoformat() if day < LAST_DAY else day


def span_text(since: str | None, until: str | None) -> str:
    """From when to when, in words; nothing where neither is known."""
    if since and until:
        return f"{since} to {until}"
    if since or until:
        return f"since {since}" if since else f"until {until}"
    return ""


def _day_before(day: str) -> str:
    from datetime import date, timedelta  # reading a page does without

    return (date.fromisoformat(day) - timedelta(days=1)).isoformat() if day > FIRST_DAY else day


@record
class Interval:
    """A half-open span of days, `[since, until)`."""

    since: str | None = None
    until: str | None = None

    def __post_init__(self) -> None:
        if self.since and self.until and self.until < self.since:
            raise InvalidInput(
                f"the interval ends ({self.until}) before it starts ({self.since})",
                hint="valid_until is the first day on which it no longer holds.",
            )

    @classmethod
    def parse(cls, since: str | None, until: str | None) -> Interval:
        """An interval from text as people write it."""
        return cls(
            parse_day(since, "valid_from") if since else None,
            parse_day(until, "valid_until") if until else None,
        )

    @property
    def words(self) -> str:
        """The span as people say it; nothing where neither end is known."""
        return span_text(self.since, self.until)

    def holds_on(self, day: str) -> bool:
        """Whether it is true on that day."""
        return (self.since is None or self.since <= day) and not self.ended_by(day)

    def ended_by(self, day: str) -> bool:
        """Whether it is over on that day."""
        return self.until is not None and self.until <= day

    def overlaps(self, other: Interval) -> bool:
        """Whether both are known to hold on some day."""
        return max(self._low, other._low) < min(self._high, other._high)

    @property
    def _low(self) -> str:
        if self.since:
            return self.since
        return _day_before(self.until) if self.until else LAST_DAY

    @property
    def _high(self) -> str:
        return self.until or "9999-99-99"
