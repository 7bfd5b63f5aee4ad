"""Days and moments that a question is about."""

from __future__ import annotations

from datetime import datetime, timedelta

from quaid.app import App
from quaid.errors import InvalidInput
from quaid.graph.attention import hours_of
from quaid.model.interval import parse_day
from quaid.store.relations import Since

_STORED = "%Y-%m-%dT%H:%M:%SZ"
_SINCE = "A day such as 2026-04-14, a moment such as 2026-04-14T09:30, or 24h, 7d, 2w."


def day_of(app: App, at: str | None) -> str:
    """The day that an answer is about: today, unless another is named."""
    return parse_day(at, "at") if at else app.today()


def since_of(app: App, text: str) -> Since:
    """The moment from which things are new, and its day: a day, a moment, or 24h, 7d, 2w ago."""
    hours = hours_of(text)
    if hours is not None:
        try:
            return hours_ago(app, hours)
        except OverflowError:
            raise InvalidInput(f"since {text!r} is too long ago", hint=_SINCE) from None
    if "T" in text:
        return _moment(app, text)
    try:
        day = parse_day(text, "since")
    except InvalidInput as error:
        raise InvalidInput(error.message, hint=_SINCE) from None
    return Since(day, app.days.start_of(day))


def _moment(app: App, text: str) -> Since:
    """A moment in ISO 8601; without a zone, in the person's."""
    try:
        stated = datetime.fromisoformat(text.strip())
    except ValueError:
        raise InvalidInput(f"since {text!r} is no moment", hint=_SINCE) from None
    moment = app.days.stored_form(stated)
    return Since(app.days.day_of(moment), moment)


def hours_ago(app: App, hours: int) -> Since:
    """A moment, and its day where the person lives; OverflowError if no calendar has it."""
    ago = timedelta(hours=hours)
    moment = datetime.strptime(app.now(), _STORED) - ago
    return Since((datetime.fromisoformat(app.today()) - ago).date().isoformat(), f"{moment.isoformat()}Z")
