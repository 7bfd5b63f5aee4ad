"""A statement taken apart: what it is about, which values it states, what it denies. By words alone."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from quaid.kb import lexicon

_TOKEN = re.compile(
    r"""(?P<date>\d{4}-\d\d-\d\d)|(?P<clock>\d{1,2}:\d\d)|(?P<number>\d+(?:[.,]\d+)*(?![^\W_]))
    |(?P<mixed>\d+(?:\.\d+)?[^\W\d_]+\w*)|(?P<word>[^\W\d_][^\W_]*(?:['’][^\W_]+)*)|(?P<sign>[%€$])
    |(?P<pause>[.;:,!?()–—]|\s-\s)""",
    re.VERBOSE,
)
_MIXED = re.compile(r"(\d+(?:\.\d+)?)([^\W\d_]+)")
_ENDING = re.compile(r"(?:ing|ed|er|ly)$")
_SHORTEST_STEM = 3
_JOINTS = frozenset("because so but although while unless otherwise".split())  # noqa: SIM905
_COPULAS = frozenset(("is", "are", "was", "were", "has", "have"))
_PARTICLES = frozenset(("out", "up", "off", "down", "away", "back", "after", "before"))
_SPANNING = frozenset("after for within in than under over".split())  # noqa: SIM905
_PROBE = 4  # letters: endings differ
_CONTRASTS = frozenset(phrase[0] for phrase in lexicon.CONTRASTING)
_VALUES = frozenset((*lexicon.UNITS, *lexicon.WEEKDAYS, *lexicon.MONTHS, "am", "pm"))
_PRONOUNS = frozenset(("I",))
_EXCEPTIONS = frozenset(("unless",))
_DOUBLE = frozenset(("twice",))
_PREFIX = 5  # letters by which long words of one stem begin alike


class Word(NamedTuple):
    """A word that carries something: its stem, and where it stands."""

    stem: str
    place: int
    before: str  # the word before it, whatever that is
    topical: bool
    verb: bool  # it seems to say what is done, not to what


class Statement(NamedTuple):
    """What a text states. `values` are of a kind each; `denied` are the clauses that deny something."""

    words: tuple[Word, ...]
    topics: frozenset[str]
    values: dict[str, frozenset[str]]
    anchors: dict[str, frozenset[str]]  # of numbers without a unit: the topics beside them
    denied: tuple[frozenset[str], ...]
    stems: frozenset[str]  # of all words
    order: tuple[str, ...]  # all words, as they stand there


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


VERBS = frozenset(map(stem, lexicon.VERBS))
COMMON = frozenset(map(stem, lexicon.COMMON)) | lexicon.COMMON


_PROBES: dict[str, tuple[str, ...]] = {}
for _word, _first in lexicon.SPELLINGS.items():
    _PROBES[stem(_first)] = (*_PROBES.get(stem(_first), ()), _word[:_PROBE])


@lru_cache(maxsize=65_536)
def canonical(word: str) -> str:
    """The stem that stands for a word and its other spellings."""
    known = lexicon.SPELLINGS.get(word) or lexicon.SPELLINGS.get(word.removesuffix("s"))
    return stem(known or word)


_PREFERRING = canonical("prefer")


def probes(topic: str) -> tuple[str, ...]:
    """By which letters a text can be seen to have a topic: the first ones of all its spellings."""
    return (topic[:_PROBE], *_PROBES.get(topic, ()))


@lru_cache(maxsize=16_384)
def statement(text: str) -> Statement:
    """A text taken apart."""
    return _Reader(text).read()


class _Reader:
    def __init__(self, text: str) -> None:
        plain = text.replace("’", "'").replace("pull request", "pr").replace("Pull request", "pr")
        tokens = list(_split(plain))
        self.tokens = [(kind, token.casefold()) for kind, token in tokens]
        # A capital within a sentence makes a name of any word: "Go" is no going.
        self.names = {
            place
            for place, (kind, token) in enumerate(tokens)
            if place
            and kind == "word"
            and token[0].isupper()
            and token not in _PRONOUNS
            and token.casefold() not in _VALUES
            and tokens[place - 1][0] != "pause"
        }
        self.words: list[Word] = []
        self.values: dict[str, set[str]] = {}
        self.denied: list[frozenset[str]] = []
        self.anchors: dict[str, frozenset[str]] = {}

    def read(self) -> Statement:
        clause: list[str] = []
        after: list[str] = []  # what stands after a contrast
        negative = contrast = undone = False
        for place, (kind, token) in enumerate((*self.tokens, ("pause", "."))):
            undone = undone or token in _EXCEPTIONS
            if kind == "pause" or token in _JOINTS:
                self._deny(after, clause if negative and not undone else [])
                clause, after, negative, contrast, undone = [], [], False, False, False
                continue
            if token in lexicon.NEGATIVE:
                undone = negative or self._is_undone(place)
                negative = True
            contrast = contrast or self._contrasts(place)
            found = self._value(place, kind, token) or self._word(place, token)
            if found:
                (after if contrast else clause).append(found)
        order = tuple(token for _, token in self.tokens)
        values = {kind: frozenset(found) for kind, found in self.values.items()}
        topics = frozenset(word.stem for word in self.words if word.topical)
        return Statement(
            words=tuple(self.words),
            topics=topics,
            values=values,
            anchors=self.anchors,
            denied=tuple(self.denied),
            stems=frozenset(map(stem, order)) | frozenset(map(canonical, order)),
            order=order,
        )

    def _deny(self, *clauses: list[str]) -> None:
        self.denied += [frozenset(each) for each in clauses if each]

    def _next(self, place: int, step: int = 1) -> str:
        there = place + step
        return self.tokens[there][1] if 0 <= there < len(self.tokens) else ""

    def _is_undone(self, place: int) -> bool:
        after, second = self._next(place), self._next(place, 2)
        return (
            after in lexicon.UNDOING
            or after in lexicon.NEGATIVE
            or (after in {"more", "longer", "later", "less", "fewer"} and second == "than")
        )

    def _contrasts(self, place: int) -> bool:
        if self.tokens[place][1] not in _CONTRASTS:
            return False
        for phrase in lexicon.CONTRASTING:
            if all(self._next(place, step) == word for step, word in enumerate(phrase)):
                return phrase != ("over",) or any(canonical(t) == _PREFERRING for _, t in self.tokens[:place])
        return False

    def _value(self, place: int, kind: str, token: str) -> str:
        """Note a value that stands there; the answer is how it is called, "" if there is none."""
        for name, table in (("weekday", lexicon.WEEKDAYS), ("month", lexicon.MONTHS)):
            if token in table:
                return self._noted(name, table[token])
        if kind == "date":
            return self._noted("date", token)
        if kind == "clock":
            return self._noted("clock", _clock(token, self._next(place)))
        number = token if kind == "number" else lexicon.NUMBERS.get(token, "")
        if number:
            return self._number(place, number.replace(",", "") if kind == "number" else number)
        if token in {"a", "an"} and self._next(place, -1) in _SPANNING and self._next(place) in lexicon.UNITS:
            return self._number(place, "1")
        if token in _DOUBLE:
            return self._noted("times", "2")
        if token in lexicon.FREQUENCIES and (
            token.endswith("ly") or self._next(place, -1) in {"every", "each", "per"}
        ):
            return self._noted("frequency", lexicon.FREQUENCIES[token])
        return ""

    def _number(self, place: int, number: str) -> str:
        after, before = self._next(place), self._next(place, -1)
        if after in {"am", "pm"}:
            return self._noted("clock", _clock(f"{number}:00", after))
        unit = lexicon.UNITS.get(after) or lexicon.UNITS.get(before if before in {"€", "$"} else "")
        if unit and unit[0] == "span" and before in {"every", "each"}:
            unit = ("interval", unit[1])
        if unit:
            with_size = f"{float(number) * unit[1]:g}" if number.count(".") < 2 else number
            return self._noted(unit[0], with_size)
        anchors = {self._topic_before(place), self._topic_at(place + 1)} - {""}
        self.anchors[number] = self.anchors.get(number, frozenset()) | anchors
        return self._noted("count", number)

    def _topic_before(self, place: int) -> str:
        """The nearest topic in front of a place, in its clause."""
        for there in range(place - 1, -1, -1):
            if self.tokens[there][0] == "pause":
                return ""
            topic = self._topic_at(there)
            if topic:
                return topic
        return ""

    def _topic_at(self, place: int) -> str:
        kind, token = self.tokens[place] if place < len(self.tokens) else ("", "")
        called = canonical(token)
        plain = token in lexicon.EMPTY or token in lexicon.NEGATIVE or token in COMMON or called in COMMON
        return called if kind == "word" and (place in self.names or not plain) else ""

    def _noted(self, kind: str, value: str) -> str:
        self.values.setdefault(kind, set()).add(value)
        return f"{kind}:{value}"

    def _word(self, place: int, token: str) -> str:
        named = place in self.names
        if not named and (token in lexicon.EMPTY or token in lexicon.NEGATIVE or token in lexicon.UNITS):
            return ""
        if token in lexicon.FREQUENCIES or token in {"am", "pm"}:
            return ""
        called = canonical(token)
        topical = named or (called not in COMMON and token not in COMMON)
        before = self._next(place, -1)
        self.words.append(Word(called, place, before, topical, self._is_verb(place, token, before)))
        return called

    def _is_verb(self, place: int, token: str, before: str) -> bool:
        """Whether a word says what is done, as far as its neighbours tell."""
        after = self._next(place)
        preposed = before in lexicon.PREPOSITIONS and (before != "to" or token.endswith("s"))
        if place in self.names or preposed:
            return False
        if stem(token) in VERBS or canonical(token) in VERBS:
            return before not in lexicon.ARTICLES
        if before in lexicon.LEADING_VERBS:
            return after not in _COPULAS
        kind = self.tokens[place - 1][0] if place else "pause"
        if kind == "pause":
            return after in lexicon.ARTICLES
        closed = after in lexicon.ARTICLES or after in lexicon.PREPOSITIONS or after in _PARTICLES
        plural = token.endswith("s") and not token.endswith("ss")
        return plural and closed and kind == "word" and before not in lexicon.EMPTY


def _split(text: str) -> Iterable[tuple[str, str]]:
    for match in _TOKEN.finditer(text):
        kind, token = match.lastgroup or "", match.group()
        apart = _MIXED.fullmatch(token) if kind == "mixed" else None
        if apart and (apart.group(2) in lexicon.UNITS or apart.group(2) in {"am", "pm"}):
            yield "number", apart.group(1)
            yield "word", apart.group(2)
        else:
            yield ("word" if kind == "mixed" else kind), token


def _clock(token: str, after: str) -> str:
    hour, minute = token.split(":")
    late = 12 if after == "pm" and int(hour) < 12 else 0
    return f"{int(hour) + late}:{minute}"


def is_same(one: str, other: str) -> bool:
    """Whether two stems are of one word, as far as letters tell."""
    if one == other:
        return True
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    return len(short) >= _PREFIX and long.startswith(short[:-1]) and len(long) - len(short) <= 4


def beyond(one: Iterable[str], other: Iterable[str]) -> frozenset[str]:
    """The stems of one statement that the other has in no form."""
    others = frozenset(other)
    akin: dict[str, list[str]] = {}  # forms of one word begin alike
    for each in others:
        akin.setdefault(each[: _PREFIX - 1], []).append(each)
    return frozenset(
        each
        for each in one
        if each not in others and not any(is_same(each, form) for form in akin.get(each[: _PREFIX - 1], ()))
    )
