"""Keys and tokens that are known by their form: which service gives them out, and what they look like."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from quaid.formats.phrase_files import sections
from quaid.formats.secrets.values import FILLER, is_random
from quaid.formats.secrets.words import Secret

# The name of each rule, the literals of which one must occur, and the form.
_FORMS = tuple(
    (name, tuple(literals.split(",")), form)
    for name, literals, form in map(str.split, sections(Path(__file__).with_name("forms.txt"))["forms"])
)
_AWS_SECRET = re.compile(
    r"[^A-Za-z0-9/+]{1,12}(?:[\w ]{1,30}[^A-Za-z0-9/+]{1,8})?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])"
)
# Tokens without a beginning of their own: what stands in the middle or at the end tells.
_UNUSUAL = tuple(
    (name, re.compile(form, re.ASCII))
    for name, form in (
        ("discord-token", r"(?<![\w-])[MNO][A-Za-z\d][\w-]{21,26}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])"),
        ("airtable-token", r"(?<![\w-])pat[A-Za-z0-9]{14}\.[a-f0-9]{64}(?![\w-])"),
        ("mailchimp-key", r"(?<![\w-])[0-9a-f]{32}-us\d{1,2}(?![\w-])"),
        ("maxmind-key", r"(?<![\w-])\w{6}_\w{29}_mmk(?![\w-])"),
        ("azure-devops-token", r"(?<![\w-])[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?![\w-])"),
    )
)
_SHORTEST_UNUSUAL = 27
# Long runs of characters of which tokens are made, found by their translation into one letter.
_IN_RUN = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
_RUNS = bytes(97 if byte in _IN_RUN else 32 for byte in range(256))
_RUN = b"a" * 20
# Each literal with the number of its form, by where it is looked for: at runs, before them, anywhere.
_LITERALS = [(number, each.encode()) for number, row in enumerate(_FORMS) for each in row[1]]
_AT_RUNS: dict[bytes, list[tuple[int, bytes]]] = {}
for _each in _LITERALS:
    if not _each[1].translate(None, _IN_RUN):
        _AT_RUNS.setdefault(_each[1][:2], []).append(_each)
_ANYWHERE = [each for each in _LITERALS if b"=" in each[1]]
_BEFORE_RUNS = [each for each in _LITERALS if each[1].translate(None, _IN_RUN) and each not in _ANYWHERE]
_BETWEEN = frozenset(
    b"./:~$+|!=%"
)  # one of them ends such a literal, or is next to a run that it reaches into
_HEAD = 64  # how far before a run the literal stands that is not made of its characters


def tokens(text: str, data: bytes) -> Iterator[Secret]:
    """Keys and tokens in the text."""
    runs = list(_long_runs(data))
    for start, end in runs:
        for number, literal in _AT_RUNS.get(data[start : start + 2], ()):
            if data.startswith(literal, start):
                token = _form(number).match(text, start)
                if token and _is_token(token.group()):
                    yield Secret(_FORMS[number][0], *token.span())
                    # The other half of such a pair has no form of its own.
                    other = _AWS_SECRET.match(text, token.end()) if number == 0 else None
                    if other and is_random(other.group(1)):
                        yield Secret("aws-secret-key", *other.span(1))
        if end - start >= _SHORTEST_UNUSUAL and _is_unusual(data, start, end):
            for name, form in _UNUSUAL:
                for token in form.finditer(text, max(0, start - 40), start + 90):
                    yield Secret(name, *token.span())
    present = [each for each in _ANYWHERE if each[1] in data]
    if runs:
        near = [start for start, _ in runs if start and data[start - 1] in _BETWEEN]
        heads = b" ".join([data[max(0, start - _HEAD) : start + 8] for start in near])
        present += [each for each in _BEFORE_RUNS if each[1] in heads]
    for number, literal in present:
        yield from _around(text, number, literal.decode())


def _around(text: str, number: int, literal: str) -> Iterator[Secret]:
    """Tokens of a form that has the literal not where a run begins."""
    form = _form(number)
    place = text.find(literal)
    while place >= 0:
        token = form.match(text, _beginning(text, literal, place))
        if token and _is_token(token.group()):
            yield Secret(_FORMS[number][0], *token.span())
        place = text.find(literal, max(place + 1, token.end() if token else 0))


def _long_runs(data: bytes) -> Iterator[tuple[int, int]]:
    runs = data.translate(_RUNS)
    start = runs.find(_RUN)
    while start >= 0:
        end = runs.find(b" ", start + len(_RUN))
        end = len(runs) if end < 0 else end
        yield start, end
        start = runs.find(_RUN, end)


def _is_unusual(data: bytes, start: int, end: int) -> bool:
    """Whether a run may be, or end, one of the unusual tokens."""
    if data[start - 1 : start] == b".":
        return data[start - 8 : start - 7] == b"." or data[start - 18 : start - 15] == b"pat"
    return (
        data[start + 32 : start + 35] == b"-us"
        or data[end - 4 : end] == b"_mmk"
        or data[end - 8 : end - 4] == b"AZDO"
    )


@cache
def _form(number: int) -> re.Pattern[str]:
    form = _FORMS[number][2]
    return re.compile(form if form.startswith("(?<") else f"(?<![\\w-])(?:{form})", re.ASCII)


def _beginning(text: str, literal: str, place: int) -> int:
    """Where a token begins that has its literal there."""
    before = text[max(0, place - 22) : place]
    if literal == "Q~":
        return max(0, place - 4)
    if literal == ".atlasv1.":
        return max(0, place - 14)
    if literal == ":A":
        return place - len(before) + len(before.rstrip("0123456789"))
    if literal in (":APA91b", "!AQ", "!AR", "|"):
        return place - len(re.split(r"[^\w-]", before, flags=re.ASCII)[-1])
    return place + (literal[0] == ".")


def _is_token(token: str) -> bool:
    """Whether it is a token and not a row of x, a word or your-token-here."""
    if token.startswith("LS0t"):
        return _is_encoded_key(token)
    tail = token[-24:]
    if len(set(tail)) < 7 or FILLER.search(tail):
        return False
    return any(map(str.isdigit, token)) or (
        len(set(tail)) >= 12 and not tail.islower() and not tail.isupper()
    )


def _is_encoded_key(token: str) -> bool:
    """Whether what is base64 begins as a private key does; certificates lack a word of that."""
    head = token[: min(len(token) // 4 * 4, 80)]
    try:
        return b"PRIVATE KEY" in binascii.a2b_base64(head)
    except ValueError:
        return False
