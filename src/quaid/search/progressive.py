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
_WORD = re.compile(r"\w+")
_HEADING = re.compile(r"#{1,6} |\*+ ")
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])|\n+")


@record
class Candidate:
    """A page that was found: what can be shown of it."""

    heading: str  # title and summary
    section: str  # the part that matched
    full: Callable[[], str]  # the whole compiled truth, read only when it may be shown
    line: str = ""  # what of the section matters most
    beside: str = ""  # other lines that are shown with it
    overhead: int = 0  # tokens of what stands around these texts, whatever is shown of them
    asked: str = ""  # the question: of a section that is too long, the line that fits it best stays


@record
class Expanded:
    """What is shown of a page, and what it costs."""

    depth: Literal["summary", "section", "full"]
    content: str
    tokens: int
    heading: str = ""  # title and summary, cut where not even they fit
    beside: bool = False  # whether the line that matters stands beside, because no content has it


def expand(candidates: Sequence[Candidate], depth: Depth, budget: int, count: CountTokens) -> list[Expanded]:
    """What to show of each candidate, in order, never more than the budget in all.

    The list ends where not even a summary fits. The best candidate is always there: of a section that is too
    long it gets as much as fits.
    """
    costs = [
        candidate.overhead + count("\n".join(part for part in (candidate.heading, candidate.beside) if part))
        for candidate in candidates
    ]
    shown: list[Expanded] = []
    left = budget
    for rank, candidate in enumerate(candidates):
        if costs[rank] > left:
            if shown:
                break
            cut = _cut(candidate.heading, left - candidate.overhead, count)
            return [Expanded("summary", "", candidate.overhead + cut.tokens, cut.content)]
        # What the summaries of the others need is kept for them, as far as they fit at all.
        others = _affordable(costs[rank + 1 :], left - costs[rank])
        room = left - costs[rank] - (others if depth == "auto" else 0)
        best = _deepest(candidate, rank, depth, room, count)
        if rank == 0 and best.depth == "summary" and depth != "summary":
            best = _deepest(candidate, rank, depth, left - costs[rank], count)
        shown.append(
            Expanded(best.depth, best.content, costs[rank] + best.tokens, candidate.heading, best.beside)
        )
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
        lines = count(candidate.line) if candidate.line else 0
        if 0 < lines <= room:
            return Expanded("section", candidate.line, lines)
        if room >= LEAST_SECTION:
            part = _lines_around(candidate, room, count)
            return Expanded("section", part.content, part.tokens)
    lines = count(candidate.line) if candidate.line and depth == "auto" else 0
    if 0 < lines <= room:
        return Expanded("summary", "", lines, beside=True)
    return Expanded("summary", "", 0)


def _lines_around(candidate: Candidate, room: int, count: CountTokens) -> Expanded:
    """The line of a section that fits the question best, and as many whole lines around it as fit."""
    lines = candidate.section.strip("\n").split("\n")
    asked = _words(candidate.asked)
    best = max(range(len(lines)), key=lambda place: len(asked & _words(lines[place])))
    first, last = best, best + 1
    heading = lines[0] if best and _HEADING.match(lines[0]) else ""
    text = _excerpt(lines, first, last, heading)
    if count(text) > room:
        heading, text = "", _excerpt(lines, first, last, "")
        if count(text) > room:
            return _cut(lines[best], room, count)
    grows = True
    while grows:
        grows = False
        for start, end in ((first, last + 1), (first - 1, last)):
            wider = _excerpt(lines, start, end, heading) if start >= 0 and end <= len(lines) else ""
            if wider and count(wider) <= room:
                first, last, text, grows = start, end, wider, True
                break
    return Expanded("section", text, count(text))


def _excerpt(lines: Sequence[str], first: int, last: int, heading: str) -> str:
    """Some lines, below their heading; … stands for those that are left out."""
    head = [heading] if heading and first > 0 else []
    before = ["…"] if first > len(head) else []
    after = ["…"] if last < len(lines) else []
    return "\n".join([*head, *before, "\n".join(lines[first:last]).strip("\n"), *after])


def _words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text) if len(word) > 2 or not word.isascii()}


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
