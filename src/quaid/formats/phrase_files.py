"""Phrases and words that rules know, in text files: sections under a `[heading]`, one phrase on each line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

_HEADING = re.compile(r"\[([\w -]+)\]")


def sections(path: Path) -> Mapping[str, tuple[str, ...]]:
    """All sections of a file in their order, without comments."""
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        phrase = line.strip()
        heading = _HEADING.fullmatch(phrase)
        if heading:
            lines = found.setdefault(heading[1], [])
        elif phrase and not phrase.startswith("#"):
            lines.append(phrase)
    return {name: tuple(phrases) for name, phrases in found.items()}
