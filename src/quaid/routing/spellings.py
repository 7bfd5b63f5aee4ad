"""Names that are spelt otherwise: which name of a text is meant by one that looks much the same."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from quaid.formats.slugs import fold

ALIKE, CLOSE = 0.65, 0.7  # of names: those of several words, and those of one
NAMES = re.compile(r"[A-ZÀ-ÖØ-Þ][\w'’-]*(?:\s[A-ZÀ-ÖØ-Þ][\w'’-]*)*")


def respelt(text: str, now: str) -> str | None:
    """A text with a name as it is spelt now: one that looks much the same, or has a part in common."""
    said = [each[0].removesuffix("'s") for each in NAMES.finditer(now)]
    own = [(each.start(), each.end(), each[0].removesuffix("'s")) for each in NAMES.finditer(text)]
    best: tuple[float, int, int, str, str] = (0.0, 0, 0, "", "")
    for new in said:
        if re.search(rf"(?<!\w){re.escape(new)}(?!\w)", text):
            continue
        for start, _, old in own:
            for first, last in _runs(old, len(new.split())):
                part = old[first:last]
                best = max(best, (_likeness(part, new), start + first, start + last, part, new))
    likeness, start, end, old, new = best
    if likeness < (ALIKE if " " in new else CLOSE):
        return None
    return f"{text[:start]}{new}{text[end:]}"


def _runs(name: str, count: int) -> list[tuple[int, int]]:
    """Where so many words of a name stand next to each other."""
    places = [(each.start(), each.end()) for each in re.finditer(r"\S+", name)]
    return [(places[n][0], places[n + count - 1][1]) for n in range(len(places) - count + 1)]


def _likeness(old: str, new: str) -> float:
    if fold(old) == fold(new):
        return 1.0
    shared = set(old.split()) & set(new.split())
    return 0.9 if shared else SequenceMatcher(None, old.lower(), new.lower()).ratio()
