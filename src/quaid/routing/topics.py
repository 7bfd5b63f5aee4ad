"""Subjects that sections are often about, by the words that go with them."""

from __future__ import annotations

import re
from functools import cache

from quaid.formats.slugs import fold
from quaid.routing.patterns import grammar
from quaid.routing.phrase_files import phrase_set, sections
from quaid.routing.words import all_words, words_of

MOST_READ, MOST_WORDS = 300, 4
_WORD = re.compile(r"(?<!\w)[^\W\d_][\w'’-]*")
_SPEAKER = grammar("words", r"^(?:the user|user|i|we|you|he|she|they)(?:'\w+)?\s+(?:{ADVERB}\s+)*")
_VERB = grammar("words", r"\b{VERB}\b|[,;:.]")
# What may stand between two words of one phrase, and before it.
_JOINED = re.compile(r"\s|\sof\s(?:the\s|my\s|our\s)?", re.IGNORECASE)
_ARTICLE = grammar("wordings", r"\b{ARTICLE}\s+$")


def topic_of(text: str, file: str) -> str | None:
    """The heading under which a text belongs in a file, if its words tell."""
    words = all_words(text)
    choices = sections("topics_of_files").get(file, ())
    scores = [
        (sum(map(_weight, words & phrase_set("topics", heading))), -place, heading)
        for place, heading in enumerate(choices)
    ]
    best = max(scores, default=(0.0, 0, ""))
    return best[2] if best[0] else None


@cache
def _weight(word: str) -> float:
    """How much a word tells: the less, the more topics have it."""
    return 1 / sum(word in phrase_set("topics", heading) for heading in sections("topics"))


def subject_of(text: str) -> str | None:
    """What a sentence is about, where no topic fits: a phrase of its own before its verb, or else a word."""
    first = text.split("\n", 1)[0][:MOST_READ]
    rest = _SPEAKER.without(first)
    parts = _VERB.split(rest)
    found = [_phrase(part, begins=(place == 0) == (rest == first)) for place, part in enumerate(parts)]
    phrase = next((each for each in found if each), "")
    if phrase:
        return heading(phrase)
    words = sorted((word for word in _WORD.findall(first) if words_of(word)), key=len)
    return heading(words[-1]) if words else None


def _phrase(part: str, *, begins: bool) -> str:
    """A run of words as it stands in a part of a sentence: one with which it begins, or after an article.

    Where somebody says what he does (`I painted the shed`), the first word is a verb.
    """
    runs: list[tuple[int, int]] = []
    for word in _WORD.finditer(part):
        if not words_of(word[0]):
            continue
        joins = runs and _JOINED.fullmatch(part, runs[-1][1], word.start())
        if joins:
            runs[-1] = (runs[-1][0], word.end())
        else:
            runs.append(word.span())
    first = [
        each
        for each in runs[:1]
        if begins and (not part[: each[0]].strip() or _ARTICLE.search(part[: each[0]]))
    ]
    named = first or [each for each in runs if _ARTICLE.search(part[: each[0]])]
    phrase = part[slice(*named[0])] if named else ""
    return phrase if len(words_of(phrase)) <= MOST_WORDS else ""


def heading(words: str) -> str:
    """Words as a heading; names such as npm and iPhone keep their spelling."""
    first = words.split()[0]
    is_plain = first.islower() and bool(set(first) & set("aeiouy"))
    return words[:1].upper() + words[1:] if is_plain else words


def is_about(heading: str, topic: str) -> bool:
    """Whether a section of that heading is about a topic."""
    words = words_of(heading)
    return fold(heading) == fold(topic) or bool(words & (phrase_set("topics", topic) | words_of(topic)))
