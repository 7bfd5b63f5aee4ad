"""Sentences that say how somebody can be reached, where they live, or when their day is."""

from __future__ import annotations

import re

from quaid.routing.patterns import grammar, ways

_I = re.IGNORECASE
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHONE = re.compile(r"(?<![\w.#/-])(?:\+|00|\(?0)?\(?\d[\d\s().\-–/]{4,18}\d(?![\w%€$£])")
_PHONE_WORD = ways("contacts", "phone word", anywhere=True)
_NUMBER_WORD = re.compile(r"\bnumber\b", _I)
_NUMBERED = re.compile(
    r"\b(?:phone|mobile|cell|tel|fax)\b[\w .:]{0,20}?\b\d{3,}\b"
    r"|\b(?:extension|ext)\b\.?:?\s?(?:is )?\d{2,}\b",
    _I,
)
_GROUPED = re.compile(r"(?:\d{2,5}[ .-]){2,4}\d{2,5}")  # as a number is written down that is to be called
_NO_PHONE = ways("contacts", "no phone", anywhere=True)
_DATE_LIKE = re.compile(r"\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{4}\s*[-–]\s*\d{4}")
STREET = grammar(
    "contacts",
    r"\b\d{1,5}[a-z]?,?\s+(?:[\w'.À-ÿ-]+\s+){0,3}{STREET}\b"
    r"|\b(?:\d{1,4},?\s+)?{STREET BEFORE}\s+\w+"
    r"|\b\w+{STREET ENDING}\s+\d+"
    r"|\b\d+-\d+-\d+\s+[A-Z]\w+",
)
_ADDRESS_WORD = grammar("contacts", r"\b{ADDRESS WORD}\b")
_BIRTHDAY = grammar("contacts", r"\b{BIRTHDAY}\b")
_ADDRESS = re.compile(r"\b(?:home |postal |mailing )?address\s*(?:is|:)", _I)
_PARTY = grammar("contacts", r"\bb(?:irth)?-?day {PARTY}")
_MACHINE = grammar("contacts", r"\b{MACHINE}\b")
_DATED = re.compile(
    r"\d|\b(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]*\b|\b(?:tomorrow|today|first|"
    r"second|third)\b",
    _I,
)
_REACHED = grammar(
    "contacts",
    r"\b(?:reach(?:ed|able)?|contact(?:ed)?|message|find)\b.{0,60}\b(?:on|via|by|through|over) {MESSENGER}\b",
)
_LIVES = re.compile(
    r"(?:[A-Z][\w'’-]+(?: [A-Z][\w'’-]+){0,2}|[Mm]y (?:[a-z]+[ -])?[a-z]+(?:,? [A-Z][\w'’-]+,?)?) "
    r"(?:[^,.;]{0,40} )?(?:now |still |currently )?lives (?:in|at|on|near) [A-Z]"
)
_CONTACT_LEAD = re.compile(
    r"^(?:save |add |store |new )?(?:this |a |the )?(?:new )?contacts?(?: details)?\s*[:–—-]\s*", _I
)
_CALLED = ways("contacts", "called")
_OWN = re.compile(
    r"^(?:my|our)\s+(?:own |new |work |home |mobile |email |phone )*(?:birthday|number|address|e-?mail|"
    r"phone)\b",
    _I,
)


def contact_lead(sentence: str) -> str | None:
    """What follows `save this contact:` and the like."""
    lead = _CONTACT_LEAD.match(sentence)
    return sentence[lead.end() :].strip() or None if lead else None


def is_contact(sentence: str) -> bool:
    """Whether it says how somebody can be reached, where they live, or when their day is."""
    if _CONTACT_LEAD.match(sentence) or _CALLED.match(sentence):
        return True
    if _OWN.match(sentence) and _BIRTHDAY.search(sentence):
        return False
    if _MAIL.search(sentence) and "://" not in sentence:
        return True
    if has_phone(sentence) or _REACHED.search(sentence) or _LIVES.match(sentence):
        return True
    if STREET.search(sentence) and (
        _ADDRESS_WORD.search(sentence) or re.search(r"\b(?:lives|living|practice)\b", sentence)
    ):
        return True
    if _ADDRESS.search(sentence) and not _MACHINE.search(sentence):
        return not _OWN.match(sentence)
    if _PARTY.search(sentence):
        return False
    return bool(_BIRTHDAY.search(sentence) and _DATED.search(sentence) and not _OWN.match(sentence))


def is_own(sentence: str) -> bool:
    """Whether it is about the person who says it."""
    return bool(_OWN.match(sentence))


def has_phone(sentence: str) -> bool:
    """Whether a telephone number stands in it."""
    rest = _DATE_LIKE.sub(" ", re.sub(r"https?://\S+", " ", sentence))
    spoken = _PHONE_WORD.search(rest)
    if not spoken and _NO_PHONE.search(rest):
        return False
    if spoken and _NUMBERED.search(rest):
        return True
    for found in _PHONE.finditer(rest):
        shaped = (
            found[0].startswith(("+", "0", "(0", "(+"))
            or re.search(r"\d[-)(/.–]\s?\d", found[0])
            or _GROUPED.fullmatch(found[0])
        )
        if (shaped or spoken or _NUMBER_WORD.search(rest)) and 7 <= len(re.sub(r"\D", "", found[0])) <= 15:
            return True
    return False
