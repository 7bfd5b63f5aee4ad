"""Sentences that say that something is to be done or bought."""

from __future__ import annotations

import re
from functools import partial

from quaid.routing.patterns import grammar, ways
from quaid.routing.phrase_files import phrase_set
from quaid.routing.stems import base_of

_phrases = partial(phrase_set, "chores")
LONGEST = 600  # characters of a sentence in which several chores are looked for
_LEAD = ways("chores", "lead")
_UNDONE = ways("chores", "undone", anywhere=True)
_OBJECT = ways("chores", "object")
_STATEMENT = ways("chores", "statement")
_SUBORDINATE = re.compile(
    r",|;|\b(?:that|if|when|because|whether|which|who|why|how|what|where|before|after|until|and)\b",
    re.IGNORECASE,
)
_REMINDER = grammar(
    "days",
    r"^remind (?:me|us) (?P<when>(?:(?:on|at|by|in|every|next|this|before|after)\s)?"
    r"(?:[\w:]+\s){0,3}?(?:{NEAR}|{WEEKDAY}|{MONTH NAME}|days?|weeks?|months?"
    r"|\d[\d:.]*\s?(?:am|pm)?|morning|evening)"
    r"(?:\s(?:at\s)?[\d:]+(?:\s?[ap]m)?|\smorning|\safternoon|\sevening)?) to (?P<what>\S.*)$",
)
_NEEDED = ways("chores", "needed")
_GONE = ways("chores", "gone")
_BEFORE_GONE = ways("chores", "before gone", anywhere=True)
_AFTER_GONE = ways("chores", "after gone", anywhere=True)
_NO_WARES = ways("chores", "no wares", anywhere=True)
_NOT_BOUGHT = ways("chores", "not bought")
_BUY = re.compile(r"^(?:buy|purchase)\s*(?::|\s)\s*(?:some\s+)?", re.IGNORECASE)
_GET = re.compile(r"^(?P<verb>get|grab|pick\s+up|order|fetch)\s+(?P<some>some\s+)?", re.IGNORECASE)
_PICKED_UP = re.compile(
    r"^pick\s+up\s+(?:an?|some|\d+)\s+(?!parcel|package|prescription|key|call|friend|rental|visitor|new\b)",
    re.IGNORECASE,
)
_MOST_GOODS = 3  # words for each thing, where nothing but the verb says that it is bought
_AT_A_SHOP = ways("chores", "at a shop", anywhere=True)
_WARES = ways("chores", "wares")
_STATE = re.compile(
    r"\b(?:rid of|ready|back|started|done|up|out|in touch|\w+(?:ed|en|cut|set|paid|sent))"
    r"(?:\s+(?:by|before|at|on)\b.*)?$",
    re.IGNORECASE,
)
_GIFT = re.compile(
    r"\b(?:gifts?|presents?|birthday cards?|flowers|something(?: nice)?)\s+for\s+(?:my |our )?\w",
    re.IGNORECASE,
)
_FIRST = re.compile(
    r"^(?P<when>(?:before|after|by|when|once|during|ahead of|in time for|for)\b[^,]{2,50}?),?\s+"
    r"(?P<rest>(?:i|we)(?:'ve| have)?\s(?:still |also |really )*"
    r"(?:need to|have to|must|should|ought to|got to|gotta)\s.+)$",
    re.IGNORECASE | re.DOTALL,
)
_THEN = re.compile(r"\s*(?:,|;|,?\s+(?:and|&|then))\s+(?:(?:and|then|also)\s+){0,2}", re.IGNORECASE)
_LABEL = grammar("chores", r"{LABEL}\b")
_AFTER_NOUN = re.compile(r"(?:for|of|address|number|is)\b", re.IGNORECASE)
# "muck out the stable": two words that only a verb begins with.
_PHRASAL = re.compile(
    r"(?!.{1,12}?(?:ed|ing|s)\b)(?:please\s)?[a-z]{3,12}\s(?:out|up|off|down)\s(?:the|my|our|some|all)\s(?!\w+\s(?:is|are|was|were)\b)"
)
_BACK = re.compile(r"\b(?:it|its|them|their|him|his|her|there|one|this|that)\b", re.IGNORECASE)


def begins_chore(word: str) -> bool:
    """Whether a chore may begin with a word: a verb such as `call`."""
    return word in _phrases("verbs")


def is_led(sentence: str) -> bool:
    """Whether words such as `remind me to` say that it is to be done."""
    return bool(_LEAD.match(sentence))


def reminder(sentence: str) -> str:
    """A sentence such as `remind me on Friday to call mum`, with the day after what is to be done."""
    found = _REMINDER.match(sentence)
    return f"remind me to {found['what']} {found['when']}" if found else sentence


def first(sentence: str) -> tuple[str, str]:
    """A sentence such as `before the call I need to book a room`, and what stands before it."""
    found = _FIRST.match(sentence)
    return (found["rest"], found["when"][:1].lower() + found["when"][1:]) if found else (sentence, "")


def deeds(sentence: str) -> list[str]:
    """The chores of a sentence, each for itself where each could be said alone."""
    if len(sentence) > LONGEST:
        return [sentence]
    lead = _LEAD.match(sentence)
    said = [each.strip() for each in _THEN.split(sentence[lead.end() :] if lead else sentence)]
    if len(said) < 2 or _LABEL.match(sentence):
        return [sentence]
    for place, each in enumerate(said):
        verb = each.partition(" ")[0].lower()
        if not _is_bare(each) or (place and (verb in _phrases("same deed") or _BACK.search(each))):
            return [sentence]
    return said


def chore(sentence: str) -> str | None:
    """What is to be done, where somebody says that it is."""
    lead = _LEAD.match(sentence)
    if lead:
        return sentence[lead.end() :].strip() or None
    return sentence if _is_bare(sentence) or _UNDONE.search(sentence) else None


def _is_bare(sentence: str) -> bool:
    """An imperative without a subject, as one writes it on a list of things to do."""
    first, _, rest = sentence.partition(" ")
    verb = first.lower().strip(".,:;!\"'")
    rest = rest.strip()
    known = begins_chore(verb) or (_PHRASAL.match(sentence) and not base_of(verb))
    if not known or not rest or len(sentence) > 240:
        return False
    if verb in _phrases("noun too") and _AFTER_NOUN.match(rest):
        return False
    if verb in ("tell", "give", "remind") and re.match(r"(?:me|us)\b", rest, re.IGNORECASE):
        return False
    if re.match(r"#?\d", rest) and _STATEMENT.match(rest):
        return False  # "order 4471 was shipped"
    if _OBJECT.match(rest) or (verb in _phrases("telling") and rest[:1].isupper()):
        return True
    return not _STATEMENT.match(_SUBORDINATE.split(rest, maxsplit=1)[0])


def wares(sentence: str) -> str | None:
    """What is to be bought, where somebody says that it is needed."""
    if _GONE.match(sentence):
        goods = _AFTER_GONE.without(_AFTER_GONE.without(_BEFORE_GONE.without(sentence)))
        return None if _NO_WARES.search(goods) else goods.strip() or None
    lead = _NEEDED.match(sentence)
    if not lead:
        return purchase(sentence)
    goods = _AT_A_SHOP.without(sentence[lead.end() :])
    return None if _NO_WARES.search(goods) else goods.strip() or None


def _are_plain(goods: str) -> bool:
    """Whether they are nothing but names of things, as in `get milk and brown bread`."""
    things = re.split(r",|\band\b|&", goods.strip(" .!"))
    return (
        not _NOT_BOUGHT.match(goods)
        and not _NO_WARES.search(goods)
        and all(each.strip() and len(each.split()) <= _MOST_GOODS for each in things)
    )


def purchase(said: str) -> str | None:
    """What is bought, where a chore is to buy something."""
    buy = _BUY.match(said)
    if _GIFT.search(said):
        return None  # what is for somebody is an errand
    if buy:
        return _AT_A_SHOP.without(said[buy.end() :]).strip() or None
    get = _GET.match(said)
    if not get:
        return None
    goods = said[get.end() :]
    is_ware = (
        bool(_PICKED_UP.match(said))
        or bool(get["some"] or _WARES.match(goods) or _AT_A_SHOP.search(goods))
        or (get["verb"].lower() in ("get", "grab") and _are_plain(goods))
    )
    return _AT_A_SHOP.without(goods).strip() or None if is_ware and not _STATE.search(goods) else None
