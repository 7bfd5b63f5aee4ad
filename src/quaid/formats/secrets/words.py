"""The words next to which secrets stand, and where a text has them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from quaid.model.record import record


@record
class Secret:
    """A secret's kind and its place in the text, in characters."""

    rule: str
    start: int
    end: int


Places = Mapping[bytes, list[int]]

# One expression for each first letter: such a one is looked for as fast as a single word.
_VOCABULARY = tuple(
    re.compile(each)
    for each in (
        rb" -(?:[upawbnk]|-(?:proxy-)?user)",
        rb"b(?:earer|asic)",
        rb"c(?:red|ode|ookie|ontrase|ommunity|ombination|lave\b)",
        rb"k(?:ey|ennwort)",
        rb"p(?:ass|w|sk|in\b|arola|rivate-lines)",
        rb"wachtwoord",
        rb"s(?:ecret|ess|eed|enha|ecurestring|udo -s)",
    )
)
_ALONE = (b"auth", b"token", b"login", b"identified", b"mnemonic", b"net use", b"recovery phrase")


def places_in(lowered: bytes) -> Places:
    """Where each word stands in a text of small letters."""
    found: dict[bytes, list[int]] = defaultdict(list)
    for expression in _VOCABULARY:
        for match in expression.finditer(lowered):
            found[match.group()].append(match.start())
    for word in _ALONE:
        place = lowered.find(word)
        while place >= 0:
            found[word].append(place)
            place = lowered.find(word, place + len(word))
    return found


def behind(text: str, words: Places, form: re.Pattern[str], *names: bytes) -> Iterator[re.Match[str]]:
    """What has a form, right behind each place of some words."""
    for name in names:
        for place in words.get(name, ()):
            match = form.match(text, place + len(name))
            if match:
                yield match


def line_before(text: str, place: int, most: int = 200) -> str:
    """What stands before a place in its line, the last of it if that is long."""
    start = max(0, place - most)
    return text[max(start, text.rfind("\n", start, place) + 1) : place]
