"""News of projects: work of some length that people speak of by its name.

`project Heron: waiting for sign-off` says that it is one. What is said of Heron later stands beside it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from quaid.routing import topics
from quaid.routing.words import words_of

FILE = "knowledge/projects.md"
NAMED = 0.5  # the share of a heading's words that names it
_WORDS = r"[^\W_][\w'’&.-]*(?:\s[\w'’&.-]+){0,3}?"
_LED = re.compile(rf"^(?:(?:the|my|our)\s)?(?P<name>{_WORDS})\s*(?::(?!//)(?!\d)|\s[–—-]\s)")
_CALLED = re.compile(
    rf"^(?:(?:the|my|our)\s)?(?:[Pp]roject\s(?P<after>{_WORDS})(?:\s*:|\s[–—-]\s)"
    r"|[Pp]roject\s(?P<bare>[A-Z]\w+)\b"
    rf"|(?P<before>{_WORDS})\s[Pp]roject(?:\s*:|\s[–—-]\s))"
)


def called(sentence: str) -> str | None:
    """The name of a project that a sentence calls one."""
    found = _CALLED.match(sentence)
    name = found and (found["after"] or found["bare"] or found["before"])
    return topics.heading(name) if name else None


def heading_of(sentence: str, headings: Sequence[str]) -> str | None:
    """The heading of a project that a sentence names: the one of which it has the most words.

    `Wedding cake for Moreau: …` is no news of that for Lindqvist.
    """
    led = _LED.match(sentence)
    own = words_of(led["name"]) if led else frozenset()
    known = {each: words_of(each) for each in headings}
    if led:
        known = {each: words for each, words in known.items() if words <= own or own <= words}
    asked = words_of(sentence)
    scored = [(len(asked & words) / len(words), each) for each, words in known.items() if words]
    best = max((score for score, _ in scored), default=0.0)
    found = [each for score, each in scored if score == best]
    return found[0] if best >= NAMED and len(found) == 1 else None


def is_news(sentence: str, path: str) -> bool:
    """Whether a sentence begins with the name of a project, as news do: what was said before stays."""
    return path == FILE and _LED.match(sentence) is not None


def name_of(sentence: str) -> str | None:
    """What a project may be called: what stands before a colon, or what the sentence is about."""
    led = _LED.match(sentence)
    return called(sentence) or (topics.heading(led["name"]) if led else topics.subject_of(sentence))
