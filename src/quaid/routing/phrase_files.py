"""The phrases that the rules know: text files in `phrases/`, in sections, one phrase on each line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).with_name("phrases")
_HEADING = re.compile(r"\[([\w -]+)\]")


@cache
def sections(file: str) -> Mapping[str, tuple[str, ...]]:
    """All sections of a file in their order. A file is read once, when a sentence first asks for it."""
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in FOLDER.joinpath(f"{file}.txt").read_text(encoding="utf-8").splitlines():
        phrase = line.strip()
        heading = _HEADING.fullmatch(phrase)
        if heading:
            lines = found.setdefault(heading[1], [])
        elif phrase and not phrase.startswith("#"):
            lines.append(phrase)
    return {name: tuple(phrases) for name, phrases in found.items()}


@cache
def phrase_set(file: str, section: str) -> frozenset[str]:
    """The phrases of a section, where their order does not count."""
    return frozenset(sections(file)[section])
