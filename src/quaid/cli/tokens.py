"""The commands that say who may ask a server."""

from __future__ import annotations

import re
import time

from quaid.app.app import utc_now
from quaid.app.tokens import Token, Tokens
from quaid.cli.parser import Given
from quaid.cli.session import Session
from quaid.errors import InvalidInput
from quaid.model.grant import Right
from quaid.model.interval import parse_day
from quaid.operations.text import columns

_DAYS = re.compile(r"([1-9]\d{0,3})d")


def add_token(session: Session, given: Given) -> int:
    """Make a token, and print it: that once."""
    can: Right = given.values.get("can") or "read"
    names = tuple(name for name in (given.values.get("collection") or "").split(",") if name)
    if names and can == "own":
        raise InvalidInput(
            "a token of the owner is about the whole memory", hint="Leave out --collection, or --can write."
        )
    for name in names:
        session.app.collection_row(name)
    made = Token(
        name=given.values["name"],
        digest="",
        can=can,
        collections=names,
        created=utc_now(),
        expires=_moment(session, given.values.get("expires")),
    )
    secret = _tokens(session).add(made)
    session.console.notify(f"{_token_line(made)}. The token is shown this once.")
    return session.console.answer({"name": made.name, "token": secret} | _facts(made), secret)


def list_tokens(session: Session, given: Given) -> int:
    """List the tokens of the memory."""
    known = _tokens(session).everything()
    style, now = session.console.style(), utc_now()
    rows = [
        (
            style.name(each.name),
            each.can,
            ", ".join(each.collections) or "everything",
            (f"used {each.used[:10]}" if each.used else "never used") + _end(each, now),
        )
        for each in known
    ]
    data = [{"name": each.name} | _facts(each) | {"used": each.used or None} for each in known]
    return session.console.answer({"tokens": data}, columns(rows) or "There are no tokens.")


def revoke_token(session: Session, given: Given) -> int:
    """Take a token back."""
    name = given.values["name"]
    _tokens(session).revoke(name)
    return session.console.answer({"revoked": name}, f"{name} opens nothing any more")


def _tokens(session: Session) -> Tokens:
    return Tokens(session.home, session.memory)


def _facts(token: Token) -> dict[str, object]:
    return {
        "can": token.can,
        "collections": list(token.collections),
        "created": token.created,
        "expires": token.ends or None,
    }


def _token_line(token: Token) -> str:
    about = f" in {', '.join(token.collections)}" if token.collections else ""
    until = f" until {token.expires[:10]}" if token.expires else ""
    return f"{token.name} may {token.can}{about}{until}"


def _end(token: Token, now: str) -> str:
    if not token.ends:
        return ""
    return f", {'until' if now < token.ends else 'expired'} {token.ends[:10]}"


def _moment(session: Session, text: str | None) -> str:
    """When a token expires, from a day or a number of days."""
    if text is None:
        return ""
    days = _DAYS.fullmatch(text.strip())
    if days:
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 86_400 * int(days[1])))
    moment = session.app.days.start_of(parse_day(text, "expires"))
    if moment <= utc_now():
        raise InvalidInput(f"{text} is past", hint="--expires 90d, or a day to come.")
    return moment
