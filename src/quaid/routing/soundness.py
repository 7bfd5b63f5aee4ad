"""Whether a new wording of a line is whole: nothing torn out of it, and nothing left without what it belongs to.

A wording may only have what is cut anew as somebody would write it. What stands next to each other in the
line or in the sentence was written so by a person; only places where the two were joined are looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise

from quaid.routing.conservation import denied
from quaid.routing.exchange import words
from quaid.routing.patterns import grammar
from quaid.routing.stems import fillers, stem, stems
from quaid.routing.values import values_of, without_values

_OF_CHANGE = grammar("wordings", r"\b{OF CHANGE}\b")
_BEFORE_OTHERS = grammar("wordings", r"{BEFORE OTHERS}|{ARTICLE}")
_NUMERIC = re.compile(r".*\d.*")
_JOINS = frozenset("()\"'“”‘’€$£#@&%-–—")  # marks that stand beside others
END = ""


def faults(text: str, made: str, said: str) -> int:
    """How many things are wrong about a new wording of a line; what is said as it is has none."""
    new = _spelt(made)
    if _is_within(new, _spelt(said)):
        return 0
    own = _spelt(text)
    known = {*_beside(own), *_beside(_spelt(said))}
    joints = [each for each in _beside(new) if each not in known]
    return (
        len(_torn_out(text, made, said))
        + sum(_is_loose(*each) for each in joints)
        + sum(_is_unmeasured(*each, own) for each in joints)
        + _of_change(made, text)
    )


def _torn_out(text: str, made: str, said: str) -> frozenset[str]:
    """Words of a line that are gone although nothing stands in their place and nobody speaks of them."""
    own, new = _spelt(text), _spelt(made)
    spoken = stems(said) | stems(made) | denied(said, text) | fillers()
    gone: set[str] = set()
    for kind, start, end, first, last in SequenceMatcher(None, own, new, autojunk=False).get_opcodes():
        if kind != "equal" and not _has_weight(new[first:last]):
            gone |= stems(without_values(" ".join(own[start:end]))) - spoken
    return frozenset(gone)


def _has_weight(run: Sequence[str]) -> bool:
    """Whether words say something by themselves: a value, or a word of weight."""
    return any(_NUMERIC.match(each) for each in run) or bool(
        {stem(each) for each in run if len(each) > 1 and not _BEFORE_OTHERS.fullmatch(each)} - fillers()
    )


def _is_loose(one: str, other: str) -> bool:
    """Whether a word or a mark stands before another without what it belongs to: `from,` or `: /`."""
    ends = other == END or _is_mark(other)
    if _is_mark(one):
        return ends and other != END and not {one, other} & _JOINS
    return _BEFORE_OTHERS.fullmatch(one) is not None and (
        (ends and other not in _JOINS) or _BEFORE_OTHERS.fullmatch(other) is not None
    )


def _is_unmeasured(one: str, other: str, own: Sequence[str]) -> bool:
    """Whether what was measured or counted in a line stands without its number: `weighs kg`."""
    counts = {after for before, after in pairwise(own) if _NUMERIC.match(before) and after.isalpha()}
    return other in counts and one.isalpha() and not values_of(one)


def _of_change(made: str, text: str) -> int:
    """How often a wording speaks of the change itself, where the line did not."""
    spoken, known = (sum(1 for _ in _OF_CHANGE.finditer(each)) for each in (made, text))
    return max(0, spoken - known)


def _is_mark(token: str) -> bool:
    return bool(token) and not any(char.isalnum() for char in token)


def _beside(tokens: Sequence[str]) -> Iterator[tuple[str, str]]:
    return pairwise((*tokens, END))


def _is_within(new: Sequence[str], said: Sequence[str]) -> bool:
    """Whether a wording is a part of a sentence as it was said."""
    return any(said[place : place + len(new)] == new for place in range(len(said) - len(new) + 1))


def _spelt(text: str) -> list[str]:
    return [each.text.lower() for each in words(text)]
