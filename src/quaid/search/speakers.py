"""Who says what a text says: `Nora: I have sold the boat`, as in a chat or in minutes.

Asked for what somebody did, nearly always that person tells it. A name says nothing of that among words: it
stands above every message of the chat, and in those of the others who speak to its bearer.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from quaid.formats.slugs import fold

_LABEL = re.compile(r"[*_]{0,2}([^\W\d_][^:\n|*_]{0,40})[*_]{0,2}:[*_]{0,2}[ \t]+\S")


def is_said_by(text: str, names: Collection[str]) -> bool:
    """Whether one person says all of a text, and has one of these folded names, or it is their first name."""
    labels = {fold(label[1]) for line in text.splitlines() if (label := _LABEL.match(line))}
    if len(labels) != 1 or not _LABEL.match(text):
        return False
    (own,) = labels
    return own in names or own.split(" ")[0] in names
