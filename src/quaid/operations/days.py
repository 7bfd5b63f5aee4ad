"""Days and moments that a question is about."""

from __future__ import annotations

from datetime import datetime, timedelta

from quaid.app import App
from quaid.model.interval import parse_day
from quaid.store.assertions import Since

_STORED = "%Y-%m-%dT%H:%M:%SZ"


def day_of(app: App, at: str | None) -> str:
    """The day that an answer is about: today, unless another is named."""
    return parse_day(at, "at") if at else app.today()


def hours_ago(app: App, hours: int) -> Since:
    """A moment, and its day where the person lives; OverflowError if no calendar has it."""
    ago = timedelta(hours=hours)
    moment = datetime.strptime(app.now(), _STORED) - ago
    return Since((datetime.fromisoformat(app.today()) - ago).date().isoformat(), f"{moment.isoformat()}Z")
