"""Whom a sentence is about: the name or the role under which a contact is kept."""

from __future__ import annotations

import re
from collections.abc import Sequence

from quaid.formats.slugs import fold
from quaid.routing.contacts import contact_lead
from quaid.routing.words import word_set

_NAME = r"[A-ZÀ-ÖØ-ÞĀ-Ž][\w'’.-]*"
_TITLE = r"(?:Mr|Mrs|Ms|Dr|Prof|Frau|Herr|Miss|Sir|Mme|M)\.?"
_RUN = rf"(?:{_TITLE}\s+)?{_NAME}(?:\s+(?:{_NAME}|de|da|van|von|der|bin|al|Ní|Ó|y|la|le|del|della|dos|el))*"
_THING = (
    r"(?:(?:new|old|work|home|private|direct|mobile|cell|office|e-?mail|phone|postal|mailing)\s+)*"
    r"(?:phone|number|mobile|cell|e-?mail|mail|address|birthday|b-?day|anniversary|practice|office|tel|"
    r"fax|whatsapp|"
    r"handle|extension|contact)"
)
_POSSESSIVE = re.compile(rf"({_RUN}?)['’]s?\s+{_THING}\b")
_ROLE_POSSESSIVE = re.compile(rf"\b(?:the|my|our)\s+([\w-]+(?:\s+[\w-]+)?)['’]s?\s+{_THING}\b", re.IGNORECASE)
_FOR = re.compile(
    rf"\b{_THING}\s+(?:for|of)\s+(?:the\s+|my\s+|our\s+)?([^:,=]+?)\s*(?:[:=,]|\bis\b|$)", re.IGNORECASE
)
_IS = re.compile(rf"^(?:my|our|the)\s+[\w' -]+?\s+is\s+({_RUN})", re.IGNORECASE)
_RELATION = re.compile(rf"\b(?:my|our|the|his|her|their)\s+[a-z][\w-]*\s+({_RUN})")
_FIRST = re.compile(rf"^({_RUN})")
_ANYWHERE = re.compile(rf"(?<![.!?]\s)(?<!^)\b({_RUN})")
_ROLE_FIRST = re.compile(
    r"^(?:the|my|our)\s+([\w-]+(?:\s+(?!is\b|can\b|has\b|on\b|at\b)[\w-]+)?)", re.IGNORECASE
)
_NO_NAME = word_set(
    """user users i the a an my our his her their he she it they we you this that new phone tel email
    mail address number call text whatsapp mobile monday tuesday wednesday thursday friday saturday
    sunday january february march april may june july august september october november december met
    today yesterday tomorrow also and when if at in on no yes every each most some all after before
    since during our there here please note birthday contact it's i'm we're they're don't can what who
    where why how ok okay"""
)


def whom(text: str) -> str | None:
    """The person or the firm that a text with contact details is about."""
    said = contact_lead(text) or text
    for pattern in (_POSSESSIVE, _ROLE_POSSESSIVE, _FOR, _IS):
        found = pattern.search(said)
        name = _name(found[1]) if found else None
        if name:
            return name
    first = _FIRST.match(said)
    name = _name(first[1]) if first else None
    if name:
        return name
    for pattern in (_RELATION, _ANYWHERE, _ROLE_FIRST):
        for found in pattern.finditer(said):
            name = _name(found[1])
            if name:
                return name
    return None


def person(text: str) -> str | None:
    """The person that a fact begins with, such as `Hannah likes tea`."""
    found = re.match(rf"^({_RUN}?)(?:['’]s)?\s+(?P<next>[a-z][\w'’]*)", text)
    name = _name(found[1]) if found else None
    if not found or not name or not re.fullmatch(r"[^\W\d_][\w'’.-]*(?: [^\W\d_][\w'’.-]*){0,3}", name):
        return None
    human = (
        r"likes|loves|hates|prefers|enjoys|lives|works|is|was|has|doesn't|does|plays|studies|moved|"
        r"started|got|speaks|"
        r"drives|married|owns|wants|drinks|eats|can't|cannot|daughter|son|wife|husband|partner|brother|"
        r"sister|mother|"
        r"father|dog|cat|collects|runs|teaches|retired|grew|went|knows|joined|left|quit|needs|dislikes|"
        r"supports"
    )
    if not re.fullmatch(human, found["next"]):
        return None
    # "Berlin is 577 km away": what is or has something need not be a person, so only other verbs tell.
    clear = not re.fullmatch(
        r"is|was|has|got|runs|needs|started|supports|can't|cannot|does|doesn't|left", found["next"]
    )
    if clear or re.search(r"\b(?:he|she|his|her|him|vegetarian|vegan|allergic|old|brother|sister)\b", text):
        return name
    return None


def heading_of(text: str, headings: Sequence[str]) -> str | None:
    """The heading whose name stands in a text, if there is one alone."""
    words = set(fold(text.replace("'s", " ").replace("’s", " ")).split())
    scored: list[tuple[int, str]] = []
    for heading in headings:
        own = [word for word in fold(heading).split() if word not in _TITLES and len(word) > 1]
        shared = [word for word in own if word in words]
        if shared and (own[0] in shared or own[-1] in shared):
            scored.append((len(shared), heading))
    best = max((score for score, _ in scored), default=0)
    found = [heading for score, heading in scored if score == best]
    return found[0] if len(found) == 1 else None


_TITLES = word_set("""mr mrs ms dr prof frau herr miss sir mme the and of""")


def _name(said: str) -> str | None:
    words = said.strip(" ,.:;-").split()
    while words and words[0].lower().strip(".,:'") in _NO_NAME:
        words = words[1:]
    while words and (
        words[-1].lower().strip(".,:'") in _NO_NAME or words[-1] in ("de", "da", "van", "von", "y")
    ):
        words = words[:-1]
    name = re.sub(r"['’]s$", "", " ".join(words[:5])).strip(" ,.:;-'’")
    if not name or len(name) > 80 or any(character.isdigit() for character in name) or "@" in name:
        return None
    return name if name[0].isupper() else name[0].upper() + name[1:]
