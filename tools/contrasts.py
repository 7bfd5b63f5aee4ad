"""Pairs that differ in one value: made of pairs that say the same, by putting another value into one of them."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator

from labelled_pairs import Pair

from quaid.formats.figures import MONTHS, WEEKDAYS, figures

# Beside such a word, another value need not be another fact.
_LOOSE = re.compile(
    r"\b(?:about|around|roughly|approx\w*|nearly|almost|some|circa|at least|at most|more|less|fewer|over|under|above|below"
    r"|up to|between|than|before|after|since|until|till|by|within|or|not?|never|older|younger|longer|early|late|part|half)\b"
    r"|[~<>±+-]",
    re.IGNORECASE,
)
_WORDS = "two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905
_NAMED = {name.lower(): group for group in (MONTHS, WEEKDAYS, _WORDS) for name in group}
_VALUE = re.compile(rf"(?<![\w.,:/#-])(?:\d[\d,]*(?:\.\d+)?|{'|'.join(_NAMED)})(?![\w/]|[.,:-]\d)", re.IGNORECASE)
_SAME = {"duplicate": "contradiction", "entailment": "contradiction", "none": "contradiction"}


def contrasts(pairs: Iterable[Pair], drawn: random.Random) -> Iterator[Pair]:
    """Of each pair that says the same with the same single value, one that contradicts."""
    for pair in pairs:
        contrary = _SAME.get(pair.label)
        if not contrary or _LOOSE.search(_plain(pair.first)) or _LOOSE.search(_plain(pair.second)):
            continue
        values = [{found.group().lower() for found in _VALUE.finditer(text)} for text in pair[1:3]]
        common = values[0] & values[1]
        if len(common) != 1 or len(values[1]) != 1:
            continue
        other = changed(pair.second, common.pop(), drawn)
        if other:
            yield pair._replace(second=other, label=contrary)


def _plain(text: str) -> str:
    """A text without the signs within its words and days."""
    return re.sub(r"(?<=\w)-(?=\w)", " ", text)


def changed(text: str, value: str, drawn: random.Random) -> str:
    """A text with another value in the place of one; "" if it has it twice, or would say the same."""
    places = [found for found in _VALUE.finditer(text) if found.group().lower() == value]
    if len(places) != 1:
        return ""
    found = places[0]
    other = _other(found.group(), drawn)
    made = text[: found.start()] + other + text[found.end() :]
    return made if other and figures(made) != figures(text) else ""


def _other(value: str, drawn: random.Random) -> str:
    group = _NAMED.get(value.lower())
    if group:
        other = drawn.choice([name for name in group if name.lower() != value.lower()])
        return other.lower() if value.islower() else other
    plain = value.replace(",", "")
    if "." in plain:
        whole, part = plain.split(".")
        return f"{max(0, int(whole) + drawn.choice((-2, -1, 1, 2, 3)))}.{part}"
    number = int(plain)
    if len(plain) == 4 and 1000 < number < 2100 and "," not in value:  # a year
        return str(number + drawn.choice((-11, -5, -3, -2, -1, 1, 2, 3, 4, 7)))
    if number < 10:
        return str(drawn.choice([each for each in range(1, 13) if each != number]))
    if number % 10 == 0:
        scale = 10 ** (len(plain) - len(plain.rstrip("0")))
        other = max(1, number // scale + drawn.choice((-3, -2, -1, 1, 2, 4))) * scale
    else:
        other = max(1, number + drawn.choice((-1, 1)) * drawn.randint(1, max(2, number // 3)))
    if other == number:
        other += 1
    return f"{other:,}" if "," in value else str(other)
