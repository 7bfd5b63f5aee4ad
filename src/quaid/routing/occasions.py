"""Sentences with a place of their own: appointments, ideas, and links."""

from __future__ import annotations

import re
from datetime import date

from quaid.routing import chores, contacts, days, manners, sentences
from quaid.routing.patterns import grammar, ways

# An address, also one without `https://` where its end or a path tell that it is one.
URL = grammar(
    "occasions",
    r"(?:https?://|www\.)[^\s<>\"]+|(?<![\w@./:-])(?:[a-z0-9-]+\.)+"
    r"(?:{DOMAIN}(?:/[^\s<>\"]*)?|{DOMAIN BEFORE PATH}/[^\s<>\"]*)(?![\w@-]|\.\w)",
)
ANY_DAY = date(2000, 1, 1)  # from which days are seen where nobody says what day it is
_EVENT = grammar("occasions", r"\b{EVENT}s?\b")
_COMING = grammar("occasions", r"\b{COMING}\b")
_PAST = grammar("occasions", r"\b{PAST}\b")
_YEARLY = re.compile(
    r"\b(?:anniversary|birthday|b-?day)\b(?! (?:party|dinner|lunch|bash|celebration))", re.IGNORECASE
)
_AGAIN = ways("manners", "habit", anywhere=True)
_NAMED_EVENT = grammar("occasions", r"^(?:(?:the|my|our|a|an)\s+)?{EVENT BEFORE}\b")
_CLOCK = re.compile(
    r"\b\d{1,2}[:.]\d\d\b|\b\d{1,2}\s?(?:am|pm|a\.m\.|p\.m\.|o'clock|h\b|uhr)\b|\b(?:noon|midnight)\b"
    r"|\b(?:at|from|until|till|between)\s+\d{1,2}\b(?!\s*(?:%|€|\$|£|euros?|kg|km|people))",
    re.IGNORECASE,
)
_FINITE = grammar("occasions", r"\b{FINITE}\b|\w{2,}ed\b|:")
_TODAY = re.compile(r"\btonight\b|\btoday\b", re.IGNORECASE)
_IDEA_LEAD = ways("occasions", "idea lead")
_IDEA = ways("occasions", "idea")
_LINK_LEAD = ways("occasions", "link lead")
_LINK = ways("occasions", "link", anywhere=True)
_FOUND_AT = grammar("occasions", r"(?:\b|(?<=\W))(?:{FOUND AT})\s*:?\s*$")
_GIFT = ways("occasions", "gift", anywhere=True)
_MAYBE = re.compile(r"^(?!(?:i|we|he|she|they|you|it)\b).*[\s,](?:maybe|perhaps)[.!]*$", re.IGNORECASE)
_TO_READ = ways("occasions", "to read", anywhere=True)
_STATES = grammar("occasions", r"\b{STATES}\b")


def is_appointment(sentence: str, today: date | None) -> bool:
    """Whether something happens on one day that is to come."""
    if manners.is_order(sentence) or chores.is_led(sentence) or _AGAIN.search(sentence):
        return False
    if sentences.is_question(sentence) or _YEARLY.search(sentence):
        return False
    named = _NAMED_EVENT.match(sentence)
    if not named and chores.chore(sentence):
        return False
    if _PAST.search(sentence) or (contacts.is_contact(sentence) and not _EVENT.search(sentence)):
        return False
    mentioned = [each for each in days.mentions(sentence, today or ANY_DAY) if each.precision == days.DAY]
    coming = [each for each in mentioned if each.day >= (today or ANY_DAY)]
    clock = _CLOCK.search(sentence)
    event = named or _EVENT.search(sentence) or _COMING.search(sentence) or not _FINITE.search(sentence)
    return bool((coming and (event or clock)) or (not mentioned and clock and _is_bare_event(sentence)))


def _is_bare_event(sentence: str) -> bool:
    """An event with a time and no day: it is today, or the day is known."""
    return bool(_NAMED_EVENT.match(sentence) or _TODAY.search(sentence))


def idea(sentence: str) -> str | None:
    """The idea that somebody has, without the words that say that it is one."""
    lead = _IDEA_LEAD.match(sentence)
    if lead:
        return sentence[lead.end() :].strip() or None
    loose = _MAYBE.search(sentence) or (_GIFT.search(sentence) and not chores.chore(sentence))
    thought = _IDEA.match(sentence) or (loose and not _FINITE.search(sentence))
    return sentence if thought and not manners.is_order(sentence) else None


def link(sentence: str) -> str | None:
    """An address with what is said of it, where it is to be kept as an address."""
    found = URL.search(sentence)
    if not found or ("//" not in found[0] and chores.chore(sentence)):
        return None
    lead = _LINK_LEAD.match(sentence)
    rest = sentence[lead.end() :] if lead else sentence
    before, after = sentence[: found.start()], sentence[found.end() :]
    is_page = "/" in found[0] and not after.strip(" .!")  # "the VPN is at vpn.acme.example" names a machine
    kept = lead or _LINK.search(sentence) or (is_page and _FOUND_AT.search(before))
    if kept or not _STATES.search(f"{before} {after}"):
        return rest.strip() or None
    return None


def is_to_read(sentence: str) -> bool:
    """Whether an address or a title is said to be something to read."""
    return bool(_TO_READ.search(sentence))
