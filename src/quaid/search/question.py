"""What a question says besides its words: names of pages, and days."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Collection
from functools import lru_cache

from quaid.formats.segments import alternatives
from quaid.formats.slugs import fold
from quaid.model.interval import MONTHS
from quaid.model.record import record

LONGEST_NAME = 8  # words
MAX_WORDS = 64

_OWNED = re.compile(r"['’]s?(?=\W*\Z)")  # Nora's
_MONTH = "|".join(f"{month}|{month[:3]}" for month in MONTHS)
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DATES = (
    re.compile(rf"\b{_YEAR}-(?P<number>\d\d)-(?P<day>\d\d)\b"),
    re.compile(
        rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?P<month>{_MONTH})\.?,?\s+{_YEAR}\b", re.IGNORECASE
    ),
    re.compile(
        rf"\b(?P<month>{_MONTH})\.?\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+{_YEAR}\b", re.IGNORECASE
    ),
    re.compile(rf"\b(?P<month>{_MONTH})\.?,?\s+(?:of\s+)?{_YEAR}\b", re.IGNORECASE),
    re.compile(rf"\b{_YEAR}-(?P<number>\d\d)\b"),
    re.compile(rf"\b(?:in|during|since|of|year)\s+{_YEAR}\b", re.IGNORECASE),
)


@record
class Question:
    """A question, read."""

    text: str
    whole: str  # folded
    words: tuple[str, ...]  # as FTS5 expressions
    names: tuple[str, ...]  # folded runs of words that may be the name of a page
    persons: frozenset[str]  # folded single words that are written like a name: Nora, and of Nora's
    days: tuple[str, str] | None  # first and last day that it speaks of


@lru_cache(maxsize=4)
def read_question(text: str) -> Question:
    """Read a question. One is asked of sections, of lines, of a page and of conversations."""
    named = [word for word in text.split()[1:] if not word.islower()]
    persons = frozenset(fold(_OWNED.sub("", word)) for word in named[:MAX_WORDS] if word != word.lower())
    names = _names(text, {fold(word) for word in named})
    return Question(text, fold(text), tuple(alternatives(text)), tuple(names), persons, _days(text))


def _names(text: str, capitals: Collection[str]) -> list[str]:
    """Every run of words; of a single word, only what is written like a name."""
    words = fold(text.replace("/", " ")).split()[:MAX_WORDS]
    runs: list[str] = []
    for start in range(len(words)):
        for end in range(start + 1, min(len(words), start + LONGEST_NAME) + 1):
            run = " ".join(words[start:end])
            if end > start + 1 or run in capitals:
                runs.append(run)
    return runs


def _days(text: str) -> tuple[str, str] | None:
    for pattern in _DATES:
        for match in pattern.finditer(text):
            found = match.groupdict()
            span = _span(int(found["year"]), _month(found), int(found.get("day") or 0))
            if span:
                return span
    return None


def _month(found: dict[str, str | None]) -> int:
    if found.get("number"):
        return int(found["number"] or 0)
    name = (found.get("month") or "").lower()[:3]
    return next((place for place, month in enumerate(MONTHS, start=1) if name and month.startswith(name)), 0)


def _span(year: int, month: int, day: int) -> tuple[str, str] | None:
    if not month:
        return (f"{year}-01-01", f"{year}-12-31") if not day else None
    if not 1 <= month <= 12 or day > monthrange(year, month)[1]:
        return None
    first, last = (day, day) if day else (1, monthrange(year, month)[1])
    return f"{year}-{month:02}-{first:02}", f"{year}-{month:02}-{last:02}"
