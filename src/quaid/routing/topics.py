"""Subjects that sections are often about, by the words that go with them."""

from __future__ import annotations

from quaid.formats.slugs import fold
from quaid.routing.phrase_files import phrase_set, sections
from quaid.routing.words import all_words, words_of


def topic_of(text: str, file: str) -> str | None:
    """The heading under which a text belongs in a file, if its words tell."""
    words = all_words(text)
    choices = sections("topics_of_files").get(file, ())
    scores = [
        (len(words & phrase_set("topics", heading)), -place, heading) for place, heading in enumerate(choices)
    ]
    best = max(scores, default=(0, 0, ""))
    return best[2] if best[0] else None


def is_about(heading: str, topic: str) -> bool:
    """Whether a section of that heading is about a topic."""
    words = words_of(heading)
    return fold(heading) == fold(topic) or bool(words & (phrase_set("topics", topic) | words_of(topic)))
