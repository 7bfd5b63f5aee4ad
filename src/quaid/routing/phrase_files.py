"""The phrases that the rules know: text files in `phrases/`, in sections, one phrase on each line."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from quaid.formats import phrase_files

FOLDER = Path(__file__).with_name("phrases")


@cache
def sections(file: str) -> Mapping[str, tuple[str, ...]]:
    """All sections of a file in their order. A file is read once, when a sentence first asks for it."""
    return phrase_files.sections(FOLDER / f"{file}.txt")


@cache
def phrase_set(file: str, section: str) -> frozenset[str]:
    """The phrases of a section, where their order does not count."""
    return frozenset(sections(file)[section])
