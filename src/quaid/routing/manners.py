"""Sentences that say how to behave, what somebody likes, and what happens again and again."""

from __future__ import annotations

import re

from quaid.routing.patterns import ways

_ORDER = ways("manners", "order")
_NO_ORDER = ways("manners", "no order")
_CONDITION = re.compile(
    r"^(?:if|when|whenever|once|before|after|unless|each time|every time|any ?time|"
    r"as soon as)\b[^,]{2,160},\s*"
    r"(?:then |always |never |please |just |also )*(?P<rest>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_OFTEN = re.compile(
    r"^(?:every|each|on|once a)\s+(?:other )?(?:single )?(?:[a-z]+days?|day|morning|evening|night|week|"
    r"month|year|hour|"
    r"quarter|weekend|afternoon)s?(?:\s+(?:morning|evening|night|"
    r"afternoon)s?)?(?: at [\d:apm. ]+)?,?\s+(?P<rest>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_DEED = ways("manners", "conditional order")
_REMINDED = ways("manners", "reminded")
_TASTE = ways("manners", "taste")
_HOW_TO = ways("manners", "how to")
_HABIT = ways("manners", "habit", anywhere=True)


def is_order(sentence: str) -> bool:
    """Whether it tells the assistant how to behave from now on."""
    if _NO_ORDER.match(sentence):
        return False
    if _ORDER.match(sentence):
        return True
    condition = _CONDITION.match(sentence) or _OFTEN.match(sentence)
    return bool(condition and _DEED.match(condition["rest"]))


def is_standing(sentence: str) -> bool:
    """Whether it asks to be reminded again and again."""
    return bool(_REMINDED.match(sentence))


def is_taste(sentence: str) -> bool:
    """Whether the person says what they like."""
    return bool(_TASTE.match(sentence))


def is_habit(sentence: str) -> bool:
    """Whether it says what happens again and again."""
    return bool(_HABIT.search(sentence))


def is_how_to(sentence: str) -> bool:
    """Whether it says how something is done."""
    return bool(_HOW_TO.match(sentence))
