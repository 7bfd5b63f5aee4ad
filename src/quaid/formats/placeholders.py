"""Lines of templates that nobody has filled in: they say what could stand there, and are no knowledge."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

CREATED = "Page created"  # what the timeline of a new page says
_DAY = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
# A line whose first bracket holds a phrase, after a box to tick at most: not a link to another page.
_BRACKETED = re.compile(r"^[^\n\[]*(?:\[[ xX]\] )?\[[^\[\]\n]+\][^\n]*$", re.MULTILINE)
_ENTRY = re.compile(rf"^[^\n\[]*{CREATED}[ \t]*$", re.MULTILINE)


@lru_cache(maxsize=2)
def without_placeholders(text: str) -> str:
    """The text without what a template says and nobody has replaced; its other lines stay as they are.

    Cached, because what sums a page up and what finds it by words both ask.
    """
    if "[" in text and _phrases().search(text):
        text = _BRACKETED.sub(_kept_part, text)
    if CREATED in text:
        text = _ENTRY.sub(_kept_part, text)
    return text


def may_hold(text: str) -> bool:
    """Whether there may be such lines in a text, or in a part of it."""
    return CREATED in text or ("[" in text and _phrases().search(text) is not None)


def is_untouched(head: str) -> bool:
    """Whether a head has no field, its title aside, but as a template gives it."""
    fields = (line for line in head.splitlines() if not line.startswith("title:"))
    return all(_comparable(line) in _heads() for line in fields)


def _kept_part(match: re.Match[str]) -> str:
    return "" if _comparable(match.group()) in _lines() else match.group()


def _comparable(line: str) -> str:
    return _DAY.sub("{today}", line.strip())


@lru_cache(maxsize=1)
def _lines() -> frozenset[str]:
    """The lines of all templates that are to be replaced."""
    lines = (line.strip() for _, body in _templates() for line in body.splitlines())
    return frozenset(line for line in lines if "[" in line or line.endswith(CREATED))


@lru_cache(maxsize=1)
def _phrases() -> re.Pattern[str]:
    """What stands in brackets in these lines: a text without any of it has none of them."""
    bracketed = {f"[{line.partition('[')[2]}".partition("{today}")[0] for line in _lines() if "[" in line}
    return re.compile("|".join(map(re.escape, sorted(bracketed))))


@lru_cache(maxsize=1)
def _heads() -> frozenset[str]:
    """The lines of the heads of all templates."""
    return frozenset(["", "---", *(line.strip() for head, _ in _templates() for line in head.splitlines())])


def _templates() -> list[tuple[str, str]]:
    """Head and body of every template."""
    texts = [path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("templates/*.md")]
    parts = [text.split("---\n", 2) for text in texts]
    return [(head, body) for _, head, body in parts]
