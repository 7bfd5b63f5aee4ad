"""What readers of documents share."""

from __future__ import annotations

import re

from quaid.errors import InvalidInput
from quaid.model.interval import parse_day
from quaid.model.record import record

MAX_CHARACTERS = 32 * 1024 * 1024

_MANY_BREAKS = re.compile(r"\n{3,}")
_TRAILING = re.compile(r"[ \t\u00a0]+(?=\n)")
# Control characters but for tab and newline, and halves of characters.
_UNFIT = re.compile("[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff\ud800-\udfff]")


_DAY = re.compile(r"\d{4}-\d\d-\d\d")


@record
class Origin:
    """When a document was made, by whom, and who was there or received it; each as far as it says so."""

    date: str = ""
    author: str = ""
    sender: str = ""
    recipients: tuple[str, ...] = ()
    attendees: tuple[str, ...] = ()


@record
class Reading:
    """What a reader made of a document."""

    text: str
    title: str = ""
    notes: tuple[str, ...] = ()
    origin: Origin = Origin()


def day_of(text: str) -> str:
    """The day with which a date of a document begins; nothing where it is none."""
    match = _DAY.match(text.strip())
    try:
        return parse_day(match.group()) if match else ""
    except InvalidInput:
        return ""


def tidied(text: str) -> str:
    """Text that a machine has laid out, without blanks that say nothing."""
    text = _UNFIT.sub("", text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n"))
    return _MANY_BREAKS.sub("\n\n", _TRAILING.sub("", text)).strip("\n") + "\n"


def missing_reader(what: str) -> InvalidInput:
    """The error where the package that reads a kind of document is not installed."""
    return InvalidInput(
        f"reading {what} needs packages that are not installed",
        hint="Install them beside it: pipx inject quaid pypdf mammoth markdownify beautifulsoup4.",
    )


def broken(what: str, error: Exception | str) -> InvalidInput:
    """The error where a document cannot be read."""
    said = " ".join(str(error).split())[:200]
    return InvalidInput(f"the {what} cannot be read{f': {said}' if said else ''}", hint="It may be damaged.")
