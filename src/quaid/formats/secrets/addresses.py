"""Passwords and signatures in addresses, connection strings of databases among them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from quaid.formats.secrets.values import FILLER, PLACEHOLDER, STAND_INS, is_given, is_key, is_password
from quaid.formats.secrets.words import Secret

_USERINFO = re.compile(r"://([^\s/:@\"'`<>?#]{0,100}):([^\s/@\"'`<>]{1,200})@[\w.\[-]")
_USER = re.compile(r"://([A-Za-z0-9_-]{20,200})@[\w.-]")
_ORACLE = re.compile(
    r"(?:jdbc:oracle:\w{2,6}:|sqlplus[ \t]{1,3}(?:-\w{1,8}[ \t]{1,3}){0,3}[\"']?)"
    r"[\w$#]{1,60}/([^\s@\"'/]{3,100})@"
)
_QUERY = re.compile(r"[?&]key=([\w.~-]{20,200})", re.ASCII)
_WIFI = re.compile(r"WIFI:(?:[TSH]:[^;\n]{0,60};){0,3}P:((?:[^;\\\n]|\\.){4,80});")
_NAME = re.compile(r"(?:^|[^\w:/.-])(?!mailto|sips?\Z|xmpp|acct|npm|git\Z)[A-Za-z][\w.-]{1,40}\Z", re.ASCII)
_VALUE = re.compile(r"[^\s@/\"'`<>]{6,80}\Z")
_HOST = re.compile(r"[\w-]{1,60}\.[\w.-]{2,60}", re.ASCII)
_LONGEST_PASSWORD = 81
_LONGEST = 304  # of a name and a password with their signs
_SIGNED = re.compile(r"[?&,\s](?:X-Amz-|X-Goog-)?Signature=([A-Za-z0-9%+/=_~-]{32,700})")
_OTP = re.compile(
    r"otpauth(?:-migration)?://[^\s\"'`<>]{0,200}?[?&](?:secret|data)=([A-Za-z0-9%+/=]{8,2000})"
)
_PGPASS = re.compile(r"(?m)^[\w.*-]{1,100}:(?:\d{2,5}|\*):[\w*-]{1,60}:[\w*.-]{1,60}:([^\s:]{4,100})$")
# A literal without which a form does not occur, the form, and the rule.
_MARKED = (
    ("Signature=", _SIGNED, "signed-address"),
    ("otpauth", _OTP, "one-time-password-key"),
    (":5432:", _PGPASS, "password"),
    ("jdbc:oracle", _ORACLE, "password"),
    ("sqlplus", _ORACLE, "password"),
    ("WIFI:", _WIFI, "password"),
)


def passwords(text: str) -> Iterator[Secret]:
    """What stands between a name and an address, and what signs an address."""
    place = text.find("@")
    while place >= 0:
        start = text.rfind("://", max(0, place - _LONGEST), place)
        match = _USERINFO.match(text, start) if start >= 0 else None
        if match:
            user, password = match.groups()
            plain = password.lower() in STAND_INS or password == user or FILLER.search(password)
            if is_key(user) and not is_key(password):
                yield Secret("key-in-url", *match.span(1))
            elif not plain and not PLACEHOLDER.match(password):
                yield Secret("password-in-url", *match.span(2))
        elif start >= 0:
            # A key in the place of a name, as some services want it.
            name = _USER.match(text, start)
            if name and is_key(name.group(1)):
                yield Secret("key-in-url", *name.span(1))
        colon = text.rfind(":", max(0, place - _LONGEST_PASSWORD), place - 5)
        if colon > 0:
            yield from _without_scheme(text, colon, place)
        place = text.find("@", place + 1)
    for literal, form, rule in _MARKED:
        if literal in text:
            for match in form.finditer(text):
                if rule != "password" or is_given(match.group(1)):
                    yield Secret(rule, *match.span(1))
    place = text.find("key=")
    while place >= 0:
        match = _QUERY.match(text, place - 1) if place else None
        if match and is_key(match.group(1)):
            yield Secret("key-in-url", *match.span(1))
        place = text.find("key=", place + 4)


def _without_scheme(text: str, colon: int, at: int) -> Iterator[Secret]:
    """A password between a name and a host: mia:…@files.example.net."""
    value = text[colon + 1 : at]
    if not _HOST.match(text, at + 1) or not _NAME.search(text[max(0, colon - 42) : colon]):
        return
    if _VALUE.match(value) and is_password(value, loose=True):
        yield Secret("password", colon + 1, at)
