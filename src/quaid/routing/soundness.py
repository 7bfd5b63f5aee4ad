"""Whether a new wording of a line is whole: nothing torn out of it, nothing left without what it belongs to.

A wording may only have what is cut anew as somebody would write it. What stands next to each other in the
line or in the sentence was written so by a person; only places where the two were joined are looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from difflib import SequenceMatcher
from itertools import pairwise

from quaid.formats.figures import NUMBER_WORDS
from quaid.routing import days, ranges
from quaid.routing.conservation import denials, losses
from quaid.routing.exchange import words
from quaid.routing.patterns import grammar
from quaid.routing.stems import fillers, stem, stems
from quaid.routing.values import CODES, DAY, values_of, without_values

_OF_CHANGE = grammar("wordings", r"\b{OF CHANGE}\b")
_BEFORE_OTHERS = grammar("wordings", r"{BEFORE OTHERS}|{JOINING}|{ARTICLE}")
_PREPOSITION = grammar("wordings", r"{BEFORE OTHERS}")
_JOINING = grammar("wordings", r"{JOINING}")
_ARTICLE = grammar("wordings", r"{ARTICLE}")
_JOINS = frozenset("()\"'“”‘’€$£#@&%-–—")  # marks that stand beside others
_STOPS = frozenset(".!?…")
_NOTED = re.compile(r"(?P<words>\S+(?:\s\S+)?)\s\((?P<noted>\d{4}-\d\d-\d\d)\)")
END = ""
BRIDGE = 3  # words of a sentence before another


def faults(text: str, made: str, said: str, today: date | None) -> int:
    """How many things are wrong about a new wording of a line; of what is said as it is, only its ends."""
    own, new = _spelt(text), _spelt(made)
    known = {*_beside(own), *_beside(_spelt(said))}
    joints = [each for each in _beside(new) if each not in known]
    if is_as_said(made, said):
        return sum(_is_loose(*each) for each in joints)
    return (
        len(_torn_out(text, made, said))
        + losses(text, made, said, today)[0] * _loses_numbers(text, made)
        + sum(_is_loose(*each) for each in joints)
        + sum(_is_unmeasured(*each, own) or _is_bereft(*each, own, new) for each in joints)
        + _misdated_count(made, text)
        + _of_change(made, text)
        + _inventions(made, text, said)
        + _miscounts(joints, said)
        + sum(_is_bridged(*each, said) for each in joints)
        + _repetitions(made, text, said)
        + _torn_days(made, text, today)
    )


def is_as_said(made: str, said: str) -> bool:
    """Whether a wording is a part of a sentence as it was said."""
    new, told = _spelt(made), _spelt(said)
    return any(told[place : place + len(new)] == new for place in range(len(told) - len(new) + 1))


def _torn_out(text: str, made: str, said: str) -> frozenset[str]:
    """Words of a line that are gone although nothing stands in their place and nobody speaks of them."""
    own, new = _spelt(text), _spelt(made)
    spoken = stems(said) | stems(made) | denials(said, text) | fillers()
    gone: set[str] = set()
    for kind, start, end, first, last in SequenceMatcher(None, own, new, autojunk=False).get_opcodes():
        if kind != "equal" and not _has_weight(new[first:last]):
            gone |= stems(without_values(" ".join(own[start:end]))) - spoken
    return frozenset(gone)


def _loses_numbers(text: str, made: str) -> bool:
    """Whether a number of a line is gone and nothing stands in its place."""
    own, new = _spelt(text), _spelt(made)
    matcher = SequenceMatcher(None, own, new, autojunk=False)
    return any(
        kind != "equal" and any(map(_is_numeric, own[start:end])) and not _has_weight(new[first:last])
        for kind, start, end, first, last in matcher.get_opcodes()
    )


def _is_numeric(token: str) -> bool:
    return any(char.isdigit() for char in token)


def _has_weight(run: Sequence[str]) -> bool:
    """Whether words say something by themselves: a value, or a word of weight."""
    return any(_is_numeric(each) for each in run) or bool(
        {stem(each) for each in run if len(each) > 1 and not _BEFORE_OTHERS.fullmatch(each)} - fillers()
    )


def _is_loose(one: str, other: str) -> bool:
    """Whether a word or a mark stands before another without what it belongs to: `from,` or `: /`."""
    ends = other == END or _is_mark(other)
    if _is_mark(one):
        return ends and not {one, other} & _JOINS and (other != END or one not in _STOPS)
    if ends:
        return other not in _JOINS and _BEFORE_OTHERS.fullmatch(one) is not None
    if _PREPOSITION.fullmatch(other):
        return not _JOINING.fullmatch(one) and _BEFORE_OTHERS.fullmatch(one) is not None
    return bool(_ARTICLE.fullmatch(one) and _BEFORE_OTHERS.fullmatch(other))


def _is_unmeasured(one: str, other: str, own: Sequence[str]) -> bool:
    """Whether what was measured or counted in a line stands without its number: `weighs kg`."""
    counts = {after for before, after in pairwise(own) if _is_numeric(before) and after.isalpha()}
    return other in counts and one.isalpha() and not values_of(one)


def _is_bereft(one: str, other: str, own: Sequence[str], new: Sequence[str]) -> bool:
    """Whether a word has lost the number or code after it, which is gone: `rosemary12, password`."""
    codes = [after for before, after in pairwise(own) if before == one and _is_numeric(after)]
    ends = other == END or _is_mark(other)
    return ends and one.isalpha() and bool(codes) and not any(each in new for each in codes)


def _misdated_count(made: str, text: str) -> int:
    """How many dates stay although the words before them are others: `Friday December (2026-12-04)`."""
    known, new = (
        {each["noted"]: each["words"].lower() for each in _NOTED.finditer(one)} for one in (text, made)
    )
    return sum(new[noted] != words for noted, words in known.items() if noted in new)


def _of_change(made: str, text: str) -> int:
    """How often a wording speaks of the change itself, where the line did not."""
    spoken, known = (sum(1 for _ in _OF_CHANGE.finditer(each)) for each in (made, text))
    return max(0, spoken - known)


def _miscounts(joints: Sequence[tuple[str, str]], said: str) -> int:
    """How often a number stands before one thing where a sentence speaks of several: `two carton`."""
    told = set(_spelt(said))
    return sum(
        other not in told and bool({f"{other}s", f"{other}es"} & told) and bool(values_of(one))
        for one, other in joints
        if other.isalpha()
    )


def _is_bridged(one: str, other: str, said: str) -> bool:
    """Whether little words are gone that a sentence has between two words: `plenty ginger`."""
    told = _spelt(said)
    if (
        _BEFORE_OTHERS.fullmatch(one)
        or _is_mark(one)
        or _is_mark(other)
        or values_of(other)
        or told.count(other) != 1
    ):
        return False
    before = told[max(0, told.index(other) - BRIDGE) : told.index(other)]
    return one in before and all(map(_BEFORE_OTHERS.fullmatch, before[before.index(one) + 1 :]))


def _repetitions(made: str, text: str, said: str) -> int:
    """How many words of weight a wording has more often than the line or the sentence: `coffee to coffee`."""
    new = _spelt(made)
    own, told = _spelt(text), _spelt(said)
    weighty = {each for each in new if each.isalpha() and {stem(each)} - fillers()}
    return sum(new.count(each) > max(1, own.count(each), told.count(each)) for each in weighty)


def _torn_days(made: str, text: str, today: date | None) -> int:
    """How many days of a line are gone but for some of their words: `Wed Nov` of `Wed 18 Nov`."""
    own, left = (
        [each for each in values_of(one, today) if each.kind == DAY and _is_numeric(days.undated(each.text))]
        for one in (text, made)
    )
    if len(left) >= len(own):
        return 0
    new, kept = _spelt(made), {each.key for each in left}
    words = [_spelt(each.text) for each in own if each.key not in kept]
    return sum(0 < sum(word in new for word in each) < len(each) for each in words)


def _inventions(made: str, text: str, said: str) -> int:
    """How many numbers and codes a wording has that nobody wrote: pieces of two that were joined.

    One with another end is written so, as in `it ends in 0177`.
    """
    own, told = ([_digits(each.text) for each in values_of(one)] for one in (text, said))
    spelt = _spelt(f"{text} {said}")
    known = {*own, *told, *(each.key for each in values_of(said)), *map(_digits, spelt)}
    known |= {str(NUMBER_WORDS[each]) for each in spelt if each in NUMBER_WORDS}
    hours = ranges.hours_texts(text, said)
    known |= {_digits(each.text) for each in values_of(hours[0])} if hours else set()
    ended = {f"{old[: -len(new)]}{new}" for old in own for new in told if len(new) < len(old)}
    found = [_digits(each.text) for each in values_of(days.undated(made)) if each.kind in CODES]
    return sum(each not in known | ended for each in found)


def _digits(text: str) -> str:
    return re.sub(r"\D", "", text) or text.casefold()


def _is_mark(token: str) -> bool:
    return bool(token) and not any(char.isalnum() for char in token)


def _beside(tokens: Sequence[str]) -> Iterator[tuple[str, str]]:
    return pairwise((*tokens, END))


def _spelt(text: str) -> list[str]:
    return [each.text.lower() for each in words(text)]
