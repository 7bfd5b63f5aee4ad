"""Whom a sentence is about: the name or the role under which a contact is kept."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from quaid.formats.slugs import fold
from quaid.routing.contacts import contact_lead
from quaid.routing.patterns import grammar
from quaid.routing.phrase_files import phrase_set

_grammar = partial(grammar, "names")
_phrases = partial(phrase_set, "names")

_NAME = r"[A-ZÀ-ÖØ-ÞĀ-Ž][\w'’.-]*"
_RUN = r"(?:{TITLE}\.?\s+)?" + _NAME + r"(?:\s+(?:" + _NAME + r"|{PARTICLE}))*"
_THING = r"(?:{KIND OF THING}\s+)*{THING}"
_POSSESSIVE = _grammar("(" + _RUN + r"?)['’]s?\s+" + _THING + r"\b", re.NOFLAG)
_ROLE_POSSESSIVE = _grammar(r"\b(?:the|my|our)\s+([\w-]+(?:\s+[\w-]+)?)['’]s?\s+" + _THING + r"\b")
_FOR = _grammar(r"\b" + _THING + r"\s+(?:for|of)\s+(?:the\s+|my\s+|our\s+)?([^:,=]+?)\s*(?:[:=,]|\bis\b|$)")
_IS = _grammar(r"^(?:my|our|the)\s+[\w' -]+?\s+is\s+(" + _RUN + ")")
_RELATION = _grammar(r"\b(?:my|our|the|his|her|their)\s+[a-z][\w-]*\s+(" + _RUN + ")", re.NOFLAG)
_FIRST = _grammar("^(" + _RUN + ")", re.NOFLAG)
_ANYWHERE = _grammar(r"(?<![.!?]\s)(?<!^)\b(" + _RUN + ")", re.NOFLAG)
_BEGINNING = _grammar("^(" + _RUN + r"?)(?:['’]s)?\s+(?P<next>[a-z][\w'’]*)", re.NOFLAG)
_HUMAN = _grammar("{HUMAN}", re.NOFLAG)
_ANYTHING = _grammar("{ANYTHING}", re.NOFLAG)
_HUMAN_SIGN = _grammar(r"\b{HUMAN SIGN}\b", re.NOFLAG)
_ROLE_FIRST = _grammar(r"^(?:the|my|our)\s+([\w-]+(?:\s+(?!is\b|can\b|has\b|on\b|at\b)[\w-]+)?)")


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
    found = _BEGINNING.match(text)
    name = _name(found[1]) if found else None
    if not found or not name or not re.fullmatch(r"[^\W\d_][\w'’.-]*(?: [^\W\d_][\w'’.-]*){0,3}", name):
        return None
    if not _HUMAN.fullmatch(found["next"]):
        return None
    # "Berlin is 577 km away": what is or has something need not be a person, so only other verbs tell.
    clear = not _ANYTHING.fullmatch(found["next"])
    if clear or _HUMAN_SIGN.search(text):
        return name
    return None


def heading_of(text: str, headings: Sequence[str]) -> str | None:
    """The heading whose name stands in a text, if there is one alone."""
    words = set(fold(text.replace("'s", " ").replace("’s", " ")).split())
    scored: list[tuple[int, str]] = []
    for heading in headings:
        own = [
            word for word in fold(heading).split() if word not in _phrases("not in heading") and len(word) > 1
        ]
        shared = [word for word in own if word in words]
        if shared and (own[0] in shared or own[-1] in shared):
            scored.append((len(shared), heading))
    best = max((score for score, _ in scored), default=0)
    found = [heading for score, heading in scored if score == best]
    return found[0] if len(found) == 1 else None


def _name(said: str) -> str | None:
    words = said.strip(" ,.:;-").split()
    while words and words[0].lower().strip(".,:'") in _phrases("no name"):
        words = words[1:]
    while words and (
        words[-1].lower().strip(".,:'") in _phrases("no name") or words[-1] in ("de", "da", "van", "von", "y")
    ):
        words = words[:-1]
    name = re.sub(r"['’]s$", "", " ".join(words[:5])).strip(" ,.:;-'’")
    if not name or len(name) > 80 or any(character.isdigit() for character in name) or "@" in name:
        return None
    return name if name[0].isupper() else name[0].upper() + name[1:]
