"""Two changes of one text, brought together: by lines, and within lines that both have changed by words.

Changes that only touch are no clash: whoever goes on where another ended has not changed what the other
wrote. Where lines are taken away between which the other side has put something, that stays, and with it the
headings, names of lists and rules under which it stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise

from quaid.model.record import record

_WORDS = re.compile(r"\w+|\s+|[^\w\s]")
# Headings of Markdown and org, rules, and names of lists in frontmatter.
_STRUCTURE = re.compile(r"(?P<heading>#{1,6}|\*+)\s|(?P<rule>---)\s*\Z|(?P<key>[\w-]+:)\s*\Z")
_KEY, _CONTENT = 10, 99  # ranks: what is under a heading has a higher one than the heading


@record
class Hunk:
    """What stands instead of base[start:stop]."""

    start: int
    stop: int
    lines: tuple[str, ...] = ()

    @property
    def adds(self) -> bool:
        """Whether nothing is taken away."""
        return self.start == self.stop

    @property
    def rank(self) -> int:
        """That of the first line which says anything."""
        return next((rank_of(line) for line in self.lines if line.strip()), _CONTENT)


Settle = Callable[[Sequence[str], Sequence[str], Sequence[str]], list[str]]


class _Clash(Exception):
    """Both sides changed the same."""


def merged(base: str, ours: str, theirs: str) -> str | None:
    """The text with what both sides have made of `base`; None where they clash."""
    if base == theirs or ours == theirs:
        return ours
    if base == ours:
        return theirs
    lines, mine, other = (text.splitlines(keepends=True) for text in (base, ours, theirs))
    own, foreign = hunks(lines, mine), hunks(lines, other)
    try:
        return "".join(
            with_both_hunks(lines, _without_repeated(own, foreign), _sparing(lines, foreign, own), _by_words)
        )
    except _Clash:
        return None


def rank_of(line: str) -> int:
    """How high a line stands: a rule, a heading by its depth, the name of a list, anything else."""
    found = _STRUCTURE.match(line)
    if not found:
        return _CONTENT
    return 0 if found["rule"] else _KEY if found["key"] else len(found["heading"])


def hunks(base: Sequence[str], other: Sequence[str]) -> list[Hunk]:
    """What makes one sequence of another."""
    least = min(len(base), len(other))
    head = next((place for place in range(least) if base[place] != other[place]), least)
    tail = 0
    while tail < least - head and base[-1 - tail] == other[-1 - tail]:
        tail += 1
    old, new = base[head : len(base) - tail], other[head : len(other) - tail]
    codes = SequenceMatcher(None, old, new).get_opcodes()
    found = [Hunk(head + i, head + j, tuple(new[k:m])) for what, i, j, k, m in codes if what != "equal"]
    ends = [*(each.start for each in found[1:]), len(base)][: len(found)]
    return [_slid(base, each, end) for each, end in zip(found, ends, strict=True)]


def _slid(base: Sequence[str], hunk: Hunk, end: int) -> Hunk:
    """The same change, told of lines that a person would say were added: from the least indented one on."""
    if not hunk.adds:
        return hunk
    best, lines, at = hunk, list(hunk.lines), hunk.start
    while at < end and base[at] == lines[0]:
        lines.append(lines.pop(0))
        at += 1
        if _indent(lines[0]) <= _indent(best.lines[0]):
            best = Hunk(at, at, tuple(lines))
    return best


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip()) if line.strip() else _CONTENT


def with_both_hunks(base: Sequence[str], mine: list[Hunk], other: list[Hunk], settle: Settle) -> list[str]:
    """The base with both sides' hunks; `settle` merges a part in which both changed the same."""
    mine, other = _once(mine, other), _once(other, mine)
    result: list[str] = []
    at = 0
    while mine or other:
        start = min(each[0].start for each in (mine, other) if each)
        stop, own, foreign = _cluster(mine, other)
        mine, other = mine[len(own) :], other[len(foreign) :]
        result += base[at:start]
        if own and foreign and own != foreign:
            ours, theirs = (_with_hunks(base, side, start, stop) for side in (own, foreign))
            result += settle(base[start:stop], ours, theirs)
        else:
            result += _with_hunks(base, own or foreign, start, stop)
        at = stop
    return result + list(base[at:])


def _once(made: list[Hunk], other: list[Hunk]) -> list[Hunk]:
    """Hunks without what the other side has added too, at an end of lines that it has changed."""
    ends = {each.stop: each.lines for each in other if not each.adds}
    starts = {each.start: each.lines for each in other if not each.adds}
    return [
        each
        for each in made
        if not each.adds
        or not (
            ends.get(each.start, ())[-len(each.lines) :] == each.lines
            or starts.get(each.start, ())[: len(each.lines)] == each.lines
        )
    ]


def _cluster(mine: list[Hunk], other: list[Hunk]) -> tuple[int, list[Hunk], list[Hunk]]:
    """The next hunk and all that clash with it, on both sides; and where they end."""
    first = min((each[0] for each in (mine, other) if each), key=lambda each: (each.start, each.stop))
    sides = (mine, other)
    taken: tuple[list[Hunk], list[Hunk]] = ([], [])
    taken[0 if mine and mine[0] == first else 1].append(first)
    stop, grown = first.stop, True
    while grown:
        grown = False
        for side in (0, 1):
            following = sides[side][len(taken[side]) :]
            reached = taken[1 - side]
            if following and reached and _clash(reached[-1], following[0]):
                taken[side].append(following[0])
                stop, grown = max(stop, following[0].stop), True
    return stop, *taken


def _clash(one: Hunk, other: Hunk) -> bool:
    """Whether two hunks are about the same: a piece, or the same place between two."""
    if one.adds and other.adds:
        return one.start == other.start
    if one.adds or other.adds:
        hole, around = (one, other) if one.adds else (other, one)
        return around.start < hole.start < around.stop
    return max(one.start, other.start) < min(one.stop, other.stop)


def _with_hunks(base: Sequence[str], made: list[Hunk], start: int, stop: int) -> list[str]:
    """A part of the base with one side's hunks in it."""
    result: list[str] = []
    for each in made:
        result += [*base[start : each.start], *each.lines]
        start = each.stop
    return result + list(base[start:stop])


def _by_words(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> list[str]:
    pieces, mine, other = (_WORDS.findall("".join(lines)) for lines in (base, ours, theirs))
    return with_both_hunks(pieces, hunks(pieces, mine), hunks(pieces, other), _no_settlement)


def _no_settlement(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> list[str]:
    raise _Clash


# What is taken away, and what others have put into it --------------------------------------------------


def _without_repeated(own: list[Hunk], foreign: list[Hunk]) -> list[Hunk]:
    """Our hunks without those that only take away what the others take away too."""
    gone = [each for each in foreign if not each.lines]
    return [
        each
        for each in own
        if each.lines or not any(more.start <= each.start and each.stop <= more.stop for more in gone)
    ]


def _sparing(base: Sequence[str], made: list[Hunk], other: list[Hunk]) -> list[Hunk]:
    """Hunks that take nothing away on which what the other side has added depends."""
    added = [each for each in other if each.adds]
    return [part for each in made for part in ([each] if each.lines else _spared_hunks(base, each, added))]


def _spared_hunks(base: Sequence[str], gone: Hunk, added: list[Hunk]) -> Iterator[Hunk]:
    inside = [each for each in added if gone.start < each.start <= gone.stop]
    kept = _lines_needed(base, gone, inside)
    cuts = sorted(
        {gone.start, gone.stop, *(each.start for each in inside), *kept, *(line + 1 for line in kept)}
    )
    for start, stop in pairwise(cuts):
        if start not in kept:
            yield Hunk(start, stop)


def _lines_needed(base: Sequence[str], gone: Hunk, inside: list[Hunk]) -> set[int]:
    """The lines under which something was added: headings with the blanks around them, and rules."""
    needed: set[int] = set()
    ranks = {place: rank_of(base[place]) for place in range(gone.start, gone.stop)}
    for place, rank in ranks.items():
        end = next((each for each in range(place + 1, gone.stop) if ranks[each] <= rank), gone.stop)
        if rank < _CONTENT and any(place < each.start <= end and each.rank > rank for each in inside):
            needed.add(place)
            if rank == 0 and end < gone.stop:
                needed.add(end)  # the other end of the frontmatter
    blanks = {each for each in range(gone.start, gone.stop) if not base[each].strip()}
    for place in sorted(needed):
        for step in (-1, 1):
            beside = place + step
            while beside in blanks:
                needed.add(beside)
                beside += step
    return needed
