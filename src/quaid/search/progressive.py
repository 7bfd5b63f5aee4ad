"""As much of what was found as a token budget allows, the best of it in most detail."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal

from quaid.model.record import record

Depth = Literal["summary", "section", "full", "auto"]
CountTokens = Callable[[str], int]

FULL_RANKS = 3  # so many of the best may be given whole
ROOM_FOR_SECTION = 500
ROOM_FOR_FULL = 1500
LEAST_SECTION = 40  # tokens: less of a section than that says nothing

_WORD_END = re.compile(r"\s+")
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])|\n+")


@record
class Candidate:
    """A page that was found: what can be shown of it."""

    heading: str  # title and summary
    section: str  # the part that matched
    full: Callable[[], str]  # the whole compiled truth, read only when it may be shown


@record
class Expanded:
    """What is shown of a page, and what it costs."""

    depth: Literal["summary", "section", "full"]
    content: str
    tokens: int
    heading: str = ""  # title and summary, cut where not even they fit


def expand(candidates: Sequence[Candidate], depth: Depth, budget: int, count: CountTokens) -> list[Expanded]:
    """What to show of each candidate, in order, never more than the budget in all.

    The list ends where not even a summary fits. The best candidate is always there: of a section that is too
    long it gets as much as fits.
    """
    costs = [count(candidate.heading) for candidate in candidates]
    shown: list[Expanded] = []
    left = budget
    for rank, candidate in enumerate(candidates):
        if costs[rank] > left:
            if shown:
                break
            cut = _cut(candidate.heading, left, count)
            return [Expanded("summary", "", cut.tokens, cut.content)]
        # What the summaries of the others need is kept for them, as far as they fit at all.
        others = _affordable(costs[rank + 1 :], left - costs[rank])
        room = left - costs[rank] - (others if depth == "auto" else 0)
        best = _deepest(candidate, rank, depth, room, count)
        if rank == 0 and best.depth == "summary" and depth != "summary":
            best = _deepest(candidate, rank, depth, left - costs[rank], count)
        shown.append(Expanded(best.depth, best.content, costs[rank] + best.tokens, candidate.heading))
        left -= shown[-1].tokens
    return shown


def _deepest(candidate: Candidate, rank: int, depth: Depth, room: int, count: CountTokens) -> Expanded:
    """The most of a candidate that its depth and the room allow."""
    if depth == "full" or (depth == "auto" and rank < FULL_RANKS and room > ROOM_FOR_FULL):
        text = candidate.full()
        tokens = count(text)
        if tokens <= room:
            return Expanded("full", text, tokens)
    if depth != "summary" and (rank == 0 or depth != "auto" or room > ROOM_FOR_SECTION):
        tokens = count(candidate.section)
        if tokens <= room:
            return Expanded("section", candidate.section, tokens)
        if room >= LEAST_SECTION:
            part = _cut(candidate.section, room, count)
            return Expanded("section", part.content, part.tokens)
    return Expanded("summary", "", 0)


def _affordable(costs: Sequence[int], left: int) -> int:
    """What the first of these cost together, as far as they fit."""
    total = 0
    for cost in costs:
        if total + cost > left:
            break
        total += cost
    return total


def _cut(text: str, room: int, count: CountTokens) -> Expanded:
    """The beginning of a text that fits: to the end of a sentence, if most of it fits so, else of a word."""
    word = _last(_ends(_WORD_END, text), text, room, count) or _last(range(1, len(text)), text, room, count)
    sentence = _last(_ends(_SENTENCE_END, text), text, room, count)
    end = sentence if 2 * sentence >= word else word
    part = _marked(text, end) if end else ""
    return Expanded("summary", part, count(part) if part else 0)


def _last(ends: Sequence[int], text: str, room: int, count: CountTokens) -> int:
    """The last of these places up to which the text fits the room; 0 if there is none."""
    low, high = 0, len(ends)
    while low < high:
        middle = (low + high + 1) // 2
        if count(_marked(text, ends[middle - 1])) <= room:
            low = middle
        else:
            high = middle - 1
    return ends[low - 1] if low else 0


def _marked(text: str, end: int) -> str:
    return text[:end].rstrip() + " …"


def _ends(pattern: re.Pattern[str], text: str) -> Sequence[int]:
    return [match.start() for match in pattern.finditer(text) if match.start()]
