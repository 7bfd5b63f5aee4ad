"""Sentences that say how somebody can be reached, where they live, or when their day is."""

from __future__ import annotations

import re

from quaid.routing.patterns import ways

_I = re.IGNORECASE
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHONE = re.compile(r"(?<![\w.#/-])(?:\+|00|\(?0)?\(?\d[\d\s().\-–/]{4,18}\d(?![\w%€$£])")
_PHONE_WORD = ways(
    r"""
    \b(phone|tel|telephone|mobile|cell|whatsapp|signal|telegram|fax|landline|handy|extension|ext|hotline)\b
    \b(reach|reachable|reached|contact|call (him|her|them))\b
    """,
    anywhere=True,
)
_NUMBER_WORD = re.compile(r"\bnumber\b", _I)
_NUMBERED = re.compile(r"\b(?:phone|mobile|cell|tel|fax|extension|ext)\b[\w .:]{0,20}?\b\d{3,}\b", _I)
_NO_PHONE = ways(
    r"""
    \b(order|invoice|ticket|isbn|account|iban|policy|serial|tracking|reference|passport|licen[cs]e|customer)\b
    \b(member|membership|flight|booking|confirmation|part|case|model|version|pin|port|sku|vat|tax) (number|\
        no|nr|id|is)\b
    \b(version|pin|port|code|id|price|population|cost) (is|of|:)
    """,
    anywhere=True,
)
_DATE_LIKE = re.compile(r"\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{4}\s*[-–]\s*\d{4}")
_STREET = re.compile(
    r"\b\d{1,5}[a-z]?,?\s+(?:[\w'.À-ÿ-]+\s+){0,3}(?:street|st\.?|lane|ln|road|rd|avenue|ave|drive|dr|way|"
    r"square|sq|close|"
    r"court|ct|place|boulevard|blvd|terrace|crescent|row|hill|gardens|quay)\b"
    r"|\b(?:\d{1,4},?\s+)?(?:rue|calle|via|viale|avenida|rua|piazza|plaza|avenue|boulevard|chemin|ulica|"
    r"ul\.)\s+\w+"
    r"|\b\w+(?:stra(?:ß|ss)e|str\.|gasse|weg|platz|allee|laan|straat|gatan|vej|gata)\s+\d+"
    r"|\b\d+-\d+-\d+\s+[A-Z]\w+",
    _I,
)
_ADDRESS_WORD = re.compile(
    r"\b(?:address|lives? (?:at|on|in)|moved to|located (?:at|on|in)|is (?:at|on|in))\b",
    _I,
)
_BIRTHDAY = re.compile(r"\b(?:birthday|b-?day|name day|was born on|born on|anniversary)\b", _I)
_DATED = re.compile(
    r"\d|\b(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]*\b|\b(?:tomorrow|today|first|"
    r"second|third)\b",
    _I,
)
_REACHED = re.compile(
    r"\b(?:reach(?:ed|able)?|contact(?:ed)?|message|find)\b.{0,60}\b(?:on|via|by|through|over) "
    r"(?:signal|telegram|whatsapp|slack|discord|matrix|threema|skype|messenger|wechat|line|teams|irc|mastodon)\b",
    _I,
)
_LIVES = re.compile(
    r"(?:[A-Z][\w'’-]+(?: [A-Z][\w'’-]+){0,2}|[Mm]y (?:[a-z]+[ -])?[a-z]+(?:,? [A-Z][\w'’-]+,?)?) "
    r"(?:now |still |currently )?lives in [A-Z]"
)
_CONTACT_LEAD = re.compile(
    r"^(?:save |add |store |new )?(?:this |a |the )?(?:new )?contacts?(?: details)?\s*[:–—-]\s*", _I
)
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
    if _CONTACT_LEAD.match(sentence):
        return True
    if _OWN.match(sentence) and _BIRTHDAY.search(sentence):
        return False
    if _MAIL.search(sentence) and "://" not in sentence:
        return True
    if has_phone(sentence) or _REACHED.search(sentence) or _LIVES.match(sentence):
        return True
    if _STREET.search(sentence) and (
        _ADDRESS_WORD.search(sentence) or re.search(r"\b(?:lives|living|practice)\b", sentence)
    ):
        return True
    if re.search(r"\b(?:home |postal |mailing )?address\s*(?:is|:)", sentence, _I) and not re.search(
        r"\b(?:ip|mac|web|url|server|bus|memory)\b", sentence, _I
    ):
        return not _OWN.match(sentence)
    if re.search(r"\bb(?:irth)?-?day (?:party|present|gift|cake|dinner|card|bash|celebration)", sentence, _I):
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
        shaped = found[0].startswith(("+", "0", "(0", "(+")) or re.search(r"\d[-)(/.–]\s?\d", found[0])
        if (shaped or spoken or _NUMBER_WORD.search(rest)) and 7 <= len(re.sub(r"\D", "", found[0])) <= 15:
            return True
    return False
