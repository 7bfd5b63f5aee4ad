"""Words of a text, as far as they say what it is about."""

from __future__ import annotations

import re

from quaid.formats.slugs import fold
from quaid.routing.phrase_files import phrase_set

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


def all_words(text: str) -> frozenset[str]:
    """All words of a text, folded."""
    return frozenset(part for word in _WORD.findall(text) for part in fold(word).split())


def words_of(text: str) -> frozenset[str]:
    """The words of a text that say what it is about."""
    stop = phrase_set("words", "stop")
    return frozenset(word for word in all_words(text) if word not in stop and len(word) > 1)
