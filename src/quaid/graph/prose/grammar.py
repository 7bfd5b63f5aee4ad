"""Phrases as people write them down, made into patterns.

A phrase is words in their order: `(left|quit) <org>`. `(a|b)` are alternatives, `?` makes optional, `{name}`
is a list of alternatives that has a name, `*` are up to four words, `<slot>` is a value, `^` and `$` are the
beginning and the end of a clause.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from quaid.model.record import record, replace

_TOKEN = re.compile(r"\{[\w ]+\}\??|<\w+>\??|\)\??|[(|]|[^\s()|<>{}]+")
_GAP = r"(?:[^\s,;:.()]+\s+){0,4}?"
_START = r"(?:^|(?<=[,;:(]\s)|(?<=[–—]\s))"
_END = (
    r"(?=\s*(?:$|[.,;:!?)(–—-]|\d|(?:on|in|at|by|with|after|because|since|and|but|this|last|yesterday|today|now|as|for|due"
    r"|early|late|so|when|while|the\s+(?:day|week|month|year)|two|three|a\s+(?:few|day|week|month|year)|to\s+everyone"
    r"|before|again|already|once|over|from|ahead|without|earlier|is|was)\b))"
)
# Words by which nobody could find a sentence: nearly all have some of them.
_COMMON_WORDS = """
a an and are as at be been being but by did do does for from had has have he her here him his i in is it its
just me my no not now of on one only or our out she so some than that the their them then there they this to
up us was we were what when which who will with would you your all more most new first last year still
"""
_COMMON = frozenset(_COMMON_WORDS.split())


@record
class Element:
    """A part of a phrase: its pattern, and words of which a text that fits has at least one."""

    pattern: str
    anchors: frozenset[str] = frozenset()
    optional: bool = False
    glued: bool = False  # a sign stands without a blank before it
    numbered: bool = False  # a text that fits has a figure


@record
class Vocabulary:
    """What phrases refer to: lists by their names, and slots."""

    lists: Mapping[str, Sequence[str]]
    slots: Mapping[str, Element]
    known: dict[str, Element]  # lists that were read before


def element_of(phrase: str, vocabulary: Vocabulary) -> Element:
    """What a phrase means."""
    tokens = _TOKEN.findall(phrase)
    opening = _START if tokens[0] == "^" else ""
    closing = _END if tokens[-1] == "$" else r"(?![\w-])"
    inner = tokens[bool(opening) : -1 if tokens[-1] == "$" else None]
    elements, rest = _sequence(inner, vocabulary)
    if rest:
        raise ValueError(f"a bracket too many in {phrase!r}")
    whole = _in_sequence(elements)
    apart = "" if whole.glued else r"(?<![\w'-])"
    return replace(whole, pattern=f"{apart}{opening}(?:{whole.pattern}){closing}")


@lru_cache(maxsize=4096)
def regex(pattern: str) -> re.Pattern[str]:
    """The expression of a pattern, made when a text first needs it."""
    return re.compile(pattern, re.IGNORECASE)


def _sequence(tokens: Sequence[str], vocabulary: Vocabulary) -> tuple[list[Element], Sequence[str]]:
    """The elements up to the end of a bracket or an alternative, and what is left."""
    found: list[Element] = []
    rest = tokens
    while rest and rest[0] not in (")", ")?", "|"):
        piece, rest = rest[0], rest[1:]
        if piece == "(":
            element, rest = _bracket(rest, vocabulary)
        else:
            element = _element(piece, vocabulary)
        found.append(element)
    return found, rest


def _bracket(tokens: Sequence[str], vocabulary: Vocabulary) -> tuple[Element, Sequence[str]]:
    choices: list[Element] = []
    rest = tokens
    while True:
        elements, rest = _sequence(rest, vocabulary)
        choices.append(_in_sequence(elements))
        if not rest:
            raise ValueError("a bracket is not closed")
        piece, rest = rest[0], rest[1:]
        if piece != "|":
            return _choice(choices, optional=piece == ")?"), rest


def _choice(choices: Sequence[Element], *, optional: bool) -> Element:
    pattern = "|".join(each.pattern for each in choices)
    known = all(each.anchors for each in choices)
    anchors = frozenset().union(*(each.anchors for each in choices)) if known else frozenset()
    glued = any(each.glued for each in choices)
    return Element(f"(?:{pattern})", anchors, optional, glued, all(each.numbered for each in choices))


def _element(piece: str, vocabulary: Vocabulary) -> Element:
    if piece == "*":
        return Element(_GAP, optional=True)
    bare = piece.removesuffix("?")
    optional = bare != piece
    if bare.startswith("{"):
        return replace(_list(bare[1:-1], vocabulary), optional=optional)
    if bare.startswith("<"):
        return replace(vocabulary.slots[bare[1:-1]], optional=optional)
    if not re.search(r"\w", bare):
        return Element(re.escape(bare), optional=optional, glued=True)
    return Element(re.escape(bare), frozenset(re.findall(r"\w+", bare.lower())[:1]), optional)


def _list(name: str, vocabulary: Vocabulary) -> Element:
    if name not in vocabulary.known:
        lines = [
            _in_sequence(_sequence(_TOKEN.findall(line), vocabulary)[0]) for line in vocabulary.lists[name]
        ]
        vocabulary.known[name] = _choice(lines, optional=False)
    return vocabulary.known[name]


def _in_sequence(elements: Sequence[Element]) -> Element:
    """Elements one after the other. Of the words that must be there, the rarest are the anchors."""
    needed = [place for place, each in enumerate(elements) if not each.optional]
    if not needed:
        raise ValueError("nothing in it must be there")
    parts: list[str] = []
    for place, each in enumerate(elements):
        following = elements[place + 1] if place + 1 < len(elements) else None
        gap = r"\s*" if following and following.glued else r"\s+"
        if each.pattern == _GAP:
            parts.append(_GAP.replace(r"\s+)", r"\s*)") if following and following.glued else _GAP)
        elif place == needed[-1]:
            parts.append(each.pattern)
        elif place > needed[-1]:
            parts.append(rf"(?:{'' if each.glued else chr(92) + 's+'}{each.pattern})?")
        else:
            parts.append(rf"(?:{each.pattern}{gap})?" if each.optional else f"{each.pattern}{gap}")
    known = [elements[place].anchors for place in needed if elements[place].anchors]
    return Element(
        "".join(parts),
        min(known, key=_frequency, default=frozenset()),
        glued=elements[0].glued,
        numbered=any(elements[place].numbered for place in needed),
    )


def _frequency(words: frozenset[str]) -> int:
    """How many sentences have one of these words, roughly: short ones are in more of them."""
    return sum(300 if word in _COMMON else max(1, 8 - len(word)) for word in words)
