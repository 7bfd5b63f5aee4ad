"""Subjects that sections are often about, by the words that go with them."""

from __future__ import annotations

import re

from quaid.formats.slugs import fold
from quaid.routing.patterns import grammar
from quaid.routing.phrase_files import phrase_set, sections
from quaid.routing.words import all_words, words_of

MOST_READ, MOST_WORDS = 300, 4
_WORD = re.compile(r"(?<!\w)[^\W\d_][\w'’-]*")
_SPEAKER = grammar("words", r"^(?:the user|user|i|we|you|he|she|they)(?:'\w+)?\s+(?:{ADVERB}\s+)*")
_VERB = grammar("words", r"\b{VERB}\b|[,;:.]")


def topic_of(text: str, file: str) -> str | None:
    """The heading under which a text belongs in a file, if its words tell."""
    words = all_words(text)
    choices = sections("topics_of_files").get(file, ())
    scores = [
        (len(words & phrase_set("topics", heading)), -place, heading) for place, heading in enumerate(choices)
    ]
    best = max(scores, default=(0, 0, ""))
    return best[2] if best[0] else None


def subject_of(text: str) -> str | None:
    """What a sentence is about, where no topic fits: the words before its verb, or else its longest word."""
    first = text.split("\n", 1)[0][:MOST_READ]
    rest = _SPEAKER.without(first)
    for part in _VERB.split(rest, maxsplit=1):
        words = [word for word in _WORD.findall(part) if words_of(word)]
        if rest != first and len(words) > 1 and words[0].endswith(("ed", "ght")):
            words = words[1:]  # "I painted the shed"
        if 0 < len(words) <= MOST_WORDS:
            return _heading(" ".join(words))
    words = sorted((word for word in _WORD.findall(first) if words_of(word)), key=len)
    return _heading(words[-1]) if words else None


def _heading(words: str) -> str:
    """Words as a heading; names such as npm and iPhone keep their spelling."""
    first = words.split()[0]
    is_plain = first.islower() and bool(set(first) & set("aeiouy"))
    return words[:1].upper() + words[1:] if is_plain else words


def is_about(heading: str, topic: str) -> bool:
    """Whether a section of that heading is about a topic."""
    words = words_of(heading)
    return fold(heading) == fold(topic) or bool(words & (phrase_set("topics", topic) | words_of(topic)))
