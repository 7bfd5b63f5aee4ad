"""What may stand for a value in a phrase: names, places, days, amounts, counts, posts."""

from __future__ import annotations

from collections.abc import Sequence

from quaid.formats.values import AMOUNT, DAY
from quaid.graph.prose.grammar import Element
from quaid.graph.prose.sentences import LINKED, UPPER

_FUNCTION = """
in on at for to of by with after before since until till and but or because when while is was are were has had
have as last this from two three who which that then than so if into over about during through without within
now again
"""
STOP = rf"(?!(?:{'|'.join(_FUNCTION.split())})\b)"
# Words in capitals that are no names.
_NO_NAME = """
He She They It We I This That There Who Which Everyone Everybody Nobody The His Her Their Our My Its A An
"""
_WORD = rf"[{UPPER}][\w&]*(?:[-.'](?!s\b)\w+)*"
_FIRST = rf"(?!(?:{'|'.join(_NO_NAME.split())})\b){_WORD}"
NAME = (
    rf"(?-i:{LINKED}|{_FIRST}"
    rf"(?:\s+(?:(?:de|la|van|von|der|den|di|da|du|am|al|ben|bin|of)\s+){{0,2}}{_WORD})*)"
)
FIRM = (
    rf"(?-i:{LINKED}|{_FIRST}(?:\s+(?:(?:of|de|la|van|von|der|am|and|for|&|the)\s+){{0,2}}"
    rf"(?:{_WORD}|&|(?!(?:19|20)\d\d\b)\d+\b))*|[a-z0-9_-]+(?:/[a-z0-9_-]+)+)"
)
_NOUN = rf"(?:{STOP}[\w&'-]+\s+){{0,3}}{STOP}[\w&'-]+"
_ROUGHLY = r"(?:(?:about|around|roughly|some|over|just|only|more\s+than|nearly|almost|ca\.?|~)\s*)?"
_WEEKDAY = (
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s+)?(?:the\s+)?"
    r"(?:\d{1,2}(?:st|nd|rd|th)?(?:\s*[,–-]\s*|,?\s+and\s+|\s+to\s+))*"
)
_NO_SUM = (
    r"(?!\s*(?:%|per\b|a\s+(?:month|year|week|day|head|piece)|each\b|years?\b|days?\b|weeks?\b|\w*\s*people\b"
    r"|off\b|more\b|less\b|extra\b|apart\b))"
)
_SUM = rf"(?:{_ROUGHLY}(?:{AMOUNT})){_NO_SUM}"
_COUNT = rf"(?:{_ROUGHLY}\d[\d.,' ]*(?:k\b)?)"
_TH = r"(?:\d+(?:st|nd|rd|th)|(?:[a-z]+-)?(?:first|second|third|fifth|eighth|ninth|twelfth|[a-z]+th))"


def _group(name: str, pattern: str) -> str:
    return rf"(?P<{name}>{pattern})"


def slots(roles: Sequence[str], posts: Sequence[str]) -> dict[str, Element]:
    """The pattern of each slot, given the nouns that name a role, and a post that one person has."""
    kinds = "|".join(sorted((role.replace(" ", r"\s+") for role in roles), key=len, reverse=True))
    single = "|".join(sorted((post.replace(" ", r"\s+") for post in posts), key=len, reverse=True))
    field = rf"(?:{STOP}[\w&-]+(?:\s+(?:and|&)\s+[\w&-]+)?(?:\s+(?-i:[{UPPER}])\w+)?)"
    role = (
        rf"(?:{STOP}(?!(?:a|an|the)\b)[\w&/-]+\s+){{0,3}}?(?:{kinds})(?![\w-])"
        rf"(?:\s+(?:of|for)\s+(?:the\s+)?{field}|(?-i:(?:\s+[{UPPER}]\w+)+))?"
    )
    post = (
        rf"(?:(?:{single})(?:\s+of\s+(?:the\s+)?{field})?"
        rf"|(?:head|director|vp|vice\s+president|chief)\s+of\s+(?:the\s+)?{field})"
    )
    patterns = {
        "who": _group("who", NAME),
        "who2": _group("who2", NAME),
        "holder": _group("holder", NAME),
        "new": _group("new", FIRM),
        "target": _group("target", FIRM),
        "org": rf"(?:the\s+)?{_group('org', FIRM)}",
        "group": _group("org", rf"(?:the\s+)?{FIRM}|(?:the|our|her|his|their|its|my|that)\s+{_NOUN}"),
        "place": _group("place", rf"{FIRM}(?:,\s+{NAME})?"),
        "place2": _group("place2", FIRM),
        "day": rf"{_WEEKDAY}{_group('day', DAY)}",
        "date": rf"{_WEEKDAY}{_group('day', DAY)}",
        "date2": rf"{_WEEKDAY}(?:{DAY})",
        "from": rf"{_WEEKDAY}(?:{DAY})",
        "until": rf"{_WEEKDAY}{_group('until', DAY)}",
        "when": r"\(?(?P<when>(?:19|20)\d\d)\)?",
        "sum": _group("sum", _SUM),
        "sum2": _SUM,
        "n": _group("n", _COUNT),
        "n2": _COUNT,
        "nth": _group("nth", _TH),
        "role": _group("role", role),
        "post": _group("post", post),
        "series": _group("series", r"series[\s-][a-h]|pre-seed|seed|ipo"),
        "np": _group("np", _NOUN),
        "mail": _group("mail", r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\+?\d[\d ()/-]{5,}\d"),
    }
    anchors = {
        "role": frozenset(role.split()[-1].lower() for role in roles),
        "post": frozenset(post.split()[-1].replace("-", " ").split()[0] for post in posts)
        | {"head", "director", "vp", "president", "chief"},
        "series": frozenset(("series", "seed", "pre", "ipo")),
    }
    whole = r"(?!['’]s\b)"  # `Acme's party` is not Acme
    for name in ("who", "who2", "holder", "org", "group", "place", "target", "new"):
        patterns[name] += whole
    return {
        name: Element(pattern, anchors.get(name, frozenset()), numbered=name in _NUMBERED)
        for name, pattern in patterns.items()
    }


_NUMBERED = frozenset(("day", "date", "until", "when", "sum", "n"))
