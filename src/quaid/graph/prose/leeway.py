"""What leaves room beside a claim: words that speak of another time, of a part, or of what may be.

`It wasn't signed yet when we met`, `drank like a fish in his twenties`, `the Android version is not live`,
`she might stop`: each may be true beside what holds now of the whole. Who reads two texts side by side, be it
a phrase or a network, sees words that exclude each other, and not these.
"""

from __future__ import annotations

import re
from functools import cache

from quaid.formats.figures import MONTHS
from quaid.graph.prose.caveats import is_mistake
from quaid.graph.prose.phrasebook import words
from quaid.graph.prose.states import says_state

_I = re.IGNORECASE
# What may be, and what somebody wishes for.
_POSSIBLE = re.compile(
    r"\b(?:might|perhaps|maybe|possibly|(?:is|are|am|was|were)\s+(?:thinking\s+(?:of|about)|considering|toying\s+with"
    r"|tempted\s+to)|(?:would|'d)\s+(?:like|love)\s+to|dreams?\s+of|(?:has|have)(?:n['’]t|\s+not)\s+(?:yet\s+)?"
    r"(?:decided|made\s+up)|toys?\s+with)\b",
    _I,
)
# A time of somebody's life, or of a thing's, that has passed.
_THEN = re.compile(
    r"\b(?:in\s+(?:his|her|their|my|our)\s+(?:early\s+|mid[- ]?|late\s+)?(?:teens|twenties|thirties|forties"
    r"|fifties|sixties|youth|childhood|student\s+days|younger\s+(?:days|years))"
    r"|as\s+an?\s+(?:young\s+)?(?:child|student|boy|girl|teenager|kid|man|woman|apprentice)|when\s+(?:he|she|they|it)\s+(?:was|were)\s+(?:a\s+)?(?:young|small|little|child"
    r"|new|still)|used\s+to|back\s+then|in\s+those\s+days|at\s+the\s+time|in\s+the\s+(?:old\s+days|beginning))\b",
    _I,
)
# That something had not happened yet at a time of which one tells.
_NOT_THEN = re.compile(
    r"\b(?:was|were|had)(?:n['’]t|\s+not)\b[^.;:]*\byet\b|\b(?:was|were)\s+still\s+(?!is\b)\w+|\bby\s+then\b",
    _I,
)
_NOW = re.compile(
    r"\b(?:now|today|these\s+days|currently|still\s+(?:is|are|has|have)|nowadays|this\s+week)\b", _I
)
_FIGURE = re.compile(
    r"\b(?:born\s+again|so\s+to\s+speak|as\s+it\s+were|as\s+(?:he|she|they)\s+puts?\s+it|in\s+a\s+manner\s+of\s+speaking"
    r"|figuratively|metaphorically)\b",
    _I,
)
# Another one that is called alike, and a relative of whoever the page is about.
_NAMESAKE = re.compile(
    r"\b(?:of\s+the\s+same\s+name|namesakes?|no\s+relation|not\s+to\s+be\s+(?:mixed\s+up|confused)"
    r"|(?:a\s+different|another)\s+(?:one|company|firm|person|project|man|woman|place|village)|junior|senior|jr\.?|sr\.?"
    r"|the\s+(?:younger|elder))(?!\w)",
    _I,
)
_RELATIVE = re.compile(
    r"^\W*(?:(?:in|since|when)\s+\d{4}\W+)?(?:his|her|their)\s+(?:late\s+|younger\s+|older\s+|elder\s+|twin\s+|step)?"
    r"(?:father|mother|parents?|brother|sister|son|daughter|uncle|aunt|husband|wife|partner|grand\w+|cousin|nephew"
    r"|niece|boss|predecessor|successor|assistant|colleague)\b",
    _I,
)
_FAMILY = re.compile(r"child|kid|son|daughter|sibling|famil|married|marital|spouse|husband|wife|partner", _I)
# Something that had ended goes on.
_AGAIN = re.compile(
    r"\b(?:again\s+since|once\s+again|since\s+\w+\s+(?:\d{4}\s+)?again|again,?\s+this\s+time|resumed?|back\s+since)\b",
    _I,
)
_DENIAL = re.compile(r"\b(?:no|not|never|none|nobody|nothing|neither|cannot)\b|n['’]t\b", _I)
_TWICE = re.compile(r"\b(?:without|but|except|unless|other\s+than|less)\b", _I)
_MONTH = re.compile(rf"\b(?:{'|'.join(MONTHS)})\b")
_DATED = re.compile(r"\d{4}")


def leaves_room(key: str, value: str, claim: str, text: str, *, told: bool = False) -> bool:
    """Whether a sentence may be true beside a claim; of a field, `key` and `value` say what it is.

    `told`: it is of a line of a timeline, where what was so on its day is so.
    """
    if bool(_POSSIBLE.search(text)) is not bool(_POSSIBLE.search(claim)) or _FIGURE.search(text):
        return True
    if is_mistake(text) is not is_mistake(claim):
        return True
    if any(bool(each.search(text)) is not bool(each.search(claim)) for each in (_NAMESAKE, _AGAIN)):
        return True
    if key and not _FAMILY.search(key) and _RELATIVE.search(text) and not _RELATIVE.search(claim):
        return True
    then = _THEN.search(text) or (not told and _NOT_THEN.search(text))
    if key and then and not _DATED.search(value) and not _NOW.search(text):
        return True
    if key:
        return says_state(value, text) or _denies_too(key, value, text) or _is_of_a_part(key, text)
    return _is_of_a_part("status", claim) is not _is_of_a_part("status", text)


def _denies_too(key: str, value: str, text: str) -> bool:
    """Whether both deny that somebody does or has something: `drinks: no`, `hasn't touched a dram`."""
    if value.strip().lower() not in ("no", "false", "none", "never") or not key.lower().endswith("s"):
        return False
    return _DENIAL.search(text) is not None and _TWICE.search(text) is None


@cache
def _parts() -> re.Pattern[str]:
    """A part that a word before it tells from others: `the Gateshead site`, `the Android version`."""
    nouns = "|".join(sorted(words("part of a thing")))
    return re.compile(
        rf"\b(?:the|its|their|our|one|his|her|my)\s+(?:[\w-]+\s+){{0,2}}?(?:{nouns})\b(?!\s+of\s+the\s+whole)",
        _I,
    )


def _is_of_a_part(key: str, text: str) -> bool:
    return key.lower() in _OF_THE_WHOLE and _parts().search(_ASIDE.sub(" ", text)) is not None


_ASIDE = re.compile(r"\b(?:after|before|since|because|until|when|while|although|though)\b[^.,;:]*", _I)
_OF_THE_WHOLE = frozenset(("status", "stage", "state", "headcount", "employees", "staff", "size"))
