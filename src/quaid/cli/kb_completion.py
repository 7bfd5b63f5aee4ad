"""Completion of the commands and options of a knowledge base."""

from __future__ import annotations

from collections.abc import Iterable

from quaid.cli.kb_line import COMMON, DATABASE, Option
from quaid.cli.kb_table import BY_NAME


def candidates(words: list[str], partial: str) -> list[str]:
    """What the last word may become, behind `quaid kb` or `ai-kb`; nothing where a file or a node stands."""
    place = _command(words)
    if place is None:
        if words[-1:] == ["--kb"]:
            return []
        return _matching((option.flag for option in COMMON) if partial.startswith("-") else BY_NAME, partial)
    entry = BY_NAME.get(words[place])
    if entry is None:
        return []
    known = {option.flag: option for option in (*entry.options, *COMMON, DATABASE)}
    if partial.startswith("-"):
        return _matching(known, partial)
    return _matching(_values(known, words[place + 1 :]), partial)


def _command(words: list[str]) -> int | None:
    """Where the command's name stands."""
    place = 0
    while place < len(words) and words[place].startswith("-"):
        place += 2 if words[place] == "--kb" else 1
    return place if place < len(words) else None


def _values(known: dict[str, Option], words: list[str]) -> tuple[str, ...]:
    option = known.get(words[-1]) if words else None
    return option.choices if option and option.kind != "flag" else ()


def _matching(known: Iterable[str], partial: str) -> list[str]:
    return sorted(each for each in known if each.startswith(partial))
