"""Pairs that contradict each other in one value, made of pairs that say the same with it."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator

from labelled_pairs import Pair

from quaid.formats.figures import MONTHS, WEEKDAYS, figures

# Beside such a word, another value need not be another fact.
_LOOSE_WORDS = """
about above after almost approx approximately around at before below between by circa early fewer half late
least less longer more most nearly never no nor not older or over part roughly since some than till under
until up within younger
"""
_LOOSE = frozenset(_LOOSE_WORDS.split())
_SIGN = re.compile(r"[~<>±+]|(?<!\w)-|-(?!\w)")
_WORD = re.compile(r"[^\W\d_]+")
_COUNTS = "two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905
_NAMED = {
    name: group for group in (MONTHS, WEEKDAYS, _COUNTS, [each.title() for each in _COUNTS]) for name in group
}
_VALUE = re.compile(rf"(?<![\w.,:/#-])(?:\d[\d,]*(?:\.\d+)?|{'|'.join(_NAMED)})(?![\w/]|[.,:-]\d)")
_SAME = {"duplicate": "contradiction", "entailment": "contradiction", "none": "contradiction"}


def contrasts(pairs: Iterable[Pair], drawn: random.Random) -> Iterator[Pair]:
    """Of each pair that says the same with the same single value, one that contradicts."""
    for pair in pairs:
        contrary = _SAME.get(pair.label)
        if not contrary or _is_loose(pair.first) or _is_loose(pair.second):
            continue
        values = [{found.group().lower() for found in _VALUE.finditer(text)} for text in pair[1:3]]
        common = values[0] & values[1]
        if len(common) != 1 or len(values[1]) != 1:
            continue
        other = changed(pair.second, common.pop(), drawn)
        if other:
            yield pair._replace(second=other, label=contrary)


def _is_loose(text: str) -> bool:
    return not _LOOSE.isdisjoint(_WORD.findall(text.lower())) or _SIGN.search(text) is not None


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
    if value in _NAMED:
        return drawn.choice([name for name in _NAMED[value] if name != value])
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
