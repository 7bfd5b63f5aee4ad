"""The person's days and the moments at which they begin, in their time zone."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo

from quaid.errors import InvalidInput
from quaid.model.interval import day_after, parse_day

STORED = "%Y-%m-%dT%H:%M:%SZ"


class Days:
    """Days in a time zone; without a name, in that of the system."""

    def __init__(self, zone: str) -> None:
        self._zone = _zone(zone) if zone else None

    def local(self, moment: str) -> datetime:
        """A moment, as it is stored, in the person's zone."""
        return datetime.fromisoformat(moment).astimezone(self._zone)

    def day_of(self, moment: str) -> str:
        """The day of a moment as it is stored."""
        return self.local(moment).date().isoformat()

    def start_of(self, day: str) -> str:
        """The moment at which a day begins, as it is stored."""
        return self.stored_form(datetime.fromisoformat(day))

    def stored_form(self, moment: datetime) -> str:
        """A moment as it is stored; one without a zone is in the person's."""
        try:
            return (
                (moment if moment.tzinfo else moment.replace(tzinfo=self._zone))
                .astimezone(UTC)
                .strftime(STORED)
            )
        except (ValueError, OverflowError):  # on the first and the last day that there are
            return moment.strftime(STORED)

    def span(self, since: str | None, until: str | None) -> tuple[str | None, str | None]:
        """The first moment of one day, and the first after another, as people write days."""
        return (
            self.start_of(parse_day(since, "since")) if since else None,
            self.start_of(day_after(parse_day(until, "until"))) if until else None,
        )


def _zone(name: str) -> tzinfo:
    from zoneinfo import ZoneInfo  # only for those who set it

    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise InvalidInput(f"time.zone {name!r} is not a known zone", hint="Such as Europe/Berlin.") from None
