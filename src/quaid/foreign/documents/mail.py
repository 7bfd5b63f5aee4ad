"""Mails as Markdown."""

from __future__ import annotations

from email import policy
from email.errors import MessageError
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import getaddresses, parsedate_to_datetime
from typing import Any

from quaid.foreign.documents import web
from quaid.foreign.documents.readers import Origin, Reading, broken, tidied

_HEADERS = ("From", "To", "Cc", "Date", "Subject")


def read(data: bytes) -> Reading:
    """Sender, receivers, day and subject of a mail, and what it says. Attachments are named, not read."""
    try:
        message = BytesParser(policy=policy.default).parsebytes(data)
        headers = [(name, _header(message, name)) for name in _HEADERS]
        text = _body(message)
        attached = [part.get_filename() or part.get_content_type() for part in message.iter_attachments()]
    except (MessageError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise broken("mail", error) from error
    if not text.strip() and not any(value for _, value in headers):
        return Reading("")
    top = "\n".join(f"- **{name}:** {value}" for name, value in headers if value)
    notes = (f"Attachments are not read: {', '.join(attached)}.",) if attached else ()
    return Reading(tidied(f"{top}\n\n{text}"), dict(headers)["Subject"], notes, _origin(message))


def _origin(message: EmailMessage) -> Origin:
    """Day, sender and receivers; a header that nobody can read says nothing."""
    try:
        sent = parsedate_to_datetime(str(message.get("Date", "")))
        day = sent.date().isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        day = ""
    sender = _people(message, "From")
    return Origin(
        date=day,
        sender=sender[0] if sender else "",
        recipients=tuple(dict.fromkeys((*_people(message, "To"), *_people(message, "Cc")))),
    )


def _people(message: EmailMessage, name: str) -> list[str]:
    """Names of people, or their addresses; `Doe, Jane` is Jane Doe."""
    found = getaddresses([_header(message, name)])
    people = [shown.strip() or address.strip() for shown, address in found]
    return [
        " ".join(reversed(each.split(", "))) if each.count(", ") == 1 else each for each in people if each
    ]


def _header(message: EmailMessage, name: str) -> str:
    return " ".join(str(message.get(name, "")).split())


def _body(message: EmailMessage) -> str:
    part: Any = message.get_body(("plain", "html"))
    if part is None:
        return ""
    if part.get_content_type() == "text/html":
        return web.read(part.get_payload(decode=True) or b"").text
    try:
        return str(part.get_content())
    except LookupError:  # an encoding that nobody knows
        return (part.get_payload(decode=True) or b"").decode("latin-1")
