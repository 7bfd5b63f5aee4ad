"""Sentences: where one ends, what is meant by it, and whether it asks.

The rules know English. What they do not recognise is a fact.
"""

from __future__ import annotations

import re

from quaid.routing.patterns import ways

_APOSTROPHE = str.maketrans({"’": "'", "‘": "'", "`": "'"})
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+(?=[^\s\d.!?])|\n+")
_ABBREVIATION = re.compile(r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|No|vs|etc|e\.g|i\.e|approx|ext|Jr|Sr)|\b[A-Z])\.$")

# What people put before what they mean.
_PREAMBLE = ways(
    r"""
    (hey|hi|ok|okay|so|oh|also|btw|by the way|anyway|anyhow|and|well|quick note|quick one)[,:]? (?=\S)
    (please|pls|plz|kindly)[,:]? (?=\S)
    (can|could|would|will) (you|u) (please |pls )?(?=\S)
    (can|could|shall|should) we (please )?(?=(get|buy|order|add)\b)
    (remember|note|keep in mind|bear in mind|make a note|don't forget|dont forget|\
        know)( the fact)? that (?=\S)
    (remember|note|note to self|nb|fyi|for the record|for your information|ps|heads up)\s*[:,-]\s*(?=\S)
    (fyi|for the record|for your information|heads up) (that )?(?=\S)
    remember (?=(i|i'm|my|we|our|the|his|her|their|he|she|they|it|this)\b)
    (you should know|i want you to know|i want you to remember|let me tell you)[,:]? (that )?(?=\S)
    i'd like you to (know|remember)[,:]? (that )?(?=\S)
    (just so you know|for future reference)[,:]? (?=\S)
    """
)
_USER = tuple(
    (re.compile(rf"^(?:the )?user{pattern}", re.IGNORECASE), words)
    for pattern, words in (
        (r"'s\b", "my"),
        (r" (?:is|was)\b", "I am"),
        (r" has\b", "I have"),
        (r" (?:asked|told|wanted)\b", "I ask"),
        (r" (?:doesn't|does not)\b", "I don't"),
        (
            r" (always|never|usually|often|rarely|typically|generally|normally|really|also) (\w+?)(?:e?s)\b",
            r"I \1 \2",
        ),
        (r" (can't|cannot|would|should|must|will)\b", r"I \1"),
        (r" (\w+?[^s])s\b", r"I \1"),
    )
)
_POLITE_END = re.compile(
    r"[\s,]*(?:,?\s*(?:please|pls|plz|thanks|thank you|thx|ok|okay))+[.!?]*$", re.IGNORECASE
)
_QUESTION = ways(
    r"""
    (what|who|whom|whose|where|when|why|how|which)('s|'re|'d)? (is|are|was|were|am|do|does|did|can|could|\
        will)\b
    (what|who|whom|whose|where|when|why|how|which)('s|'re|'d)? (should|would|has|have|had|many|much|often)\b
    (what|who|whose|where|why|how|which)('s|'re)? (long|old|far|my|the|time|day|kind|sort|about|come|\w+'s)\b
    (what|who|where|when|how)('s|'re) \S
    (what|which|whose|how many|how much) ([\w'-]+ ){1,3}(did|do|does|should|can|will) \S
    (do|does|did|is|are|was|were|am|can|could|should|shall|would|will|have|has|had) {PERSON}\b
    (who|is|are|was|were|does|did|am) \S
    (do|can|could|should|would|will|has) (there|any|anyone|somebody|someone)\b
    """
)


def sentences(text: str) -> list[str]:
    """The sentences of a text; abbreviations and initials do not end one."""
    found: list[str] = []
    for piece in _SENTENCE.split(text.strip()):
        if found and _ABBREVIATION.search(found[-1]):
            found[-1] = f"{found[-1]} {piece}"
        elif piece.strip():
            found.append(piece.strip())
    return found


def core(sentence: str) -> str:
    """A sentence without what is said for politeness, or to say that it is to be remembered."""
    said = plain_quotes(sentence).strip()
    for _ in range(4):
        shorter = _PREAMBLE.without(said)
        if shorter == said:
            break
        said = shorter
    ended = _POLITE_END.sub("", said).strip()
    return ended or said


def first_person(sentence: str) -> str:
    """A sentence about `the user`, as agents write it, as the person would say it."""
    for pattern, words in _USER:
        said, count = pattern.subn(words, sentence, count=1)
        if count:
            return said
    return sentence


def plain_quotes(text: str) -> str:
    """The text with apostrophes as keyboards have them."""
    return text.translate(_APOSTROPHE)


def is_question(sentence: str) -> bool:
    """Whether it asks, and tells nothing."""
    said = sentence.strip()
    if said.endswith(("?", "？", "؟")):
        return True
    return bool(_QUESTION.match(said)) and "," not in said
