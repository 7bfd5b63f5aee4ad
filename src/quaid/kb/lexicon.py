"""Words that notes are made of: those of `lexicon.txt`, which says what each section is for."""

from __future__ import annotations

from pathlib import Path

from quaid.formats.phrase_files import sections

_SECTIONS = sections(Path(__file__).with_name("lexicon.txt"))


def _set(section: str) -> frozenset[str]:
    return frozenset(" ".join(_SECTIONS[section]).split())


def _groups(section: str) -> dict[str, str]:
    """Each word of a line, with the first of its line."""
    return {word: line.split()[0] for line in _SECTIONS[section] for word in line.split()}


EMPTY = _set("empty")
COMMON = _set("common")
SPELLINGS = _groups("spellings")
NEGATIVE = _set("negative")
OPPOSITES = tuple(frozenset(pair.split("/")) for pair in " ".join(_SECTIONS["opposites"]).split())
ALTERNATIVES = _groups("alternatives")
VERBS = _set("verbs")
