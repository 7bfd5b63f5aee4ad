"""Words without their endings, so that `rotated` and `rotate`, `sugars` and `sugar` are one."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from quaid.routing.phrase_files import sections
from quaid.routing.words import words_of

_SUFFIX = re.compile(r"(?:ies|ied|ings?|ed|(?<=\w{4})ers?|es|s|e|y)$")
_DOUBLED = re.compile(r"([bdgmnprt])\1$")
_ING = re.compile(r"['’]ing\b")  # "cc'ing"
SHORTEST = 2


@lru_cache(maxsize=4_096)  # what is said is compared with every line
def stems(text: str) -> frozenset[str]:
    """The words of a text that say what it is about, without their endings."""
    return frozenset(map(stem, words_of(_ING.sub("ing", text))))


@cache
def stem(word: str) -> str:
    """A word without its ending; of words that mean the same, one."""
    shorter = _shortened(word)
    return _same().get(shorter, shorter)


def _shortened(word: str) -> str:
    known = _irregular().get(word)
    word = (known or word).removesuffix("'s").removesuffix("s'")
    shorter = _SUFFIX.sub("", word)
    shorter = _DOUBLED.sub(r"\1", shorter) if shorter != word else shorter  # "stopped", "stop"
    if len(shorter) <= SHORTEST:
        shorter = word.removesuffix("s")  # "eyes", "toes"
    return shorter if len(shorter) > SHORTEST else word


@cache
def _irregular() -> dict[str, str]:
    """Verbs of the past, and what they are on a list."""
    return dict(line.split() for line in sections("verbs")["past"])


@cache
def _same() -> dict[str, str]:
    """Words that count as others, by their stems."""
    pairs = (line.split() for line in sections("verbs")["same"])
    return {_shortened(one): _shortened(other) for one, other in pairs}


def base_of(verb: str) -> str:
    """What a verb of the past is on a list; nothing if it is none."""
    known = _irregular().get(verb)
    if known:
        return known
    return verb if verb.endswith("ed") and len(verb) > 2 + SHORTEST else ""


@cache
def fillers() -> frozenset[str]:
    """Words that say nothing about which line is meant."""
    return frozenset(map(stem, sections("amendments")["filler"]))
