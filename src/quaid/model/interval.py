"""When something was true: days, half-open, with ends that may be unknown.

`since` is the first day on which it holds, `until` the first day on which it no longer does.
An unknown `since` claims nothing about the past: it counts as the shortest interval that fits.
"""

from __future__ import annotations

from datetime import date, timedelta

from quaid.errors import InvalidInput
from quaid.model.record import record


def parse_day(text: str, name: str = "date") -> str:
    """An ISO day from `2026`, `2026-04`, `2026-04-14` or a timestamp; partial ones start the period."""
    day = text.strip().replace("T", " ").partition(" ")[0]
    parts = day.split("-")
    try:
        if [len(part) for part in parts] == [4, 2, 2][: len(parts)] and day.isascii():
            year, month, number = (*(int(part) for part in parts), 1, 1)[:3]
            return date(year, month, number).isoformat()
    except ValueError:
        pass
    raise InvalidInput(f"{name} {text!r} is not a date", hint="Write it as YYYY-MM-DD.")


def day_after(day: str) -> str:
    """The next day."""
    return (date.fromisoformat(day) + timedelta(days=1)).isoformat() if day < "9999-12-31" else day


_SECOND_DAY = date.min + timedelta(days=1)


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
        if self.until:
            last = max(date.fromisoformat(self.until), _SECOND_DAY) - timedelta(days=1)
            return last.isoformat()
        return date.max.isoformat()

    @property
    def _high(self) -> str:
        return self.until or "9999-99-99"
