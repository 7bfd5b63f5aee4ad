"""Sentences: where one ends, what is meant by it, and whether it asks.

The rules know English. What they do not recognise is a fact.
"""

from __future__ import annotations

import re

from quaid.routing.patterns import grammar, ways

_APOSTROPHE = str.maketrans({"’": "'", "‘": "'", "`": "'"})
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+(?=[^\s\d.!?])|\n+")
_ABBREVIATION = grammar("sentences", r"(?:\b{ABBREVIATION}|\b[A-Z])\.$", re.NOFLAG)

_HALF_OF_DAY = re.compile(r"\b[ap]\.m\.$", re.IGNORECASE)
_PREAMBLE = ways("sentences", "preamble")
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
_POLITE_END = grammar("sentences", r"(?:[\s,]+{POLITE END}|\s*,\s*ok(?:ay)?)+[.!?]*$")
_QUESTION = ways("sentences", "question")


def sentences(text: str) -> list[str]:
    """The sentences of a text; abbreviations and initials do not end one."""
    found: list[str] = []
    for piece in _SENTENCE.split(text.strip()):
        goes_on = piece[:1].islower() and found and _HALF_OF_DAY.search(found[-1])
        if goes_on or (found and _ABBREVIATION.search(found[-1])):
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
    ended = _POLITE_END.without(said).strip()
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
