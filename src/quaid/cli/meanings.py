"""What people type for a command that is called otherwise here: the words of `meanings.txt`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from quaid.formats.phrase_files import sections

_SECTIONS = sections(Path(__file__).with_name("meanings.txt"))
# The commands, the likeliest first, and the words that mean them.
MEANINGS = [
    (name, words.split()) for name, _, words in (line.partition(": ") for line in _SECTIONS["commands"])
]
# Last words of commands with two.
VERBS = [line.split() for line in _SECTIONS["verbs"]]
MOST = 3


def meant_by(word: str, known: Mapping[str, str]) -> list[str]:
    """The commands that a word means, of those that are known by it: the likeliest first."""
    word = word.casefold()
    by_table = [known[name] for name, words in MEANINGS if word in words and name in known]
    if by_table:
        return by_table[:MOST]
    return [known[name] for verbs in VERBS if word in verbs for name in known if name in verbs][:MOST]
