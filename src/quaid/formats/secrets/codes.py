"""Secrets that people tell in sentences of another shape: codes, pairs, and a value before its name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from quaid.formats.secrets.values import is_given, is_key, is_password
from quaid.formats.secrets.words import Places, Secret, behind

_FOR = r"(?:[ \t](?:for|of|on|to|at)[ \t][^\n:;=.\d]{1,40}?)?"
_IS = r"(?:[ \t]{0,2}[:=][ \t]{0,3}|[ \t](?:is|was|are|ist|lautet)[ \t]{1,3}|[ \t])"
_PIN = re.compile(rf"(?:[ -][Cc]ode)?{_FOR}{_IS}[\"'`*]{{0,2}}(\d{{4,8}})(?![\w.:/-]?\d)")
_CODE_KINDS = """
recovery backup scratch access door alarm gate safe entry security lock unlock verification
"""
_CODES = tuple(f"{word}{sign}" for word in _CODE_KINDS.split() for sign in " -_")
_COMBINATION = re.compile(rf"{_FOR}{_IS}(\d{{1,2}}(?:[ -]{{1,3}}\d{{1,2}}){{2,4}})(?![\w-])")
_CODE_HEAD = re.compile(rf"s?{_FOR}(?:[ \t]{{0,2}}[:=]|[ \t](?:is|was|are))?[ \t\n]{{1,3}}")
_CODE = re.compile(
    r"[\s,;*`\"'-]{0,6}((?=[A-Za-z-]{0,30}\d)[A-Za-z0-9]{4,10}(?:-[A-Za-z0-9]{4,10}){0,4}#?)(?![\w-])"
)
_PAIR = re.compile(
    r"(?:entials?|s)?(?:[ \t](?:for|on|of|to)[ \t][^\n:=]{1,40})?[ \t]{0,2}(?::|=|are|is)[ \t]{0,3}[`\"']?"
    r"([\w.@+-]{2,60})[ \t]{0,2}(?:/|:|,|\|)[ \t]{0,2}([^\s`\"'/|,]{6,100})"
)
# As a program has it: auth=("mia", "…"), login("mia", "…").
_CALL = re.compile(
    r"(?:=|:)?[ \t]{0,2}\([ \t]{0,2}[\"'][^\"'\n]{1,80}[\"'][ \t]{0,2},[ \t]{0,2}[\"']([^\"'\n]{3,100})[\"']"
)
_BEFORE_NAME = re.compile(
    r"(?:^|[\s(\"'`])([^\s\"'`()\[\]]{6,80})[\"'`]?[ \t](?:as|is|was)[ \t]"
    r"(?:(?:the|a|my|our|your|their|his|her|its)[ \t])?"
    r"(?:[\w-]{1,20}[ \t])?\Z"
)
_VERB = re.compile(r"[ \t](?:as|is|was)[ \t]")
_GROUPS = re.compile(
    r"(?:s|[ _-]?keys?)?[ \t]{0,2}(?::|=|is)[ \t]{0,3}[\"'`]?"
    r"((?:[A-Za-z2-7]{4}[ -]){3,15}[A-Za-z2-7]{4})(?!\w)"
)
_CONTENT = re.compile(r"[ \t]content[ \t]{1,20}:[ \t]([^\n]{8,63})", re.IGNORECASE)
_FOREIGN = ("密码", "пароль", "パスワード", "hasło")
_FOREIGN_VALUE = re.compile(r"[ \t]{0,3}(?:[:：=—-]|是|为|は|это)?[ \t]{0,3}[\"'`「«]?([!-~]{6,100})")


def values(text: str, words: Places) -> Iterator[Secret]:
    """What opens cards, doors and accounts."""
    yield from _codes(text, words)
    for word in (b"cred", b"login", b"auth"):
        for place in words.get(word, ()):
            past = place + len(word)
            pair = None if word == b"auth" or text[place - 1 : place].isalpha() else _PAIR.match(text, past)
            if pair and is_password(pair.group(2), loose=True):
                yield Secret("password", *pair.span(2))
            call = _CALL.match(text, past)
            if call and is_given(call.group(1)) and not call.group(1).isalpha():
                yield Secret("password", *call.span(1))
    for word in (b"pass", b"token", b"secret"):
        for place in words.get(word, ()):
            before = text[max(0, place - 120) : place]
            named = _BEFORE_NAME.search(before) if _VERB.search(before[-40:]) else None
            is_word = word == b"pass"
            if named and (is_password(named.group(1), loose=True) if is_word else is_key(named.group(1))):
                start = place - len(before) + named.start(1)
                rule = "password" if is_word else "assigned-secret"
                yield Secret(rule, start, start + len(named.group(1)))
    for match in behind(text, words, _GROUPS, b"secret", b"key"):
        if any(map(str.isdigit, match.group(1))):
            yield Secret("one-time-password-key", *match.span(1))
    for match in behind(text, words, _CONTENT, b"key"):
        yield Secret("password", *match.span(1))
    if not text.isascii():
        yield from _foreign(text)


def _codes(text: str, words: Places) -> Iterator[Secret]:
    for place in words.get(b"code", ()):
        if not text[max(0, place - 13) : place].lower().endswith(_CODES):
            continue
        head = _CODE_HEAD.match(text, place + 4)
        code = _CODE.match(text, head.end()) if head else None
        while code:
            yield Secret("code", *code.span(1))
            code = _CODE.match(text, code.end())
    for found in behind(text, words, _COMBINATION, b"combination"):
        yield Secret("code", *found.span(1))
    for place in words.get(b"pin", ()):
        match = _PIN.match(text, place + 3)
        if not match or text[place - 1 : place].isalnum():
            continue
        blank = text[place + 3 : match.start(1)].isspace()
        if not blank or text.startswith("PIN", place):
            yield Secret("pin", *match.span(1))


def _foreign(text: str) -> Iterator[Secret]:
    """Passwords that are named in other scripts."""
    for word in _FOREIGN:
        place = text.find(word)
        while place >= 0:
            match = _FOREIGN_VALUE.match(text, place + len(word))
            if match and is_password(match.group(1), loose=True):
                yield Secret("password", *match.span(1))
            place = text.find(word, place + len(word))
