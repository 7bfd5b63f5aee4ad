"""A statement taken apart: its words, the values that it states, what it denies. By words alone."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

from quaid.formats.figures import MONTHS, WEEKDAYS, figures
from quaid.formats.phrase_files import sections

_LEXICON = sections(Path(__file__).with_name("lexicon.txt"))  # it says what each section is for


def _words(section: str) -> frozenset[str]:
    return frozenset(" ".join(_LEXICON[section]).split())


def _groups(section: str) -> dict[str, str]:
    """Each word of a line, with the first of its line."""
    return {word: line.split()[0] for line in _LEXICON[section] for word in line.split()}


_EMPTY, _NEGATIVE, _SPELLINGS = _words("empty"), _words("negative"), _groups("spellings")
# Of a word: a name, a thing, what is done, or what any note may say.
Kind = Literal["name", "thing", "deed", "common"]

_UNITS = {
    **dict.fromkeys(("days", "hours", "minutes", "seconds", "ms", "years", "months"), "span"),
    **dict.fromkeys(("TB", "GB", "MB", "KB"), "size"),
    **dict.fromkeys(("kg", "g", "mg"), "weight"),
    **dict.fromkeys(("km", "m", "cm", "mm"), "length"),
    **dict.fromkeys(("l", "ml"), "volume"),
    **dict.fromkeys(("euros", "dollars", "pounds", "francs"), "money"),
    "degrees": "degrees",
    "times": "times",
}
_MEASURE = rf"\d+(?:\.\d+)?\ (?:{'|'.join(_UNITS)})\b"
_TOKEN = re.compile(
    rf"""(?P<day>\b\d{{1,2}}\ (?:{"|".join(MONTHS)})(?:\ \d{{4}})?\b)|(?P<clock>\b\d{{1,2}}:\d\d\b)
    |(?P<rate>\bevery\ {_MEASURE}|\b(?:hour|dai|night|week|month|quarter|year)ly\b)
    |(?P<measure>(?<![\w.])-?{_MEASURE})|(?P<percent>(?<![\w.])\d+(?:\.\d+)?%)
    |(?P<weekday>\b(?:{"|".join(WEEKDAYS)}|weekdays?|weekends?)\b)|(?P<month>\b(?:{"|".join(MONTHS)})\b)
    |(?P<number>(?<![\w.])-?\d+(?:\.\d+)?(?!\w|\.\d))
    |(?P<code>[\w./@+-]*\d[\w./@+-]*\w|/\w[\w/.-]*|\w+(?:[_.]\w+)+)
    |(?P<word>[^\W\d_]+(?:'[^\W\d_]+)?)|(?P<pause>[.;:,!?()])""",
    re.VERBOSE,
)
_VALUES = frozenset(("day", "clock", "rate", "percent", "weekday", "month", "number"))
_ENDING = re.compile(r"(?:ing|ed|er|ly)$")
_SHORTEST_STEM = 3
_PROBE = 4  # letters: endings differ
_PREFIX = 5  # letters by which long words of one stem begin alike


class Word(NamedTuple):
    """A word that carries something."""

    stem: str
    kind: Kind
    written: str


class Statement(NamedTuple):
    """What a text states. `values` are of a dimension each."""

    words: tuple[Word, ...]
    values: dict[str, frozenset[str]]
    denials: tuple[str, ...]
    stems: frozenset[str]  # of all words

    @property
    def topics(self) -> tuple[Word, ...]:
        """The words by which one note differs from others."""
        return tuple(word for word in self.words if word.kind != "common")


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """A word without its ending, so that *wraps*, *wrapped* and *wrapping* are one. For comparing only."""
    if len(word) < 4 or not word.isalpha():
        return word
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    bare = _ENDING.sub("", word)
    bare = bare if len(bare) >= _SHORTEST_STEM else word
    bare = bare.rstrip("e") if len(bare) > _SHORTEST_STEM else bare
    return bare[:-1] if len(bare) > _SHORTEST_STEM and bare[-2:-1] == bare[-1:] else bare


@lru_cache(maxsize=65_536)
def canonical(word: str) -> str:
    """The stem that stands for a word and its other spellings."""
    known = _SPELLINGS.get(word) or _SPELLINGS.get(word.removesuffix("s"))
    return stem(known or word)


_VERBS = frozenset(each for word in _words("verbs") for each in (stem(word), canonical(word)))
_COMMON = frozenset(map(stem, _words("common"))) | _words("common")
ALTERNATIVES = {canonical(word): group for word, group in _groups("alternatives").items()}
OPPOSITES = tuple(frozenset(map(stem, pair.split("/"))) for pair in " ".join(_LEXICON["opposites"]).split())

_PROBES: dict[str, tuple[str, ...]] = {}
for _word, _first in _SPELLINGS.items():
    _PROBES[stem(_first)] = (*_PROBES.get(stem(_first), ()), _word[:_PROBE])


def probes(topic: str) -> tuple[str, ...]:
    """By which letters a text can be seen to have a topic: the first ones of all its spellings."""
    return (topic[:_PROBE], *_PROBES.get(topic, ()))


@lru_cache(maxsize=16_384)  # whoever looks for duplicates compares each with many
def statement(text: str) -> Statement:
    """A text taken apart."""
    words: list[Word] = []
    values: dict[str, set[str]] = {}
    stems: set[str] = set()
    denials: list[str] = []
    begins = True
    for match in _TOKEN.finditer(figures(text)):
        kind, token = match.lastgroup or "", match.group()
        if kind == "word":
            folded = token.casefold()
            stems |= {stem(folded), canonical(folded)}
            if folded in _NEGATIVE:
                denials.append(folded)
            elif folded not in _EMPTY:
                named = (token.isupper() and len(token) > 1) or (token[0].isupper() and not begins)
                words.append(Word(canonical(folded), _kind(folded, named=named), token))
        elif kind == "code":
            words.append(Word(token.casefold(), "name", token))
            stems.add(token.casefold())
        elif kind != "pause":
            dimension = kind if kind in _VALUES else _UNITS[token.rsplit(" ", 1)[1]]
            values.setdefault(dimension, set()).add(token)
        begins = kind == "pause"
    held = {dimension: frozenset(found) for dimension, found in values.items()}
    return Statement(tuple(words), held, tuple(denials), frozenset(stems))


def _kind(word: str, *, named: bool) -> Kind:
    called = canonical(word)
    # A capital within a sentence makes a name of any word: "Go" is no going.
    if named or called in ALTERNATIVES:
        return "name"
    if word in _COMMON or called in _COMMON:
        return "common"
    return "deed" if called in _VERBS or stem(word) in _VERBS else "thing"


def is_same(one: str, other: str) -> bool:
    """Whether two stems are of one word, as far as letters tell."""
    if one == other:
        return True
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    return len(short) >= _PREFIX and long.startswith(short[:-1]) and len(long) - len(short) <= 4


def beyond(one: Iterable[Word], other: Iterable[Word]) -> list[Word]:
    """The words of one statement that the other has in no form."""
    others = {word.stem for word in other}
    akin: dict[str, list[str]] = {}  # forms of one word begin alike
    for each in others:
        akin.setdefault(each[: _PREFIX - 1], []).append(each)
    return [
        word
        for word in one
        if word.stem not in others
        and not any(is_same(word.stem, form) for form in akin.get(word.stem[: _PREFIX - 1], ()))
    ]


def apart(one: Statement, other: Statement) -> bool:
    """Whether each is about something that the other does not name: the port of Redis, that of Postgres."""
    return bool(beyond(one.topics, other.words)) and bool(beyond(other.topics, one.words))
